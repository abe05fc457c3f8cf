#!/usr/bin/env bash
# Installs what the build and the tests need and the machine lacks: Debian packages and cargo-nextest.
# Says what it does; does nothing, quickly, where everything is there.
set -euo pipefail

say() { echo "setup: $*" >&2; }
die() {
    say "$*"
    exit 1
}

command -v cargo >/dev/null || die "cargo is missing: install Rust 1.95 or newer with rustup"

missing=()
need() { command -v "$1" >/dev/null 2>&1 || missing+=("$2"); }
need cc build-essential
need make make
need protoc protobuf-compiler
# The definitions that protoc comes with; Debian packs them apart from it.
protos=google/protobuf/empty.proto
[ -f "/usr/include/$protos" ] || [ -f "$(dirname "$(command -v protoc || echo /usr/bin/protoc)")/../include/$protos" ] ||
    missing+=(libprotobuf-dev)
need python3 python3
need tesseract tesseract-ocr
for language in deu fra ita eng; do
    compgen -G "/usr/share/tesseract-ocr/*/tessdata/$language.traineddata" >/dev/null ||
        compgen -G "/usr/share/tessdata/$language.traineddata" >/dev/null ||
        missing+=("tesseract-ocr-$language")
done
# Processors that this machine is not.
if [ "${1:-}" = tests ] && [ "$(uname -m)" = x86_64 ]; then
    need qemu-x86_64 qemu-user
fi
# The kernels for cards are compiled for this machine, with sanitizers: by clang 19 where it is to be had.
if [ "${1:-}" = tests ] && ! command -v clang++-19 >/dev/null && apt-cache show clang-19 >/dev/null 2>&1; then
    missing+=(clang-19 libclang-rt-19-dev)
fi
python3 -m pip --version >/dev/null 2>&1 || python3 -c 'import ensurepip' >/dev/null 2>&1 || missing+=(python3-venv)

if [ ${#missing[@]} -gt 0 ]; then
    command -v apt-get >/dev/null || die "please install: ${missing[*]}"
    as_root=()
    if [ "$(id -u)" -ne 0 ]; then
        command -v sudo >/dev/null || die "please install as root: apt-get install ${missing[*]}"
        as_root=(sudo)
    fi
    say "installing ${missing[*]}"
    "${as_root[@]}" apt-get update -qq
    DEBIAN_FRONTEND=noninteractive "${as_root[@]}" apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
fi

if [ "${1:-}" = tests ] && ! cargo nextest --version >/dev/null 2>&1; then
    say "installing cargo-nextest (a few minutes, once)"
    cargo install --locked --quiet cargo-nextest
fi
