#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# gvt-stat place: that what it tells is possible and nearly the best, by 'gvt-stat predict' of
# all sets, what it says of VMs that fit nowhere, and files that are wrong.
#
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source-path=SCRIPTDIR source=played.sh
. "$(dirname "$0")/played.sh"
# shellcheck disable=SC2034 # of refused
command=place

here=$(dirname "$0")
"$here/applications" "$tmp/profiles"
all="cad mail office render video web"

# placed OPTION...: JSON of $tmp/fleet into $tmp/out.json, the status into $status
placed()
{
	status=0
	"$GVT_STAT" place --hosts "$tmp/fleet" --profiles "$tmp/profiles" --json "$@" >"$tmp/out.json" 2>"$tmp/output" || status=$?
}

told()
{
	values "$1" "$tmp/out.json"
}

valid()
{
	if /usr/bin/python3 -c 'import jsonschema' 2>/dev/null; then
		is "$1: JSON is as the schema says" '' "$(/usr/bin/python3 "$here/validate" \
			"$here/../schema/gvt-stat-1.schema.json" "$tmp/out.json" 2>&1)"
	else
		skip "$1: JSON is as the schema says" 'python3-jsonschema is not installed'
	fi
}

# predicted PROFILE...: does predict say that all of them keep to twice their latency?
predicted()
{
	(cd "$tmp/profiles" && "$GVT_STAT" predict --phases 2 --qos 2x "${@/%/.profile}" >/dev/null 2>&1)
}

# --- against an oracle: all placements of six VMs on two hosts, by the predictions of all sets ---
printf 'host alpha aperture_mb=512 vgpus=3\nhost beta aperture_mb=512 vgpus=2\n' >"$tmp/fleet"
placed --qos 2x --phases 2
is 'without VMs in the file, each profile is one' "$(echo "$all" | tr ' ' '\n' | sort | tr '\n' ' ')" \
	"$(told '[.vms[].vm] | join(" ")' | tr -d '"') "
valid 'six VMs'
read -ra names <<<"$all"
for ((set = 1; set < 64; set++)); do
	members=()
	for ((nr = 0; nr < 6; nr++)); do
		((set >> nr & 1)) && members+=("${names[nr]}")
	done
	possible=0
	if [ ${#members[@]} -le 3 ] && predicted "${members[@]}"; then possible=1; fi
	echo "$set $possible ${#members[@]}"
done >"$tmp/sets"
for name in $all; do
	awk '/^recorded/ { sub(/.*window_ns=/, ""); w = $1 } /^solo/ { sub(/.*exec_ns=/, ""); print 100 * $1 / w }' \
		"$tmp/profiles/$name.profile"
done >"$tmp/demands"
# each VM on the first host, on the second or on none
best=$(awk 'FILENAME ~ /demands/ { demand[n++] = $1; next }
	{ possible[$1] = $2; count[$1] = $3 }
	END {
		possible[0] = 1; count[0] = 0
		for (p = 0; p < 3 ^ 6; p++) {
			a = b = sum = 0
			for (vm = 0; vm < 6; vm++) {
				at = int(p / 3 ^ vm) % 3
				a += (at == 1) * 2 ^ vm; b += (at == 2) * 2 ^ vm; sum += (at > 0) * demand[vm]
			}
			if (possible[a] && possible[b] && count[a] <= 3 && count[b] <= 2 && sum > most) most = sum
		}
		print most
	}' "$tmp/demands" "$tmp/sets")
is 'not all sets are possible, and not none' yes "$(awk '{ n += $2 } END { print (n > 6 && n < 41) ? "yes" : n }' "$tmp/sets")"
echo "placed $(told .busy_percent), best $best" >"$tmp/output"
awk -v a="$(told .busy_percent)" -v b="$best" 'BEGIN { exit !(b > 0 && a >= 0.97 * b && a <= b * 1.000001) }'
result $? "utilisation within 3 % of the best of all placements"

# --- what is told holds -----------------------------------------------------------------------------
printf 'host alpha aperture_mb=512\nhost beta aperture_mb=256 policy=strict dispatch=exclusive\n' >"$tmp/fleet"
placed --qos 2x --phases 2 --room
is 'all are placed' '0 true 6 2' "$status $(told .met) $(told .placed) $(told .hosts_used)"
read -ra members <<<"$(told '.hosts[0].vms | join(" ")' | tr -d '"')"
check 'predict agrees with the first host' predicted "${members[@]}"
is 'the second has no memory for more than two' true "$(told '.hosts[1].vms | length <= 2')"
is 'a host knows how many more of a type fit' '[0,0]' \
	"$(told '[.hosts[1].more["GVTg_V5_8"] + (.hosts[1].vms | length) - 2, .hosts[1].more["GVTg_V5_4"]]')"
cp -r "$tmp/profiles" "$tmp/doubted"
sed -i '0,/^stream [a-z0-9]* /s//&doubts=host /' "$tmp/doubted/${members[0]}.profile"
"$GVT_STAT" place --json --hosts "$tmp/fleet" --profiles "$tmp/doubted" --qos 2x --phases 2 >"$tmp/doubted.json"
is 'what is doubtful of a profile is said' "[\"${members[0]}\",true]" \
	"$(jq -c '.doubts[0] | [.profile, (.what | contains("host"))]' "$tmp/doubted.json")"
is 'room: each host, each kind' 12 "$(told '.room | length')"
is 'room: what is possible is within its limit' true "$(told '[.room[] | select(.met) | .left_percent >= 0] | all')"
is 'room: on a full host nothing is' '[false]' "$(told '[.room[] | select(.host == "beta") | .met] | unique')"
# shellcheck disable=SC2016 # jq's variable
is 'each VM has a sentence that names its host' true "$(told '[.vms[] | .host as $h | .why | contains($h)] | all')"
valid 'room'
cp "$tmp/out.json" "$tmp/first.json"
placed --qos 2x --phases 2 --room
check 'the same twice is the same' cmp "$tmp/first.json" "$tmp/out.json"

# --- a limit that is kept only if pauses are as recorded, to the nanosecond --------------------------
# With pauses as in the profiles, web takes 7.973 of 8.060 ms. Played with pauses that are up to 5 % longer or
# shorter, it takes more in half of the plays: such a limit is not kept.
printf 'host beta aperture_mb=256 policy=strict dispatch=exclusive\nvm web host=beta\nvm cad host=beta\n' >"$tmp/fleet"
placed --qos 2x
is 'pauses may differ: who is beyond its limit then' '2 [false,true]' "$status $(told '[.vms[].met]')"
placed --qos 2.2x
is 'with a limit that leaves room for that, nobody is' '0 [true,true]' "$status $(told '[.vms[].met]')"

# --- limits -----------------------------------------------------------------------------------------
# lines LINE...: the file of hosts and VMs
lines()
{
	printf '%s\n' "$@" >"$tmp/fleet"
}

lines 'host alpha aperture_mb=256' 'vm a profile=mail type=i915-GVTg_V5_4' 'vm b profile=mail type=GVTg_V5_1'
placed --qos 2x --phases 1
is 'a VM that fits nowhere: status 2' '2 false ["alpha",null]' "$status $(told .met) $(told '[.vms[].host]')"
is 'and what lacks' '"no host can have it: alpha: too little left: memory in the aperture"' "$(told '.vms[1].why')"
{
	echo 'host alpha aperture_mb=4096 gtt_mb=65536'
	for nr in 1 2 3 4 5 6 7 8; do echo "vm v$nr profile=office"; done
} >"$tmp/fleet"
placed --qos 100x --phases 1
is 'seven vGPUs at most' '2 7 "no host can have it: alpha: too little left: fences"' \
	"$status $(told .placed) $(told '.vms[] | select(.host == null) | .why')"
sed -i 's/gtt_mb=65536/& fences=64/' "$tmp/fleet"
placed --qos 100x --phases 1
has 'also where there are more fences' 'too little left: vGPUs' "$(told '[.vms[].why]')"
lines 'host alpha aperture_mb=4096 gtt_mb=65536' 'type large low_mb=3968 high_mb=1 weight=16' 'vm a profile=mail type=large' 'vm b profile=mail'
placed --qos 2x --phases 1
is 'a type of ones own' '["alpha",null]' "$(told '[.vms[].host]')"
lines 'host alpha aperture_mb=1024' 'vm a profile=render' 'vm b profile=cad qos=1.05x'
placed --qos 2x --phases 1
is 'a limit of its own: not beside the other' '2 1' "$status $(told .placed)"
has 'which is why' 'ABOVE the limit of' "$(told '[.vms[].why]')"
lines 'host alpha aperture_mb=1024' 'vm a profile=render qos=1ms'
placed --phases 1
is 'a limit that it has not even alone' '2 0' "$status $(told .placed)"
lines 'host alpha aperture_mb=1024' 'host beta aperture_mb=1024' 'vm a profile=office host=beta' 'vm b profile=mail'
placed --qos 10x --phases 1
is 'who is on a host stays there, and others join' '0 ["beta","beta"]' "$status $(told '[.vms[].host]')"
has 'and that is said' 'stays on beta, beside b' "$(told '.vms[0].why')"
lines 'host alpha aperture_mb=1024' 'host beta aperture_mb=1024' 'vm a profile=render host=beta qos=1.01x' 'vm b profile=cad host=beta qos=1.01x'
placed --phases 1
is 'who is beyond a limit stays, and it is said' '2 false ["beta","beta"] [false]' \
	"$status $(told .met) $(told '[.vms[].host]') $(told '[.vms[].met] | unique')"
lines 'host alpha aperture_mb=128' 'vm a profile=office host=alpha'
placed --qos 10x --phases 1
is 'more than fits is there already' '2 false' "$status $(told .met)"
has 'what the host has too little of' 'the host has too little for them: memory in the aperture' "$(told '.vms[0].why')"
lines 'host alpha aperture_mb=1024 vgpus=1' 'host beta aperture_mb=1024 vgpus=0' 'vm a profile=web' 'vm b profile=cad' 'vm c profile=mail'
placed --qos 10x --phases 1
is 'where only one has a place, it is the one with most demand' '[null,"alpha",null]' "$(told '[.vms[].host]')"

# what may come is not placed, but told of
lines 'host alpha aperture_mb=1024' 'host beta aperture_mb=256' 'vm a profile=cad host=alpha' \
	'flavor small profile=mail' 'flavor large profile=mail type=GVTg_V5_2' 'flavor picky profile=web qos=1.001x'
placed --qos 3x --phases 2 --room
is 'flavors are not placed' '0 1' "$status $(told .placed)"
is 'which host could have which flavor' '["small alpha true","small beta true","large alpha true","large beta false","picky alpha false","picky beta true"]' \
	"$(told '[.room[] | "\(.flavor) \(.host) \(.met)"]')"
has 'and what is in the way' 'too little left: memory in the aperture' "$(told '[.room[].why]')"
valid 'flavors'
lines 'host alpha aperture_mb=1024' 'flavor small profile=mail'
placed --qos 3x --phases 2 --room
is 'flavors and no VM' '0 0 [true]' "$status $(told .placed) $(told '[.room[].met]')"

# --- output --------------------------------------------------------------------------------------------
lines 'host alpha aperture_mb=1024 vgpus=1' 'host beta aperture_mb=1024 vgpus=0' 'vm a profile=web' 'vm b profile=cad' 'vm c profile=mail'
"$GVT_STAT" place --hosts "$tmp/fleet" --profiles "$tmp/profiles" --qos 10x --phases 1 --room >"$tmp/text" 2>"$tmp/output"
has 'text: how many, and how much of the demand' '1 of 3 VMs placed, with 71.9 % of the demand, on 1 of 2 hosts' "$(cat "$tmp/text")"
has 'text: why' 'b: goes to alpha, alone: mean latency up to' "$(cat "$tmp/text")"
has 'text: room' 'One more on a host' "$(cat "$tmp/text")"
is 'CSV: a line for each' 3 "$("$GVT_STAT" place --hosts "$tmp/fleet" --profiles "$tmp/profiles" --qos 10x --phases 1 --csv 2>/dev/null | sed 1d | wc -l)"
is 'columns' 'vm,host' "$("$GVT_STAT" place --hosts "$tmp/fleet" --profiles "$tmp/profiles" --qos 10x --phases 1 --csv \
	--columns vm,host 2>/dev/null | tr -d '\r' | head -n 1)"

# --- a thousand ------------------------------------------------------------------------------------------
{
	for ((nr = 0; nr < 150; nr++)); do echo "host h$nr aperture_mb=512"; done
	for ((nr = 0; nr < 1000; nr++)); do echo "vm v$nr profile=${names[nr % 6]}"; done
} >"$tmp/fleet"
placed --qos 2x --phases 1 --tries 300
is 'a thousand VMs: those that have a host are within their limits' '2 true' \
	"$status $(told '[.vms[] | select(.host) | .met] | all')"
is 'most hosts are used, by six at most' 'true true' \
	"$(told '.hosts_used > 100') $(told '[.hosts[].vms | length <= 6] | all')"

# --- what is wrong ----------------------------------------------------------------------------------------
lines 'host alpha aperture_mb=512'
rest=(--profiles "$tmp/profiles" --qos 2x --phases 1)
refused 'no hosts' 129 '--hosts FILE' "${rest[@]}"
refused 'no profiles' 129 '--profiles DIR' --hosts "$tmp/fleet"
refused 'a file that is not there' 1 'nowhere: cannot be opened' --hosts "$tmp/nowhere" "${rest[@]}"
refused 'a directory' 1 'cannot be read' --hosts "$tmp" "${rest[@]}"
refused 'an endless file' 1 'a zero byte' --hosts /dev/zero "${rest[@]}"
refused 'a limit that is none' 129 '--qos fast' --hosts "$tmp/fleet" --profiles "$tmp/profiles" --qos fast
refused 'a limit of one' 129 'without an id' --hosts "$tmp/fleet" --profiles "$tmp/profiles" --qos 1:2x
refused 'no limit' 1 'no limit is given' --hosts "$tmp/fleet" --profiles "$tmp/profiles"
refused 'no phases' 129 'from 1 to 1000' --hosts "$tmp/fleet" "${rest[@]}" --phases 0
refused 'no tries' 129 'from 1 to' --hosts "$tmp/fleet" "${rest[@]}" --tries 0
mkdir "$tmp/empty"
refused 'an empty directory of profiles' 1 'there is no VM' --hosts "$tmp/fleet" --profiles "$tmp/empty" --qos 2x
refused 'a directory that is not there' 1 'cannot be opened as a directory' --hosts "$tmp/fleet" --profiles "$tmp/nowhere" --qos 2x

# wrong NAME PART LINE...: status 1 and a line that names file, line, field and remedy
wrong()
{
	name=$1 part=$2
	shift 2
	lines "$@"
	refused "$name" 1 "$tmp/fleet:$part" --hosts "$tmp/fleet" "${rest[@]}"
	is "$name: one line" 1 "$(wc -l <"$tmp/output")"
}

wrong 'no host' ' there is no host; give a line such as: host alpha' '# nobody' 'vm a profile=web'
wrong 'a line of nothing' '2: hots: a line begins with host, type, vm or flavor' '' 'hots alpha'
wrong 'a host without a name' '1: host: give its name' 'host aperture_mb=512'
wrong 'a host twice' '2: alpha: an earlier line has this name' 'host alpha aperture_mb=512' 'host alpha aperture_mb=512'
wrong 'no aperture' '1: aperture_mb: it is missing' 'host alpha'
wrong 'an aperture that the host needs itself' '1: aperture_mb: give a whole number from 128' 'host alpha aperture_mb=64'
wrong 'no number' '1: aperture_mb: give a whole number' 'host alpha aperture_mb=lots'
wrong 'less than nothing' '1: aperture_mb: give a whole number' 'host alpha aperture_mb=-1'
wrong 'a number that is too large' '1: gtt_mb: give a whole number' 'host alpha aperture_mb=512 gtt_mb=99999999999999999999'
wrong 'a GTT that is smaller than its aperture' '1: gtt_mb: it must be at least 384 more' 'host alpha aperture_mb=4096'
wrong 'a word twice' '1: aperture_mb: it is given twice' 'host alpha aperture_mb=512 aperture_mb=512'
wrong 'no value' '1: aperture_mb: it has no value' 'host alpha aperture_mb='
wrong 'a word that is none' '1: colour=red: there is no such word' 'host alpha aperture_mb=512 colour=red'
wrong 'a policy that is none' '1: policy: give one of strict, work-conserving, fair' 'host alpha aperture_mb=512 policy=lottery'
wrong 'a dispatch that is none' '1: dispatch: give one of exclusive' 'host alpha aperture_mb=512 dispatch=x'
wrong 'a setting out of its range' '1: period_ms: give one of 10..1000' 'host alpha aperture_mb=512 period_ms=5'
wrong 'a setting that is no number' '1: period_ms: give one of 10..1000' 'host alpha aperture_mb=512 period_ms=1e2'
wrong 'eight vGPUs' '1: vgpus: give a whole number from 0 to 7' 'host alpha aperture_mb=512 vgpus=8'
host='host alpha aperture_mb=512'
wrong 'a type of the driver' '2: GVTg_V5_8: the driver has a type of this name' "$host" 'type GVTg_V5_8 low_mb=64 high_mb=384 weight=2'
wrong 'a type without memory' '2: low_mb: it is missing' "$host" 'type small high_mb=384 weight=2'
wrong 'a type of nothing' '2: low_mb: give a whole number from 1' "$host" 'type small low_mb=0 high_mb=384 weight=2'
wrong 'a type that is not there' '2: type: there is no such type' "$host" 'vm a profile=web type=GVTg_V9_8'
wrong 'a host that is not there' '2: host: no earlier line has a host of this name' "$host" 'vm a profile=web host=gamma'
wrong 'a VM twice' '3: a: an earlier line has this name' "$host" 'vm a profile=web' 'vm a profile=web'
wrong 'a profile that is not there' '2: profile: ' "$host" 'vm a profile=luck'
wrong 'a profile elsewhere' '2: profile: give the name of one in the directory' "$host" 'vm a profile=../../etc/passwd'
wrong 'a limit that is none' '2: qos: ' "$host" 'vm a profile=web qos=fast'
wrong 'a limit of another' '2: qos: give a limit without an id' "$host" 'vm a profile=web qos=2:2x'
wrong 'no text' '1: this is no UTF-8' "$(printf 'host \377 aperture_mb=512')"
wrong 'a line without an end' '1: the line is longer than' "host $(head -c 20000 /dev/zero | tr '\0' a)"
echo luck >"$tmp/profiles/luck.profile"
lines "$host" 'vm a profile=luck'
refused 'a profile that is none' 1 'luck.profile:1:' --hosts "$tmp/fleet" "${rest[@]}"
lines "$host" 'vm a profile=web'
printf '#!/bin/sh\nkill -SEGV $$\n' >"$tmp/crash"
chmod +x "$tmp/crash"
kept=$GVT_SIM
GVT_SIM=$tmp/crash refused 'a gvt-sim that crashes' 1 'gvt-sim crashed' --hosts "$tmp/fleet" "${rest[@]}"
GVT_SIM=/nowhere refused 'a gvt-sim that is not there' 1 'gvt-sim' --hosts "$tmp/fleet" "${rest[@]}"
GVT_SIM=$kept

# --- the bound ----------------------------------------------------------------------------
# two workloads ended in the recording, and most of a third, which the limit lets take longer, too
mkdir "$tmp/long"
cat >"$tmp/long/long.profile" <<-END
	gvt-stat-profile 2
	recorded window_ns=1000000000 lost=0
	set policy fair
	set dispatch preemptive
	vgpu weight=2 nice=0 cap=0
	stream rcs0 open=0 depth=1 contexts=1 piece_ns=1000000
	solo completed=2 exec_ns=960000000 mean_ns=330000000 p95_ns=330000000
	work exec_ns=330000000 at_ns=20000000 lag=1
END
lines 'host a aperture_mb=512 policy=work-conserving dispatch=per-engine' 'host b aperture_mb=512 policy=fair dispatch=per-engine' \
	'host c aperture_mb=512 policy=work-conserving dispatch=preemptive' 'host d aperture_mb=512 policy=work-conserving dispatch=preemptive' \
	'vm 1 profile=long' 'vm 2 profile=long' 'vm 3 profile=long' 'vm 4 profile=long'
"$GVT_STAT" place --hosts "$tmp/fleet" --profiles "$tmp/long" --qos 2x --json >"$tmp/out.json"
is 'the bound is no more than what is used' 'true' "$(jq '.placed == 4 and .hosts_bound <= .hosts_used' "$tmp/out.json")"

finish
