#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The example for OpenStack Nova, in Nova's own scheduler code: place-agent with a client that is
# made up, then the hosts that Nova chooses. NOVA_PYTHONPATH is where Nova is, if it is not
# installed (python3-nova and what it needs, unpacked).
#
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"

here=$(cd "$(dirname "$0")" && pwd)
example=$here/../examples/nova
export PYTHONPATH=$example:${NOVA_PYTHONPATH-} PYTHONDONTWRITEBYTECODE=1

mkdir "$tmp/bin"
ln -s "$(realpath "$GVT_STAT")" "$tmp/bin/gvt-stat"
PATH=$tmp/bin:$PATH

# --- the agent ------------------------------------------------------------------------------
"$here/applications" "$tmp/profiles"
cat >"$tmp/bin/openstack" <<'END'
#!/bin/sh
[ "$*" = 'server list --all-projects --long -f json' ] || exit 1
cat <<JSON
[{"ID": "11", "Host": "compute1", "Flavor Name": "cad", "Status": "ACTIVE"},
 {"ID": "12", "Host": "compute2", "Flavor Name": "office", "Status": "ACTIVE"},
 {"ID": "13", "Host": null, "Flavor Name": "office", "Status": "BUILD"},
 {"ID": "14", "Host": "compute1", "Flavor Name": "no-gpu", "Status": "ACTIVE"}]
JSON
END
chmod +x "$tmp/bin/openstack"
cat >"$tmp/hosts" <<'END'
host compute1 aperture_mb=1024 policy=fair dispatch=preemptive
host compute2 aperture_mb=1024 policy=fair dispatch=preemptive
host compute3 aperture_mb=192 policy=fair dispatch=preemptive
flavor cad type=GVTg_V5_4 qos=1.2x
flavor mail
flavor office
END
ONCE=1 "$example/place-agent" "$tmp/hosts" "$tmp/profiles" 3x "$tmp/placement.json" 2>"$tmp/output"
result $? 'the agent tells what there is room for'
is 'the instances that there are' '["11","12"]' "$(jq -c '[.vms[].vm]' "$tmp/placement.json")"
is 'each flavor on each host' 9 "$(jq '.room | length' "$tmp/placement.json")"

# --- Nova ---------------------------------------------------------------------------------------
if ! /usr/bin/python3 -c 'import nova.scheduler.host_manager' 2>/dev/null; then
	skip "Nova's scheduler with the filter and the weigher" 'python3-nova is not installed; or name where it is unpacked in NOVA_PYTHONPATH'
	finish
fi

# chosen FLAVOR VGPU: the hosts that Nova passes, the best first
chosen()
{
	"$here/nova-hosts" "$tmp/placement.json" "$1" "$2" compute1 compute2 compute3 elsewhere 2>"$tmp/output"
}

# by what the agent wrote: possible, the most left first
expected()
{
	jq -r --arg flavor "$1" '[.room[] | select(.flavor == $flavor and .met)] | sort_by(-.left_percent) |
		map(.host) | join(" ")' "$tmp/placement.json"
}

for flavor in cad mail office; do
	is "hosts for $flavor, the best first" "$(expected "$flavor")" "$(chosen "$flavor" 1)"
done
is 'not beside one of its kind, nor where its type does not fit' compute2 "$(chosen cad 1)"
is 'without a vGPU, all hosts' 'compute1 compute2 compute3 elsewhere' "$(chosen mail 0 | xargs -n 1 | sort | xargs)"
is 'a flavor that nothing is known of: none' ' 0' "$(chosen luck 1) $?"
cp "$tmp/placement.json" "$tmp/good.json"
jq '.at -= 400' "$tmp/good.json" >"$tmp/placement.json"
is 'what is too old: none' ' 0' "$(chosen mail 1) $?"
jq '.at += 400' "$tmp/good.json" >"$tmp/placement.json"
is 'what is from the future: none' ' 0' "$(chosen mail 1) $?"
for text in '' '{' '[]' '{"at": "x", "room": []}' '{"at": 0, "room": 3}' '{"at": 0, "room": [1]}' '{"room": []}'; do
	echo "$text" >"$tmp/placement.json"
	is "'$text' is no document: none, and no exception" ' 0' "$(chosen mail 1) $?"
done
rm "$tmp/placement.json"
is 'no file: none' ' 0' "$(chosen mail 1) $?"

finish
