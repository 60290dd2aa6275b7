#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Completion in bash, zsh and fish: every command, every option of each, and values.
#
# shellcheck disable=SC2031 # the completion, which is read in a subshell, has no tmp
# shellcheck source-path=SCRIPTDIR source=lib.sh source=../completion/gvt-stat.bash
. "$(dirname "$0")/lib.sh"

here=$(cd "$(dirname "$0")/../completion" && pwd)
mkdir "$tmp/bin"
touch "$tmp/my.profile"
for program in gvt-stat gvt-view gvt-plan; do
	ln -s "$(dirname "$(realpath "$GVT_STAT")")/$program" "$tmp/bin"
done
PATH=$tmp/bin:$PATH

# complete_in SHELL LINE: what is offered for the last word, one a line
complete_in()
{
	case $1 in
	bash) complete_bash "$2" ;;
	zsh) zsh -f "$tmp/zsh" "$2" ;;
	fish) HOME=$tmp fish --no-config -c "source $here/gvt-stat.fish; complete -C '$2'" 2>/dev/null | cut -f 1 ;;
	esac
}

complete_bash()
{
	(
		# shellcheck disable=SC2317 # called by the completion
		compopt() { :; }
		. "$here/gvt-stat.bash"
		line=${1//=/ = }
		read -ra COMP_WORDS <<<"$line"
		[ "${1% }" = "$1" ] || COMP_WORDS+=("")
		COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
		"$(complete -p "${COMP_WORDS[0]}" | sed 's/.* -F \([^ ]*\) .*/\1/')"
		printf '%s\n' "${COMPREPLY[@]}"
	)
}

# zsh's own functions, as far as they are used, print what they are given
cat >"$tmp/zsh" <<END
words=(\${=1})
[[ \$1 == *' ' ]] && words+=('')
CURRENT=\$#words
PREFIX=\$words[CURRENT]
compset()
{
	[[ \$PREFIX == \${~argv[-1]}* ]] || return 1
	PREFIX=\${PREFIX##\${~argv[-1]}}
}
compadd()
{
	local -a all
	while [[ \$1 == -* ]]; do
		case \$1 in
		-S) shift ;;
		-a) all=(\${(P)2}); break ;;
		--) shift; break ;;
		esac
		shift
	done
	(( \$#all )) || all=(\$@)
	print -l -- \${(M)all:#\$PREFIX*}
}
_describe() { print -l -- \${\${(P)2}%%:*} }
_files() { print FILES }
. $here/_gvt-stat
END

# offers SHELL NAME LINE WORD...: are all of them among what is offered?
offers()
{
	shell=$1 name=$2 line=$3
	shift 3
	complete_in "$shell" "$line" | sed 's/ *$//' | sort -u >"$tmp/offered"
	printf '%s\n' "$@" | sort -u >"$tmp/expected"
	is "$shell: $name" "" "$(comm -13 "$tmp/offered" "$tmp/expected")"
}

commands=$("$GVT_STAT" --help | sed -n '/^Commands:/,$s/^  \([a-z]\{1,\}\)  .*/\1/p')
is "there are commands" yes "$([ "$(echo "$commands" | wc -l)" -gt 10 ] && echo yes)"
for shell in bash zsh fish; do
	if ! command -v "$shell" >/dev/null; then
		skip "$shell" "$shell is not installed"
		continue
	fi
	# shellcheck disable=SC2086 # several words
	offers "$shell" "commands" "gvt-stat " $commands
	for command in $commands; do
		[ "$command" != help ] || continue
		# shellcheck disable=SC2046 # several words
		offers "$shell" "options of $command" "gvt-stat $command --" \
			$("$GVT_STAT" "$command" --help | grep -o -- ' --[a-z-]*' | sort -u)
	done
	offers "$shell" "details" "gvt-stat list " workloads turns
	offers "$shell" "details beside options" "gvt-stat why " waits idle path vcpus
	offers "$shell" "options of a detail" "gvt-stat list turns --" --idle
	offers "$shell" "columns of a detail" "gvt-stat list turns --columns " drain_ns
	offers "$shell" "help for commands" "gvt-stat help " report top
	offers "$shell" "columns" "gvt-stat report --columns " vgpu_id utilization_percent
	rule=starved=
	[ "$shell" != zsh ] || rule=starved
	offers "$shell" "rules" "gvt-stat check --threshold s" "$rule"
	offers "$shell" "engines" "gvt-stat report --engine " rcs0 vcs0
	offers "$shell" "policies" "gvt-stat policy " fair strict work-conserving
	offers "$shell" "presets" "gvt-stat record " full gpu simulate
	offers "$shell" "formats" "gvt-stat export --format " html perfetto ctf csv parquet
	offers "$shell" "models" "gvt-stat predict --model " simulation prophet
	profile=$tmp/my.profile
	[ "$shell" != zsh ] || profile=FILES
	offers "$shell" "profiles" "gvt-stat predict $tmp/my" "$profile"
	offers "$shell" "a profile" "gvt-stat calibrate $tmp/my" "$profile"
	offers "$shell" "a trace" "gvt-stat energy $tmp/my" "$profile"
	offers "$shell" "a second trace" "gvt-stat compare my $tmp/my" "$profile"
	offers "$shell" "a trace after a detail" "gvt-stat list turns $tmp/my" "$profile"
	offers "$shell" "coefficients" "gvt-stat simulate --energy $tmp/my" "$profile"
	offers "$shell" "goals" "gvt-stat advise --goal " fair throughput p99:
	offers "$shell" "conditions" "gvt-stat record --on " "p99:" "idle-waiting>" reset
	offers "$shell" "whose static energy is" "gvt-stat energy --static " busy none equal
	offers "$shell" "what to open" "gvt-stat record --open " html
	offers "$shell" "clocks" "gvt-stat record --clock " mono
	offers "$shell" "gvt-plan's commands" "gvt-plan " place predict
	is "$shell: none of gvt-stat's" "" "$(grep -x record "$tmp/offered")"
	offers "$shell" "gvt-view's formats" "gvt-view export --format " parquet
done
offers bash "a list's last item" "gvt-stat report --columns vgpu_id,exec_n" vgpu_id,exec_ns
offers bash "values of a setting" "gvt-stat policy dispatch=p" per-engine preemptive
if command -v fish >/dev/null; then
	offers fish "a list's last item" "gvt-stat report --columns vgpu_id,exec_n" vgpu_id,exec_ns
	offers fish "values of a setting" "gvt-stat policy dispatch=" dispatch=per-engine
fi
if command -v zsh >/dev/null; then
	offers zsh "a list's last item" "gvt-stat report --columns vgpu_id,exec_n" exec_ns
	offers zsh "values of a setting" "gvt-stat policy dispatch=" per-engine
fi

finish
