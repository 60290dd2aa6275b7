#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The rig boots: results, determinism, exit codes, and what goes wrong inside.
set -uo pipefail
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
# the runs themselves are tested
unset RIG_RUNS
quick=$(dirname "$0")/quick.conf
kernel=${RIG_KERNEL:-$("$(dirname "$rig")/../../scripts/kernel-version")}

# Two runs at once: one of each core, one of them at a terminal
"$rig" run "$quick" --out "$work/a" >"$work/a.log" 2>&1 &
script -qec "'$rig' run '$quick' --out '$work/b'" "$work/terminal" </dev/null >"$work/b.log" 2>&1
second=$?
wait %1
first=$?
check "a scenario runs" bash -c "cat '$work/a.log'; exit $first"
check "and again beside it" bash -c "cat '$work/b.log'; exit $second"
check "a terminal shows how far it is, in one line" bash -c "grep -qF \$'\r\033[Krig: scenario' '$work/b.log' && [ \$(wc -l <'$work/b.log') -le 3 ]"
check "and nothing else does" bash -c "! grep 'rig: ' '$work/a.log'"
check "two runs give the same trace" cmp "$work/a/trace.dat" "$work/b/trace.dat"
check "and the same truth log" cmp "$work/a/truth.log" "$work/b/truth.log"
check "the trace is the device's" "$rig" verify "$work/a"
check "and tells gvt-stat the rate of its clock" \
	bash -c "trace-cmd report -i '$work/a/trace.dat' 2>/dev/null | grep -m 1 -q 'gvt-stat-meta tsc_khz 1000000'"
check "every stream worked" bash -c "[ \$(grep -c '^RESULT .* failed=0' '$work/a/load.log') -eq 2 ]"
window_of_the_device() {
	awk -F '[ =]' '
		FNR == NR && $1 == "WINDOW" { begin = $3; end = $5 }
		FNR < NR && $4 > begin && $5 < end && $8 == "complete" { n++ }
		END { print begin, end, n; exit !(end - begin == 500000000 && n > 100) }' "$work/a/load.log" "$work/a/truth.log"
}
check "the client tells the window on the device's clock" window_of_the_device
check "no event was lost" bash -c "! grep -v ': 0\$' '$work/a/trace-stats.log'"
check "the trace tells of the vGPUs" \
	bash -c "trace-cmd report -i '$work/a/trace.dat' 2>/dev/null | grep -q 'gvt_vgpu_info:.*type=GVTg_V5_8'"
check "page tables are shadowed once, not for every workload" \
	bash -c "trace-cmd report -E -i '$work/a/trace.dat' | grep -q spt_alloc && ! trace-cmd report -i '$work/a/trace.dat' 2>/dev/null | grep ' spt_alloc:'"
check "the run is described" bash -c "grep -q '^icount_shift=0' '$work/a/meta' && grep -qE '^kvmgt_sha256=[0-9a-f]{64}' '$work/a/meta'"
# in_one_boot: each of three runs has all its workloads done, and starts in its own way
in_one_boot() {
	local n
	"$rig" run "$quick" --no-trace --perturb 1-3 --out "$work/series" || return 1
	for n in 1 2 3; do
		[ "$(grep -c '^RESULT .* done=[1-9][0-9]* failed=0' "$work/series/$n/load.log")" -eq 2 ] || return 1
	done
	[ "$(sort -u "$work"/series/[123]/load.log | grep -c '^WINDOW')" -eq 3 ]
}
check "several runs in one boot" in_one_boot
check "nothing of the host is in the trace" bash -c "! grep -qaF '$(uname -n)' '$work/a/trace.dat'"

cat >"$work/script" <<-'END'
	#!/bin/sh
	uname -r
	cp /data/note /out/note
	grep -m 1 -c ' t .*\[i915\]' /proc/kallsyms
	cat /sys/bus/pci/devices/0000:00:02.0/power/control
	cat /sys/bus/mdev/devices/*/power/control
	exit 3
END
sed 's/type = V5_8/& setting "power\/control" { value = on }/' "$quick" >"$work/set.conf"
echo 'setting "power/control" { value = auto }' >>"$work/set.conf"
echo hello >"$work/note"
run_script() {
	"$rig" exec "$work/script" --out "$work/exec" --add "$work/note:/data/note" --symbols --scenario "$work/set.conf" --set power/control=on
	[ $? -eq 3 ] && head -n 1 "$work/exec/output.log" | grep -qxF "$kernel" && cmp "$work/note" "$work/exec/note"
}
check "exec brings back exit code, output and files" run_script
check "settings of GPU and vGPUs are written, and the command line wins" \
	bash -c "cat '$work/exec/output.log'; tail -n 3 '$work/exec/output.log' | tr '\n' ' ' | grep -qx 'on on on '"

# a local function of a module
check "--symbols keeps the symbols" grep -qx 1 "$work/exec/output.log"

# a client that goes on for ever would keep the GPU busy, and the machine from powering off
cat >"$work/leaves" <<-'END'
	#!/bin/sh
	uuids=$(awk '{ printf "%s%s=%s", sep, $1, $2; sep = "," }' /run.vgpus)
	rig-load --scenario /rig/scenario.conf --uuids "$uuids" >/out/load.log &
	until grep -q '^WINDOW' /out/load.log; do sleep 0.1; done
END
sed 's/500ms/1000s/' "$quick" >"$work/endless.conf"
check "exec ends although a client still submits" "$rig" exec "$work/leaves" --out "$work/left" --scenario "$work/endless.conf"

# Types what it gets on the console once there is a prompt.
shell_session() {
	local tries=900 pid code
	mkfifo "$work/keys"
	"$rig" shell "$quick" --out "$work/shell" <"$work/keys" >"$work/shell.out" 2>&1 &
	pid=$!
	exec 3>"$work/keys"
	until grep -q '^/ #' "$work/shell.out" || [ $((tries--)) -eq 0 ] || ! kill -0 $pid; do
		sleep 0.1
	done
	# it may have ended before
	trap '' PIPE
	printf '%s\n' "$@" exit >&3
	exec 3>&-
	wait $pid
	code=$?
	trap - PIPE
	cat "$work/shell.out"
	return $code
}
# shellcheck disable=SC2016 # expanded in the machine
check "shell takes commands and ends" shell_session 'echo "there are $(ls /sys/bus/mdev/devices | wc -l) vGPUs"'
check "shell shows what they print" grep -q '^there are 2 vGPUs' "$work/shell.out"

sed 's/V5_8/V5_1/' "$quick" >"$work/small.conf"
check "a vGPU type that does not fit" says "does not fit aperture-mb" "$rig" run "$work/small.conf" --out "$work/c"
check "a setting that the kernel does not have" says "this kernel has no /sys/bus/pci/devices/0000:00:02.0/gvt_sched/colour" \
	"$rig" run "$quick" --out "$work/h" --set gvt_sched/colour=red
digest() {
	"$rig" run "$quick" --digest --kvmgt stock --no-trace --kernel "$kernel" "$@"
}
digests() {
	digest >"$work/one" && digest >"$work/two" && digest --set power/control=on >"$work/three" &&
		grep -xE '[0-9a-f]{64}' "$work/one" && cmp "$work/one" "$work/two" && ! cmp "$work/one" "$work/three"
}
check "the digest is of what decides the outcome" digests
check "GVT-g that gave up although kvmgt is loaded" says "'MDEV: Registered' missing" \
	"$rig" run "$quick" --out "$work/d" --qemu-args "-global gen9-igpu.fuse-display=on"
check "a run that takes too long" says "timed out after 1 s" "$rig" run "$quick" --out "$work/e" --timeout 1
check "a machine that QEMU refuses" says "QEMU failed with code 1" \
	"$rig" run "$quick" --out "$work/f" --qemu-args "-global gen9-igpu.aperture-mb=3 -device nonsense"
check "a kernel that crashes" says "did not boot or crashed" \
	"$rig" run "$quick" --out "$work/g" --append "rdinit=/none init=/none"

finish
