#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# gvt-stat policy, on a host made of files
#
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source-path=SCRIPTDIR source=host.sh
. "$(dirname "$0")/host.sh"

policy()
{
	"$GVT_STAT" policy --sysroot "$root" "$@" 2>&1
}

# query JQ [ARGUMENT...]
query()
{
	query=$1
	shift
	policy --json "$@" | jq -c "$query"
}

# fails NAME PATTERN [ARGUMENT...]: status 1 and one line
fails()
{
	name=$1 pattern=$2
	shift 2
	text=$(policy "$@")
	is "$name: exit status" 1 $?
	matches "$name" "gvt-stat: $pattern" "$text"
	is "$name: one line" 1 "$(echo "$text" | wc -l)"
}

setting()
{
	cat "$pci/gvt_sched/$1"
}

host
vgpu 1
vgpu 2
process 4711 qemu-system-x86 qemu-system-x86_64 -name guest=win10,debug-threads=on \
	-device "{\"driver\":\"vfio-pci\",\"sysfsdev\":\"/sys/bus/mdev/devices/$(uuid 2)\"}"
process 4712 grep grep "$(uuid 1)" log
process 4713 qemu-kvm qemu-kvm -device "vfio-pci,sysfsdev=/sys/bus/mdev/devices/$(uuid 1)"

is "settings are numbers and words" \
	'{"policy":"strict","dispatch":"exclusive","carry_over":1,"leftover_max_ms":1000,"period_ms":100,"boost_ms":2000,"max_wait_ms":1000,"anticipation_ms":20}' \
	"$(query '.gpus[0].settings')"
is "the document has its schema" '["gvt-stat/1","policy",[],"0000:00:02.0"]' \
	"$(query '[.schema, .command, .changes, .gpus[0].pci]')"
is "vGPUs have type, weight and settings" \
	'[[1,"GVTg_V5_8",2,{"nice":0,"cap":0,"preempt":1,"arbitration":1}],[2,"GVTg_V5_8",2,{"nice":0,"cap":0,"preempt":1,"arbitration":1}]]' \
	"$(query '[.gpus[0].vgpus[] | [.vgpu_id, .type, .weight, .settings]]')"
is "a VM's name is libvirt's, else that of the process" '[["qemu-kvm",4713],["win10",4711]]' \
	"$(query '[.gpus[0].vgpus[] | [.vm, .pid]]')"
is "--vgpu chooses by id and by UUID" '[2]
[1]' "$(query '[.gpus[0].vgpus[].vgpu_id]' --vgpu 2; query '[.gpus[0].vgpus[].vgpu_id]' --vgpu "$(uuid 1)")"
matches "the table names setting, value and what is allowed" \
	"*policy *strict *strict, work-conserving, fair *who runs next*leftover_max_ms *1000 *0..1000*" \
	"$(policy)"
matches "the table names the vGPUs" "*win10 *GVTg_V5_8 *$(uuid 2)*" "$(policy)"

matches "a bare word is a policy, and the change is told" \
	"0000:00:02.0: policy: strict -> fair (touches vGPUs: 1, 2)*" "$(policy fair)"
is "a bare word is written to policy" fair "$(setting policy)"
host
vgpu 1
vgpu 2
is "several settings at once" \
	'[["carry_over",1,0],["period_ms",100,50]]' \
	"$(query '[.changes[] | [.setting, .old, .new]]' carry_over=0 period_ms=50)"
is "several settings are written" "0 50" "$(setting carry_over) $(setting period_ms)"
is "settings of one vGPU" '[[2,"nice",0,-5],[2,"cap",0,40]]' \
	"$(query '[.changes[] | [.vgpu_id, .setting, .old, .new]]' --vgpu 2 nice=-5 cap=40)"
is "settings of one vGPU are written to it alone" "-5 40 0 0" \
	"$(for file in "2 nice" "2 cap" "1 nice" "1 cap"; do
		# shellcheck disable=SC2086 # two words
		xargs <"$(vgpu_file $file)"
	done | xargs)"
echo 7 >"$pci/gvt_sched/new_setting"
is "a setting this program does not know can be set" '[7,8]' \
	"$(query '.changes[0] | [.old, .new]' new_setting=8)"
rm "$(vgpu_file 1 cap)"
is "a setting that the kernel lacks is not shown" '{"nice":0,"preempt":1,"arbitration":1}' \
	"$(query '.gpus[0].vgpus[0].settings')"
printf 'evil\033[31m\nx\n' >"$pci/gvt_sched/new_setting"
is "control characters do not reach the terminal" '"evil?[31m?x"' \
	"$(query '.gpus[0].settings.new_setting')"

host
vgpu 1
fails "unknown setting" "speed: GPU 0000:00:02.0 has no such setting; it has: policy,*" speed=9
fails "unknown policy" "policy: 'fare' is no value of it; allowed: strict, work-conserving, fair" fare
fails "no number" "period_ms: 'long' is no value of it; allowed: 10..1000" period_ms=long
fails "unknown vGPU" "--vgpu 3: no such vGPU on this host; there is 1 ($(uuid 1))" --vgpu 3 nice=1
fails "a GPU's setting for a vGPU" "policy: vGPU $(uuid 1) has no such setting; it has: nice, cap, preempt, arbitration" \
	--vgpu 1 fair
fails "a vGPU's setting for the GPU" "*with --vgpu" nice=1
is "nothing was written on errors" "[strict] work-conserving fair" "$(setting policy)"
is "wrong usage" 129 "$(policy "=3" >/dev/null; echo $?)"

# /dev/full stands for a kernel that refuses
rm "$pci/gvt_sched/boost_ms"
ln -s /dev/full "$pci/gvt_sched/boost_ms"
fails "all or nothing" "boost_ms of 0000:00:02.0 cannot be set to 1: *nothing was changed" \
	period_ms=50 boost_ms=1
is "all or nothing: the first is as before" 100 "$(setting period_ms)"

rm -r "$pci/gvt_sched"
fails "kernel without settings" "GPU 0000:00:02.0 has no scheduler settings: * (there is no $root/sys/bus/pci/devices/0000:00:02.0/gvt_sched)"
rm -r "$pci"
fails "no GPU" "no GPU of this host offers vGPUs*$root/sys/bus/pci/devices*"
rm -r "$root/sys/module/kvmgt"
fails "no kvmgt" "kvmgt is not loaded*modprobe kvmgt*$root/sys/module/kvmgt*"

host
for id in 1 2; do
	vgpu $id
	process 50$id cloud-hypervisor cloud-hypervisor --device "path=/sys/bus/mdev/devices/$(uuid $id)"
done
is "those of VMs without a name are told apart by the process" '["cloud-hypervisor-501","cloud-hypervisor-502"]' \
	"$(query '[.gpus[0].vgpus[].vm]')"

finish
