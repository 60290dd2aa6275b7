#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# 'make install-tools' in a clean Debian: shells, man, trace-cmd and perf find what it
# brings. Needs root.
#
#   SUITE=trixie packaging/tests/install.t
set -u
# shellcheck source=scripts/tests/lib.sh
. "$(dirname "$0")/../../scripts/tests/lib.sh"
# shellcheck source=packaging/root.sh
. "$top/packaging/root.sh"
! why=$(no_root) || skip_all "$why"
in_namespace "$0" "$@"

version=$("$top/scripts/version")

# Copies the working tree, for the root's compiler
copy_tree() {
	mkdir "$root/gvt"
	git -C "$top" ls-files -z --cached --others --exclude-standard |
		tar -C "$top" -c --null -T - --ignore-failed-read --warning=no-failed-read | tar -x -C "$root/gvt"
}

# install_tools [PREFIX=DIR]: quickly compiled; how they are is the packages' affair
install_tools() {
	in_root env HOME=/root CFLAGS=-O0 make -s -C /gvt install-tools "$@"
}

# as an operator logs in: nothing is set that a desktop would set
login() {
	in_root env HOME=/root TERM=dumb "$@"
}

# What Tab makes of "gvt-stat repo"
complete_bash() {
	# shellcheck disable=SC2016 # of that bash
	login bash -c '. /usr/share/bash-completion/bash_completion
		_comp_load gvt-stat 2>/dev/null || __load_completion gvt-stat
		COMP_WORDS=(gvt-stat repo) COMP_CWORD=1 COMP_LINE="gvt-stat repo" COMP_POINT=13
		"$(complete -p gvt-stat | sed "s/.*-F \([^ ]*\).*/\1/")"
		echo "gvt-stat ${COMPREPLY[*]}"'
}

# zsh completes on a terminal only
complete_zsh() {
	cat >"$root/zsh.test" <<-'END'
		zmodload zsh/zpty
		zpty z env TERM=dumb PS1= zsh -f -i
		zpty -w z "autoload -Uz compinit; compinit -u -D; echo RE''ADY"
		zpty -r z line '*READY*'
		zpty -w -n z $'gvt-stat repo\t'
		zpty -r z line '*report*'
		print -r -- "$line"
		zpty -d z
	END
	login timeout 60 zsh -f /zsh.test
}

complete_fish() {
	login fish -c "complete -C 'gvt-stat repo'" | sed 's/^/gvt-stat /'
}

# completes SHELL
completes() {
	"complete_$1" >"$tmp/completed" 2>&1
	grep -a 'gvt-stat report' "$tmp/completed" || { cat "$tmp/completed"; return 1; }
}

all_complete() {
	local shell
	for shell in bash zsh fish; do
		check "$shell completes with $1" completes "$shell"
	done
}

man_finds() {
	login man -w "$1"
}

loads_plugin() {
	in_root trace-cmd list -P | grep -F plugin_gvt.so
}

# prints FILE: perf script, of an event that only the plugin can name the engine of
prints() {
	login sh -c "perf script -i - <$1" | grep 'engine=vcs1, status=-EIO'
}

check "a clean $suite" make_root "$tmp/root"
check "the tree" copy_tree
check "what the tools need" in_root sh -c 'cd /gvt && scripts/deps --install tools'
check "shells and users of the plugin" apt install zsh fish man-db trace-cmd linux-perf python3
# a minimal image has no pages, and no man that would show them
in_root sh -c 'rm -f /etc/dpkg/dpkg.cfg.d/*docker*'

check "make install-tools" install_tools
check "gvt-stat starts" in_root sh -c "gvt-stat --version | grep -Fx 'gvt-stat $version'"
check "man finds its page" man_finds gvt-stat
check "and those of its commands" man_finds gvt-stat-report
check "and the plugin's" man_finds plugin_gvt
check "trace-cmd finds the plugin" loads_plugin
"$top/tools/traceevent/tests/mkperf" "$top/tools/traceevent/formats/gvt/gvt_workload_complete.format" \
	<<<"00000000 01000000 2a00000000000000 0200 0100 fbffffff" >"$root/perf.data"
if [ "$suite" = bookworm ]; then
	# its perf has a libtraceevent of its own: see installation.md
	in_root sh -c 'mkdir -p /root/.local/lib/traceevent/plugins &&
		ln -s /usr/lib/*/traceevent/plugins/plugin_gvt.so /root/.local/lib/traceevent/plugins'
	check "trace-cmd takes it twice" loads_plugin
fi
check "perf finds the plugin" prints /perf.data
all_complete "what is below /usr/local"

rm -rf "$root"/usr/local/share/{bash-completion,zsh,fish} "$root"/etc/fish/completions/gvt-{stat,view,plan}.fish
check "make install-tools PREFIX=/usr" install_tools PREFIX=/usr
check "nothing of it is below /usr/local" in_root sh -c '! find /usr/local /etc -newer /usr/bin/gvt-stat -name "*gvt*" | grep .'
all_complete "what is below /usr"
finish
