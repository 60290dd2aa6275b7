#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# check-series --quick finds what the series may not have: it is as it should be, and a
# copy with a fault of each kind fails for just these.
set -u
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
keep "$("$top/scripts/kernel-source")"

mkdir "$tmp/copy"
cp -r "$top"/{scripts,patches,drivers,Documentation,selftests,Kbuild} "$tmp/copy/"
quick=$tmp/copy/scripts/check-series
common=$tmp/copy/patches/linux
export O=$tmp/o

failed() {
	"$quick" --quick | sed -n 's/^not ok [0-9]* - //p'
}

# The same with the fixes tried backwards, not in an order by chance
failed_backwards() {
	PATH=$tmp/bin:$PATH failed
}

mkdir "$tmp/bin"
printf '#!/bin/sh\nexec tac\n' >"$tmp/bin/shuf"
chmod +x "$tmp/bin/shuf"

# patch NUMBER: prints its name without the suffix
patch() {
	sed -n "s/^\($1-.*\)\.patch$/\1/p" "$common/series"
}

failed >"$tmp/output" 2>&1
[ ! -s "$tmp/output" ]
result $? "nothing is wrong with the series"

# A fix without its tag; a patch that is no fix of the kernel alone; a header that comes two
# mails before what it declares, to where there is no room for it
sed -i '/^Fixes: /d' "$common/$(patch 0003).patch"
sed -i 's/^# fixes: 0001 0012/# fixes: 0001 0013/
	/\/sched_core\.h$/d; s:^+ .*/sched_mean\.h$:&\n+ drivers/gpu/drm/i915/gvt/sched_core.h:' "$common/series"
cat >"$tmp/expected" <<END
$(patch 0003): has Fixes:
$(patch 0013): has Fixes:
$(patch 0013): applies alone
$(patch 0016): at most 600 lines
$(patch 0016): declares nothing early
END
# the second order is the first one the other way round
for i in 1 3; do
	echo "the fixes apply in any order, with the same result ($i)"
done >>"$tmp/expected"
# Fixes have got numbers behind the others', so that mails have other numbers than patches
without_number() {
	sed 's/^[0-9]*-drm/drm/' | sort
}
failed_backwards | without_number >"$tmp/found"
without_number <"$tmp/expected" | diff - "$tmp/found" >"$tmp/output"
result $? "each fault is found, and nothing else"
finish
