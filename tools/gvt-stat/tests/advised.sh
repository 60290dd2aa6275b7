# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh disable=SC2154 # tmp is of lib.sh
#
# What 'gvt-stat advise' says of mixes that gvt-sim plays. Sourced after lib.sh and played.sh.

# shellcheck disable=SC2034 # of refused
command=advise

# brief NAME POLICY DISPATCH <model: a trace of it, of some seconds
brief()
{
	{ echo 'run duration_ns=6000000000'; cat; } | played "$@"
}

# advised NAME GOAL [OPTION...]: the JSON document into $tmp/out.json, the status into $status
advised()
{
	file=$1 goal=$2
	shift 2
	"$GVT_STAT" advise --json --windows 2 -i "$tmp/$file.dat" --goal "$goal" "$@" >"$tmp/out.json" 2>"$tmp/output"
	status=$?
}

# told EXPRESSION: of that document
told()
{
	jq -c "$1" "$tmp/out.json"
}
