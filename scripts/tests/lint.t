#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The project's files have no faults that lint knows, and lint finds one of each kind.
set -u
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"

# found CHECK PATTERN: lint finds it, and nothing else
found() {
	"$top/scripts/lint" --only "$1" "$tmp/planted" >"$tmp/output" 2>&1
	[ $? -eq 1 ] && grep -q "^$1: .*$2" "$tmp/output" && [ "$(grep -c . "$tmp/output")" -eq 1 ]
}

# Later ones know more faults: those are mended when Debian 12 has them.
declare -A version=([shell]="$(shellcheck --version | sed -n 's/^version: //p')" [spelling]="$(codespell --version)")
declare -A known=([shell]=0.9. [spelling]=2.2.)
for check in shell spelling manuals columns headers words; do
	if [[ ${version[$check]-} = ${known[$check]-}* ]]; then
		check "the project: $check" "$top/scripts/lint" --only $check
	else
		skip "the project: $check" "its program is of version ${version[$check]}, not ${known[$check]}x"
	fi
done

mkdir -p "$tmp/planted/tools/lib/trace"
cd "$tmp/planted" || exit 1
printf '#!/bin/sh\ncd "$1"\n' >script
check "a fault of a script" found shell "script:2:.*cd fails"
rm script
# in two parts here, or this file would be found as well
word=oc''urred
echo "It $word." >note.md
check "a misspelt word" found spelling "note.md:1: $word ==> occurred"
echo "A workload was taken ""off the engine." >note.md
check "a word of the past" found words "note.md:1:.*(preempted)"
rm note.md
printf '.Dd November 29, 2026\n.Dt X 1\n.Os\n.Sh NAME\n.Nm x\n.Nd try\n.Sh SEE ALSO\n.Xr z 1 ,\n.Xr a 1\n' >x.1
check "a fault of a man page" found manuals "x.1:9:.*unusual Xr order"
rm x.1
printf 'struct whole {\n\tuint64_t part;\n};\n' >tools/lib/trace/part.h
check "a header that needs another one" found headers "part.h:2.*uint64_t"
rm tools/lib/trace/part.h
mkdir -p drivers
printf 'int a;\n\t%093d;\nint b = "%0100d";\n' 1 1 >drivers/x.c
check "a long line of the driver, but not a long string" found columns "drivers/x.c:2: 102 columns"
rm -r drivers
check "no fault" "$top/scripts/lint" "$tmp/planted"
fails "a check that is none" "no check 'colour'; see --help" "$top/scripts/lint" --only colour
finish
