#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# A time is written alike in every option that takes one.
#
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"

# COMMAND OPTION VALUE: @ stands for the time, which needs a unit where the last word is "unit";
# place reads --qos as predict does, once it has read its files
cat >"$tmp/options" <<'END'
report --time @,
report --time ,+@
report --interval @
check --threshold blocked=@
check --vgpu 1:period=@
compare --block @
compare --fail-if wait>@ unit
compare --fail-if wait>+@ unit
status --interval @
top --interval @
record --duration @
record --after @
energy --interval @
simulate --vgpu 1:period=@
advise --vgpu 1:period=@
advise --goal p99:1=@
profile --vgpu 1:period=@
profile --pieces @
predict --qos @
predict --qos 1:@
END

# asked COMMAND OPTION VALUE: what comes of it, and the message; --help is read after it
asked()
{
	"$GVT_STAT" "$1" "$2" "$3" --help >"$tmp/out" 2>&1
	echo "$? $(grep -m 1 "^gvt-stat.*: $2" "$tmp/out")"
}

# with TIME: the value of the row
with()
{
	echo "${value%@*}$1${value#*@}"
}

while read -r command option value unit; do
	for time in 1.5 2s 1500ms 200000us 20000000ns 1m; do
		[ "$unit$time" = unit1.5 ] || is "$command $option $(with $time)" "0 " \
			"$(asked "$command" "$option" "$(with $time)")"
	done
	for time in 5h 1.5.5 ms 1ks; do
		matches "$command $option $(with $time) is refused, and the message has an example" \
			"129 gvt-stat*: $option *[0-9]ms*" "$(asked "$command" "$option" "$(with $time)")"
	done
done <"$tmp/options"
matches "a rule whose unit is no time takes none" "129 *--threshold unfair=1ms: '1ms' is no number from 0 on" \
	"$(asked check --threshold unfair=1ms)"
is "a threshold in another unit" "250 ms" \
	"$("$GVT_STAT" check --threshold blocked=0.25s --rules | awk '/^blocked/ { print $2, $3 }')"

for command in $("$GVT_STAT" --help | sed -n '/^Commands:/,$s/^  \([a-z]*\) .*/\1/p' | grep -vx help); do
	for option in $("$GVT_STAT" "$command" --help |
		sed -nE 's/.*--([a-z-]*)=(TIME|SECONDS|LENGTH|DURATION|FROM,TO)( .*|$)/\1/p'); do
		# all that read a trace share --time; --begin is a date; --keep takes 2 s and more
		case $option in time | begin | keep) continue ;; esac
		grep -q "^$command --$option " "$tmp/options"
		result $? "$command --$option is in the table above"
	done
done
is "record --keep takes the same" "0 0 129" \
	"$(for time in 2 2000ms 5h; do "$GVT_STAT" record --keep $time --help >"$tmp/out" 2>&1; printf '%s ' $?; done | sed 's/ $//')"
finish
