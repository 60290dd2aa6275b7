#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# export-series makes mails that git am takes; the same ones each time.
set -u
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
keep "$("$top/scripts/kernel-source")"

export=$top/scripts/export-series

check "exports, and git am takes the mails" "$export" -o "$tmp/one"
grep -q "^export-series: the mails have no Signed-off-by; .*--signoff" "$tmp/output"
result $? "says that they have no Signed-off-by"
check "exports again, at another date and as somebody else" \
	env GIT_AUTHOR_NAME=x GIT_COMMITTER_DATE='1 Jan 2001 00:00 +0000' TZ=Asia/Tokyo "$export" -o "$tmp/two"
diff -r "$tmp/one" "$tmp/two" >"$tmp/output" 2>&1
result $? "the mails are the same"
! grep -h '^From [0-9a-f]' "$tmp"/one/*.patch | grep -qv '^From 0\{40\} '
result $? "no commit ids"
grep -q "^Base: Linux 6\.12\.[0-9]*, as in Debian package linux-source-6\.12_" "$tmp"/one/0000-*.patch
result $? "the cover letter names the base"
! grep -hF -e '*** SUBJECT' -e '*** BLURB' -e "$top/" -e "$HOME/" -e "$tmp" "$tmp"/one/*.patch >"$tmp/output"
result $? "no placeholders, no paths of this machine"
patches=$(cat "$top"/patches/{linux,linux-6.12}/series | grep -cE '^[^#+=<[:space:]]')
[ "$(find "$tmp/one" -name '*.patch' | wc -l)" -eq $((patches + 1)) ]
result $? "a mail for each patch"

# diff_of MAIL: without its number and message
diff_of() {
	sed '1,/^---$/d' "$1"
}

# The mails of a part are those of the whole, with other numbers
same_mails() {
	local mail whole count=0
	for mail in "$tmp"/part/000[1-9]-*.patch; do
		whole=$(compgen -G "$tmp/one/????-${mail##*/????-}") || return
		diff <(diff_of "$whole") <(diff_of "$mail") || return
		count=$((count + 1))
	done
	[ $count -eq 3 ]
}

check "exports a part" "$export" --part trace -o "$tmp/part"
check "its mails are those of the whole" same_mails
grep -q '^Subject: \[PATCH 0/3\] drm/i915/gvt: Trace the life' "$tmp/part/0000-cover-letter.patch" &&
	grep -q '^Applies after the parts: fixes$' "$tmp/part/0000-cover-letter.patch"
result $? "its cover letter is its own, and names what is before it"
diff <("$export" --part list | sort) <(cd "$top/patches/linux/mail" && compgen -G 'part-*' | sed 's/^part-//' | sort) >"$tmp/output"
result $? "each part has a cover letter"
fails "a part that is not there" "no part 'none'; there are: fixes " "$export" --part none

# A patch that may be left out: of a new file, so that it comes after all others
mkdir "$tmp/repo"
cp -a "$top"/{scripts,patches,drivers,Documentation,selftests} "$tmp/repo/"
optional=$tmp/repo/patches/linux-6.12/optional
mkdir -p "$optional"
make_optional() {
	local file=drivers/gpu/drm/i915/gvt/switch_reason.h
	# The subject may stand on several lines
	perl -0pe 's/^---\n.*//ms; s/^Subject: .*\n( .*\n)*/Subject: [PATCH] Left out at will\n/m' \
		"$top"/patches/linux/0001-*.patch
	printf -- '---\n'
	sed '1a /* optional */' "$top/$file" | diff -u --label "a/$file" --label "b/$file" "$top/$file" -
}
make_optional >"$optional/0001-left-out.patch"
check "exports an optional patch, too, and signs off" "$tmp/repo/scripts/export-series" -o "$tmp/optional" \
	--signoff "Conan O'Brien <conan@example.org>"
grep -L "^Signed-off-by: Conan O'Brien <conan@example.org>\$" "$tmp"/optional/*.patch >"$tmp/output"
[ "$(cat "$tmp/output")" = "$tmp/optional/0000-cover-letter.patch" ] && ! grep -q '^Signed-off-by:' "$tmp"/one/*.patch
result $? "each mail has that Signed-off-by, and none without --signoff"
[ "$(find "$tmp/optional" -name '*.patch' | wc -l)" -eq $((patches + 2)) ] &&
	find "$tmp/optional" -name '*.patch' | sort | tail -n 1 | xargs grep -q '^Subject: .* Left out at will$'
result $? "it is the last mail"
sed -i 's/^ #ifndef/ #if/' "$optional/0001-left-out.patch"
fails "one that does not apply" "optional/0001-left-out.patch does not apply" "$tmp/repo/scripts/export-series" -o "$tmp/refused"

mkdir "$tmp/three"
touch "$tmp/three/letter.txt"
fails "a directory that holds something else" "letter.txt.*choose another" "$export" -o "$tmp/three"
fails "no mail address" "'Jane' is not a name and mail address" "$export" --signoff Jane
fails "a base without patches" "no patches for Linux 5\.10; there are: 6\.1 6\.12 " "$export" 5.10
fails "an unknown option" "unknown option '-x'" "$export" -x
check "--help" "$export" --help
finish
