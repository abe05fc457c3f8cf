#!/usr/bin/env bash
# Fuzzes the parsers: every target, or those named, for SECONDS_EACH (600). JOBS (1) run at a time; SEEDS names
# folders with further files to begin with. One line for each target; exit 1 where something was found.
set -euo pipefail
cd "$(dirname "$0")"

seconds=${SECONDS_EACH:-600} jobs=${JOBS:-1}
work=${CARGO_TARGET_DIR:-$HOME/.cache/dossier/target}/fuzz
host=$(rustc -vV | sed -n 's/^host: //p')

if ! cargo fuzz --version >/dev/null 2>&1; then
    echo "fuzz: installing cargo-fuzz (a minute or two, once)" >&2
    cargo install --locked --quiet cargo-fuzz
fi
python3 lock.py

mapfile -t targets < <(sed -n '/^\[\[bin\]\]/,$s/^name = "\(.*\)"/\1/p' Cargo.toml)
for name in "$@"; do
    [[ " ${targets[*]} " == *" $name "* ]] || {
        echo "fuzz: there is no target '$name'; targets are ${targets[*]}" >&2
        exit 2
    }
done
[ $# -eq 0 ] || targets=("$@")

# The instruments are options of the compiler that stable hides. All targets in one build.
RUSTC_BOOTSTRAP=1 cargo fuzz build -O --sanitizer "${SANITIZER:-none}" --fuzz-dir . --target-dir "$work/build"

mkdir -p "$work"/{logs,findings}
read -ra folders <<<"${SEEDS:-}"
python3 seeds.py "$work/corpus" "${folders[@]}" >/dev/null

run() {
    local name=$1 status=0 log="$work/logs/$1.log" found
    local options=(-max_total_time="$seconds" -timeout=10 -rss_limit_mb=1024 -print_final_stats=1)
    case $name in
    pdf | archive | sheet | chunk) options+=(-max_len=49152) ;;
    layout | ocr | pumped | log | checkpoint) options+=(-max_len=4096) ;;
    *) options+=(-max_len=16384) ;;
    esac
    [ ! -f "dictionaries/$name.dict" ] || options+=(-dict="dictionaries/$name.dict")
    mkdir -p "$work/corpus/$name"
    "$work/build/$host/release/$name" "${options[@]}" -artifact_prefix="$work/findings/$name-" \
        "$work/corpus/$name" >"$log" 2>&1 || status=$?
    found=$(sed -n 's/.*Test unit written to //p' "$log" | tail -1)
    awk -v name="$name" -v found="$found" -v status="$status" '
        / cov: / { for (i = 1; i < NF; i++) if ($i == "cov:") cov = $(i + 1) }
        /number_of_executed_units/ { runs = $2 }
        /average_exec_per_sec/ { speed = $2 }
        /^Done / { took = $(NF - 1) }
        END {
            result = status == 0 ? "clean" : found == "" ? "FAILED, see the log" : "FOUND " found
            printf "%-10s %10d executions %7d/s %5d s  coverage %6d  %s\n", name, runs, speed, took, cov, result
        }' "$log"
    return "$status"
}

bad=0 open=0
for name in "${targets[@]}"; do
    if [ "$open" -ge "$jobs" ]; then
        wait -n || bad=1
        open=$((open - 1))
    fi
    run "$name" &
    open=$((open + 1))
done
while [ "$open" -gt 0 ]; do
    wait -n || bad=1
    open=$((open - 1))
done
[ "$bad" -eq 0 ] || echo "fuzz: something was found; logs are in $work/logs" >&2
exit "$bad"
