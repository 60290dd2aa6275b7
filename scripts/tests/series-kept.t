#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Which results check-series keeps answer which questions. A copy is asked that only says it
# has run, and has a rig of one line.
set -u
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"

copy=$tmp/copy
mkdir -p "$copy/tools/rig/tests"
cp -r "$top"/{scripts,patches,drivers,Documentation,selftests,Kbuild} "$copy/"
printf '#!/bin/sh\ncat "%s/rig"\n' "$tmp" >"$copy/tools/rig/rig"
chmod +x "$copy/tools/rig/rig"
echo one >"$tmp/rig"
sed -i 's/^check_all |/printf "ran\\n1..0\\n" |/' "$copy/scripts/check-series"
# what is downloaded stays where it is
mkdir -p "$tmp/cache/gvt"
ln -s "${XDG_CACHE_HOME:-$HOME/.cache}"/gvt/* "$tmp/cache/gvt/"
rm -f "$tmp/cache/gvt/check-series"
export XDG_CACHE_HOME=$tmp/cache O=$tmp/o

# asked runs|knows OPTION...
asked() {
	local expected=$1 said
	shift
	said=$("$copy/scripts/check-series" "$@" 2>&1)
	echo "$said"
	case $said in
	ran*'nothing has changed'*) [ "$expected" = knows ] ;;
	ran*) [ "$expected" = runs ] ;;
	*) false ;;
	esac
}

check "a sample is made" asked runs --sample
check "and known" asked knows --sample
check "it is no answer for all states" asked runs
check "which is known then" asked knows
check "boots are not part of that" asked runs --boot
check "but known then" asked knows --boot
echo two >"$tmp/rig"
check "and made again on another rig" asked runs --boot
check "all states are known for that" asked knows
echo >>"$copy/Kbuild"
check "with another input, nothing is: boots" asked runs --boot
check "with boots, all states are known" asked knows
check "and the sample" asked knows --sample
check "--fresh runs" asked runs --fresh --sample
fails "two kinds of checks" "give one" "$copy/scripts/check-series" --sample --boot
finish
