# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# bash completion for gvt-stat(1), gvt-view(1) and gvt-plan(1). Commands, options and values are what gvt-stat itself
# lists, so that nothing has to be kept in step here.

_gvt_stat_commands()
{
	"${COMP_WORDS[0]}" --help 2>/dev/null | sed -n '/^Commands:/,$s/^  \([a-z]\{1,\}\)  .*/\1/p'
}

# what a command has in detail, as the turns of list
_gvt_stat_details()
{
	gvt-stat "$1" --help 2>/dev/null | sed -n '/^In detail:/,$s/^  [a-z]* \([a-z]*\) .*/\1/p'
}

_gvt_stat_options()
{
	gvt-stat "$1" --help 2>/dev/null | sed -n 's/^  \(-.,\)\{0,1\} *\(--[a-z-]*\).*/\2/p'
}

_gvt_stat_columns()
{
	gvt-stat "$1" --list 2>/dev/null | sed 's/ .*//'
}

# _gvt_stat_list WORDS: complete the last item of a list with commas
_gvt_stat_list()
{
	local before=
	[[ $cur == *,* ]] && before=${cur%,*},
	compopt -o nospace 2>/dev/null
	mapfile -t COMPREPLY < <(compgen -P "$before" -W "$1" -- "${cur##*,}")
}

# _gvt_stat_setting NAME: its values, if they are few
_gvt_stat_setting()
{
	case $1 in
	policy) echo "strict work-conserving fair" ;;
	dispatch) echo "exclusive per-engine preemptive" ;;
	*) gvt-stat policy --list 2>/dev/null | awk -v name="$1" '$1 == name && / 0, 1 / { print "0 1" }' ;;
	esac
}

_gvt_stat()
{
	local cur=${COMP_WORDS[COMP_CWORD]}
	local prev=${COMP_WORDS[COMP_CWORD - 1]}
	local command=${COMP_WORDS[1]} words

	# --option=value and setting=value come as three words
	if [[ $prev == "=" ]]; then
		prev=${COMP_WORDS[COMP_CWORD - 2]}
	elif [[ $cur == "=" ]]; then
		cur=
	fi
	[[ $COMP_CWORD -gt 1 && $command != -* ]] || command=report
	if [[ $COMP_CWORD -gt 2 ]] && grep -qxe "${COMP_WORDS[2]}" <(_gvt_stat_details "$command"); then
		command+=" ${COMP_WORDS[2]}"
	fi
	case $prev in
	-i | --input | -o | --output | --with | --hosts | --beside | --coef | --save-coef)
		mapfile -t COMPREPLY < <(compgen -f -- "$cur")
		return
		;;
	--energy)
		[[ $command != simulate ]] || mapfile -t COMPREPLY < <(compgen -f -- "$cur")
		return
		;;
	--sysroot | --profiles | --powercap)
		mapfile -t COMPREPLY < <(compgen -d -- "$cur")
		return
		;;
	--engine)
		_gvt_stat_list "rcs0 bcs0 vcs0 vcs1 vecs0 ccs0"
		return
		;;
	--columns)
		_gvt_stat_list "$(_gvt_stat_columns "$command")"
		return
		;;
	-s | --sort)
		mapfile -t COMPREPLY < <(compgen -W "$(_gvt_stat_columns "$command")" -- "$cur")
		return
		;;
	--threshold)
		mapfile -t COMPREPLY < <(compgen -S = -W "$(gvt-stat check --rules 2>/dev/null | sed 's/ .*//')" -- "$cur")
		return
		;;
	--goal)
		compopt -o nospace 2>/dev/null
		mapfile -t COMPREPLY < <(compgen -W "fair throughput energy mean: p50: p95: p99: worst:" -- "$cur")
		return
		;;
	--model)
		mapfile -t COMPREPLY < <(compgen -W "simulation prophet" -- "$cur")
		return
		;;
	--static)
		mapfile -t COMPREPLY < <(compgen -W "busy none equal" -- "$cur")
		return
		;;
	--open)
		mapfile -t COMPREPLY < <(compgen -W "html" -- "$cur")
		return
		;;
	--on)
		compopt -o nospace 2>/dev/null
		mapfile -t COMPREPLY < <(compgen -W "p99: p99> idle-waiting> reset" -- "$cur")
		return
		;;
	-f | --format)
		mapfile -t COMPREPLY < <(compgen -W "html perfetto ctf csv parquet" -- "$cur")
		return
		;;
	-C | --clock)
		mapfile -t COMPREPLY < <(compgen -W "local global mono mono_raw boot x86-tsc" -- "$cur")
		return
		;;
	esac
	if [[ $command == policy && $COMP_CWORD -gt 2 && $prev != -* ]]; then
		words=$(_gvt_stat_setting "$prev")
		if [[ $words ]]; then
			mapfile -t COMPREPLY < <(compgen -W "$words" -- "$cur")
			return
		fi
	fi
	if [[ $COMP_CWORD -eq 1 && $cur != -* ]]; then
		words=$(_gvt_stat_commands)
	else
		words=$(_gvt_stat_options "$command")
		[[ $COMP_CWORD -ne 2 ]] || words+=" $(_gvt_stat_details "$command")"
		case $command in
		record) words+=" gvt gpu simulate full none" ;;
		help) words=$(_gvt_stat_commands) ;;
		policy)
			words+=" $(_gvt_stat_setting policy) $(gvt-stat policy --list 2>/dev/null | sed 's/ .*/=/')"
			compopt -o nospace 2>/dev/null
			;;
		esac
	fi
	mapfile -t COMPREPLY < <(compgen -W "$words" -- "$cur")
	[[ $COMP_CWORD -gt 1 && $cur != -* ]] || return 0
	case $command in
	report | check | why* | energy | compare | list* | export | simulate | advise | profile | calibrate | predict | learn)
		mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -f -- "$cur")
		;;
	esac
} &&
	complete -o filenames -F _gvt_stat gvt-stat gvt-view gvt-plan
