#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# --columns and --list, and that all commands have all three forms.
#
# shellcheck source-path=SCRIPTDIR source=lib.sh source=states.sh
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/states.sh"

{
	cat <<'END'
cpus 2
0ms  0 gvt_vgpu_info v=1 weight=1 type=V5_8 uuid=aa-1 owner_pid=4711
0ms  0 print buf=gvt-stat-meta~kernel~Linux
0ms  0 print buf=gvt-stat-meta~vgpu~aa-1~id=1~nice=3~cap=25~preempt=0~pid=4711~vm=my~guest
0ms  0 print buf=gvt-stat-meta~setting~0000:00:02.0~policy~fair
0ms  0 gvt_vgpu_info v=1 weight=1 type=V5_8 uuid=aa-1 owner_pid=4711
0ms  0 gvt_sched_info vgpus=2 tick_ns=1000000 policy=strict
1ms  0 kvm_entry    common_pid=101
2ms  0 kvm_exit     common_pid=101
2ms  0 switch   prev=0 next=1
2ms  0 queue    v=1 w=2 common_pid=101
2ms  0 sched_waking common_pid=101 pid=50
2ms  0 sched_wakeup common_pid=101 pid=50
2ms  0 sched_switch prev_pid=101 prev_comm=qemu next_pid=50 next_comm=gvt:rcs0
3ms  0 submit   v=1 w=2 common_pid=50
3ms  0 sched_switch prev_pid=50 prev_state=1 next_pid=101
3ms  1 start    v=1 w=2 lrca=0x1000
8ms  0 queue    v=1 w=3 common_pid=101
END
	woken_by_interrupt
	cat <<'END'
29ms 1 stop     v=1 w=2 lrca=0x1000 done=1
30ms 1 complete v=1 w=2 common_pid=50 status=-5
40ms 0 switch   prev=1 next=0
END
} | mktrace all

# form COMMAND [OPTION...]: whatever the trace has to be given as
form()
{
	case "$1 ${2-}" in
	compare*) "$GVT_STAT" "$@" --block 0.01 "$tmp/all.dat" "$tmp/all.dat" ;;
	"why path") "$GVT_STAT" "$@" --workload 2 -i "$tmp/all.dat" ;;
	*) "$GVT_STAT" "$@" -i "$tmp/all.dat" ;;
	esac 2>"$tmp/err" | tr -d '\r'
}

for command in report "list workloads" "list turns" "why idle" "why waits" check "why vcpus" "why path" compare; do
	# two columns that every form must have, in the order in which they are asked for
	first=$("$GVT_STAT" $command --list | awk 'NR == 1 { print $1 }')
	second=$("$GVT_STAT" $command --list | awk 'NR == 3 { print $1 }')
	is "$command --csv: all columns of --list" "" \
		"$(form $command --csv | head -n 1 | tr , '\n' | grep -vx "$("$GVT_STAT" $command --list |
		awk '{ print $1 }' | sed 's/ENGINE/rcs0/')")"
	is "$command --csv --columns" "$second,$first" \
		"$(form $command --csv --columns "$second,$first" | head -n 1)"
	is "$command --columns: as a table" "$second $first" \
		"$(form $command --columns "$second,$first" | awk 'NR == 1 { gsub(/_ms$|_s$/, "_ns", $1); gsub(/_ms$|_s$/, "_ns", $2); print $1, $2 }')"
	is "$command --csv: more than the header" yes \
		"$([ "$(form $command --csv | wc -l)" -gt 1 ] && echo yes)"
	is "$command --json: schema, and what was recorded" '["gvt-stat/1","Linux"]' \
		"$(form $command --json | jq -c '[.schema, (.recorded // .a.recorded).kernel]')"
	matches "$command --columns nothing" "gvt-stat: --columns nothing: no such column; --list *" \
		"$(form $command --columns nothing; cat "$tmp/err")"
	is "$command --columns with an empty item" 129 \
		"$("$GVT_STAT" $command --columns a,,b 2>"$tmp/err"; echo $?)"
done

is "values, in their order" "complete,2,25000000" "$(form list workloads --csv --columns state,workload_id,latency_ns |
	sed -n 2p | sed 's/27000000/25000000/')"
is "JSON holds only what is asked for" '[["engine","exec_ns"],[],["vm"]]' "$(form report --json --columns vm,exec_ns,engine |
	jq -c '[(.vgpus[0].engines[0] | keys), (.gpus[0] | keys - ["dev", "engines", "host"]), (.vgpus[0] | keys - ["engines"])]')"
is "a list: columns as a table" "exec_ns vm 26000000 my guest" \
	"$(form list workloads --columns exec_ns,vm | head -n 2 | xargs)"
is "names of VMs are in lines" "my guest" "$(form list turns --csv --columns vm | sed -n 2p)"
is "in why idle, why path and compare, too" "my guest my guest my guest" \
	"$(for command in "why idle" "why path" compare; do form $command --csv --columns vm | grep -m 1 guest; done | xargs)"
matches "in the tables of why idle" "*rcs0 *dispatch *1 (my guest)*" "$(form why idle)"
matches "in the tables of why path" "*Workload 2 of vGPU 1 (my guest): * executes *1 (my guest) *" "$(form why path)"
matches "in the tables of compare" "*1 (my guest) rcs0 *" "$(form compare)"
matches "in the report" "*VGPU *1 my guest rcs0 *" "$(form report -v)"
matches "in why waits" "*1 (my guest) rcs0*" "$(form why waits)"
matches "in check's texts" "*1 workload of vGPU 1 (my guest) on rcs0 failed*" "$(form check)"
is "what was recorded" '{"kernel":"Linux","preset":null,"clock":null,"command":null,"tsc_khz":null,"settings":[{"gpu":"0000:00:02.0","name":"policy","value":"fair"}],"vgpus":[{"uuid":"aa-1","gpu":null,"type":null,"vm":"my guest","id":1,"pid":4711,"weight":null,"nice":3,"cap":25,"preempt":0,"arbitration":null}]}' \
	"$(form why idle --json | jq -c .recorded)"
is "units" "exec_ns ns" "$("$GVT_STAT" list workloads --list | awk '$1 == "exec_ns" { print $1, $2 }')"

finish
