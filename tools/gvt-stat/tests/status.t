#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# gvt-stat status, on a host made of files whose counters this script moves
#
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source-path=SCRIPTDIR source=host.sh
. "$(dirname "$0")/host.sh"

set_counter()
{
	echo "$3" >"$tmp/value"
	mv "$tmp/value" "$(vgpu_file "$1" "$2")"
}

# between STEP [ARGUMENT...]: look before and after the step. The first look comes to the weight of
# the idle vGPU last.
between()
{
	step=$1
	shift
	hold_at "$(vgpu_file 2 weight)" "$tmp/out" "$GVT_STAT" status --sysroot "$root" --interval 1 "$@"
	$step
	let_go
}

host
vgpu 1
vgpu 2
process 4711 qemu-system-x86 qemu-system-x86_64 -name guest=win10 \
	-device "vfio-pci,sysfsdev=/sys/bus/mdev/devices/$(uuid 1)"
mkdir -p "$pci/drm/card1" "$pci/drm/renderD128" "$pci/gvt_host"
echo 450 >"$pci/drm/card1/gt_act_freq_mhz"
echo 1150 >"$pci/drm/card1/gt_max_freq_mhz"
echo 0 >"$pci/gvt_host/rcs0_exec_ns"
echo 0 >"$pci/gvt_host/rcs0_wait_ns"

# 60 ms executed on two engines in 50 ms of them; 10 workloads waited for 9 ms each
# shellcheck disable=SC2317 # called by between
steps()
{
	set_counter 1 exec_ns 50000000
	set_counter 1 queued 2
	set_counter 1 engine/rcs0/exec_ns 40000000
	set_counter 1 engine/vcs0/exec_ns 20000000
	set_counter 1 engine/rcs0/workloads 10
	set_counter 1 engine/rcs0/wait_ns 90000000
}
between steps --json
is "a VM: number, name, type, queue, wait" '[1,"win10","GVTg_V5_8",2,9000000]' \
	"$(values '.vgpus[0] | [.vgpu_id, .vm, .type, .queued, .wait_mean_ns]' "$tmp/out")"
is "60 ms executed, 90 ms waited" 60 "$(jq '.vgpus[0].wait_percent * 1000 | round / 1000' "$tmp/out")"
is "one that does nothing waits for nothing" '[2,0,null]' "$(values '.vgpus[1] | [.vgpu_id, .exec_percent, .wait_percent]' "$tmp/out")"
is "the host is no VM" 2 "$(jq '.vgpus | length' "$tmp/out")"
is "GPUs with their settings" '["0000:00:02.0","strict","exclusive",450,["rcs0","vcs0"]]' \
	"$(values '.gpus[0] | [.pci, .policy, .dispatch, .frequency_mhz, [.engines[].engine]]' "$tmp/out")"

for name in exec_ns engine/rcs0/exec_ns engine/vcs0/exec_ns engine/rcs0/workloads engine/rcs0/wait_ns; do
	set_counter 1 $name 0
done
between steps
matches "for people" "GPU 0000:00:02.0  450 MHz of 1150  policy strict, dispatch exclusive
rcs0 *host*vcs0*

VGPU VM    TYPE      UTIL% QUEUED WAIT-ms WAIT%
   1 win10 GVTg_V5_8 *      2   9.000 60.00
   2 -     GVTg_V5_8  0.00      0       -     -

Live: gvt-stat top*" "$(cat "$tmp/out")"
is "as wide as a terminal, at most" 80 "$(awk '{ if (length($0) > most) most = length($0) } END { print (most > 80 ? most : 80) }' "$tmp/out")"

is "nothing is said of VMs that are well" 0 "$(grep -c 'Failsafe\|Errors' "$tmp/out")"
printf '%s\n' "bad_entries 3" "hangs 2" "failsafe no" >"$(vgpu_file 1 health)"
printf '%s\n' "bad_entries 0" "failsafe guest_error" >"$(vgpu_file 2 health)"
matches "who is ill is named below the table, with what to do" "*WAIT%*
Failsafe: vGPU 2 (guest_error): restart the VM; dmesg says why
Errors: win10 (5): dmesg and intel_vgpu/health say which

Live: *" "$("$GVT_STAT" status --sysroot "$root" --interval 0.01)"
matches "--vgpu: only of these" "*
Errors: win10 (5): *" "$("$GVT_STAT" status --sysroot "$root" --interval 0.01 --vgpu 1)"
is "not of others" 0 "$("$GVT_STAT" status --sysroot "$root" --interval 0.01 --vgpu 1 | grep -c Failsafe)"
rm "$(vgpu_file 1 health)" "$(vgpu_file 2 health)"

is "--vgpu" '[2]' "$("$GVT_STAT" status --sysroot "$root" --interval 0.01 --json --vgpu 2 | jq -c '[.vgpus[].vgpu_id]')"
"$GVT_STAT" status --sysroot "$root" --interval 0.01 --vgpu 3 >"$tmp/out" 2>&1
is "a vGPU that is not there" 1 $?
for id in 1 2; do
	rm -r "${pci:?}/$(uuid $id)" "${mdev:?}/$(uuid $id)"
done
matches "no VM" "*No VM has a vGPU.*" "$("$GVT_STAT" status --sysroot "$root" --interval 0.01)"
is "no VM, for programs" '[]' "$("$GVT_STAT" status --sysroot "$root" --interval 0.01 --json | jq -c '.vgpus')"
"$GVT_STAT" status --sysroot "$root" --interval 0 >"$tmp/out" 2>&1
is "no interval" 129 $?
"$GVT_STAT" status --sysroot "$root" --interval 0.01 >/dev/full 2>"$tmp/out"
is "a full disk" 1 $?
rm -r "${root:?}/sys/module/kvmgt" "$pci"
matches "no kvmgt" "*kvmgt is not loaded*'gvt-stat report FILE' reads a trace of another host*" \
	"$("$GVT_STAT" status --sysroot "$root" 2>&1)"
# whatever this host is: the word alone is status, and no more
[ "$(cd "$tmp" && "$GVT_STAT" 2>&1)" = "$("$GVT_STAT" status 2>&1)" ] || [ -e /sys/module/kvmgt ]
is "alone, gvt-stat is status" 0 $?
finish
