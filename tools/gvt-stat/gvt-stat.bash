# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# bash completion for gvt-stat(1)

_gvt_stat()
{
	local cur prev words cword command
	_init_completion -s || return

	local commands="report workloads"
	local common="--input --time --vgpu --engine --tsc-khz --json --csv --in-process --help --usage --version"

	case $prev in
	-i | --input)
		_filedir dat
		return
		;;
	--engine)
		mapfile -t COMPREPLY < <(compgen -W "rcs0 bcs0 vcs0 vcs1 vecs0 ccs0" -- "$cur")
		return
		;;
	--time | --vgpu | --tsc-khz)
		return
		;;
	esac

	command=${words[1]}
	if ((cword == 1)); then
		mapfile -t COMPREPLY < <(compgen -W "$commands --help --usage --version" -- "$cur")
	elif [[ $command == workloads ]]; then
		mapfile -t COMPREPLY < <(compgen -W "$common --pieces" -- "$cur")
	elif [[ $command == report ]]; then
		mapfile -t COMPREPLY < <(compgen -W "$common" -- "$cur")
	fi
} &&
	complete -F _gvt_stat gvt-stat
