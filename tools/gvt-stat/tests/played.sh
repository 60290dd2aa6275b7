# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh disable=SC2154 # lib.sh sets tmp
# What tests of simulate and advise share: traces that gvt-sim made, for lib.sh's.

# played NAME POLICY DISPATCH <model: a trace of it
played()
{
	{ echo "set policy $2"; echo "set dispatch $3"; cat; } >"$tmp/model"
	"$GVT_SIM" "$tmp/model" >"$tmp/events" || bail "cannot simulate $1"
	{ echo "0 0 gvt_host_state running=0"; cat "$tmp/events"; } | mktrace "$1"
}

# near NAME EXPECTED GOT PERCENT
near()
{
	echo "expected $2, got $3" >"$tmp/output"
	awk -v a="$2" -v b="$3" -v p="$4" 'BEGIN { d = a > b ? a - b : b - a; exit !(a != "" && b != "" && d <= a * p / 100) }'
	result $? "$1"
}

# refused NAME STATUS PART OPTION...: by the command in $command, simulate if that is not set
refused()
{
	name=$1 status=$2 part=$3
	shift 3
	"$GVT_STAT" "${command:-simulate}" "$@" >"$tmp/out" 2>"$tmp/output"
	got=$?
	if [ "$got" = "$status" ] && grep -qF -- "$part" "$tmp/output"; then
		result 0 "refused: $name"
	else
		echo "status $got" >>"$tmp/output"
		result 1 "refused: $name"
	fi
}

# closed with a pause, closed back to back; two engines, two in flight; a clock
# shellcheck disable=SC2034 # for who includes this
mix='vgpu 1 weight=2
vgpu 2 weight=4
vgpu 3 weight=2
stream 1 rcs0 piece_ns=1000000
work exec_ns=18000000 at_ns=4700000 lag=1
stream 2 rcs0 piece_ns=1000000
work exec_ns=120000000 at_ns=30000 lag=1
work exec_ns=80000000 at_ns=30000 lag=1
stream 2 vcs0 piece_ns=1000000
work exec_ns=5000000 at_ns=30000 lag=2
stream 3 rcs0 open=1 depth=64 span_ns=100000000 piece_ns=1000000
work exec_ns=2000000 at_ns=0
work exec_ns=2000000 at_ns=16666667
work exec_ns=2000000 at_ns=33333333
work exec_ns=2000000 at_ns=50000000
work exec_ns=2000000 at_ns=66666667
work exec_ns=2000000 at_ns=83333333'
