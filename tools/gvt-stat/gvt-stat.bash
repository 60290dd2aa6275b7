# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# bash completion for gvt-stat(1)

_gvt_stat()
{
	local cur=${COMP_WORDS[COMP_CWORD]}
	local prev=${COMP_WORDS[COMP_CWORD - 1]}
	local words="--input --time --vgpu --engine --tsc-khz --json --csv --columns --list --in-process --help --usage --version"

	# --option=value comes as three words
	if [[ $prev == "=" ]]; then
		prev=${COMP_WORDS[COMP_CWORD - 2]}
	elif [[ $cur == "=" ]]; then
		cur=
	fi
	case $prev in
	-i | --input | -o | --output)
		mapfile -t COMPREPLY < <(compgen -f -- "$cur")
		return
		;;
	--engine)
		mapfile -t COMPREPLY < <(compgen -W "rcs0 bcs0 vcs0 vcs1 vecs0 ccs0" -- "$cur")
		return
		;;
	--threshold)
		mapfile -t COMPREPLY < <(compgen -S = -W "throttled capped debt blocked unfair starved drain switching stranded held host preempted failed lost missing" -- "$cur")
		return
		;;
	--columns)
		mapfile -t COMPREPLY < <(compgen -W "$(gvt-stat "${COMP_WORDS[1]}" --list 2>/dev/null | cut -d ' ' -f 1)" -- "$cur")
		return
		;;
	--time | --vgpu | --tsc-khz)
		COMPREPLY=()
		return
		;;
	esac
	case ${COMP_WORDS[1]} in
	report | map | gaps | blame | vcpu) ;;
	timehist) words="$words --idle" ;;
	check) words="$words --threshold --rules" ;;
	workloads) words="$words --pieces" ;;
	critical) words="$words --workload --thread --segments" ;;
	compare) words="$words --block" ;;
	record) words="gvt gpu full none --output --event --clock --duration --buffer-kb --sysroot --help --usage --version" ;;
	top) words="--count --interval --trace --vgpu --engine --columns --list --json --csv --plain --sysroot --help --usage --version" ;;
	policy) words="--vgpu --json --sysroot --help --usage --version" ;;
	*) words="report workloads timehist map gaps blame check vcpu critical compare record policy top --help --usage --version" ;;
	esac
	mapfile -t COMPREPLY < <(compgen -W "$words" -- "$cur")
} &&
	complete -o filenames -F _gvt_stat gvt-stat
