# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
# shellcheck disable=SC1090	# one of two files
# shellcheck disable=SC2034	# the tests use variables that are set here
# shellcheck disable=SC3043	# local: dash, busybox and bash have it
#
# Common part of the GVT-g tests: prerequisites, vGPUs, load and traces.
#
# Environment:
#   AWK		awk to use for long traces (default: awk)
#   GVT_LOAD	program that puts load on vGPUs (default: vgpu_load beside the tests)
#   GVT_KVMGT	kvmgt.ko, if "modprobe kvmgt" would not find it
#   TRACEFS	where tracefs is mounted, if not in the usual place

DIR=$(dirname "$(readlink -f "$0")")
KTAP_HELPERS=$DIR/../../../kselftest/ktap_helpers.sh
[ -e "$KTAP_HELPERS" ] || KTAP_HELPERS=$DIR/standalone/ktap_helpers.sh
. "$KTAP_HELPERS"

GVT_LOAD=${GVT_LOAD:-$DIR/vgpu_load}
GVT_KVMGT=${GVT_KVMGT:-}
MDEV_TYPES='/sys/class/mdev_bus/*/mdev_supported_types/i915-GVTg_*'
SCHED_DIRS='/sys/class/mdev_bus/*/gvt_sched'
# per CPU; a test records some ten thousand events of less than 100 bytes
TRACE_KB=8192
WORKLOAD_EVENTS="queue submit start stop complete cancel"

VGPUS=
VGPU_IDS=
LOAD_PID=
CHANGER_PID=
INSTANCES=
TMP=
SCHED=

if [ -z "${TRACEFS:-}" ]; then
	TRACEFS=/sys/kernel/tracing
	[ -d $TRACEFS/events ] || TRACEFS=/sys/kernel/debug/tracing
fi

# --- prerequisites -------------------------------------------------------

skip_all() {
	ktap_skip_all "$*"
	exit "$KSFT_SKIP"
}

need_root() {
	[ "$(id -u)" -eq 0 ] || skip_all "must be run as root"
}

need_events() {
	[ -d "$TRACEFS/events" ] ||
		skip_all "no tracefs at $TRACEFS (mount -t tracefs nodev $TRACEFS)"
	[ -d "$TRACEFS/events/gvt" ] ||
		skip_all "no gvt events: kvmgt is not loaded (modprobe kvmgt)"
	[ -d "$TRACEFS/events/gvt/gvt_workload_queue" ] ||
		skip_all "kvmgt is loaded, but without gvt_workload_* events"
}

need_device() {
	local dev
	# shellcheck disable=SC2086	# a pattern
	ls -d $MDEV_TYPES >/dev/null 2>&1 ||
		skip_all "no GVT-g device: no supported Intel GPU, or i915.enable_gvt is not set"
	for dev in /dev/kvm /dev/vfio/vfio; do
		[ -c $dev ] || skip_all "no $dev"
	done
}

need_load() {
	[ -x "$GVT_LOAD" ] || skip_all "no load program $GVT_LOAD (make, or set GVT_LOAD)"
}

need_sched() {
	local dir
	for dir in $SCHED_DIRS; do
		SCHED=$dir
	done
	[ -d "$SCHED" ] ||
		skip_all "no gvt_sched/ in the GPU's sysfs directory: this kvmgt has no settings"
	settings_save
}

need_module() {
	is_loaded || skip_all "kvmgt is built into the kernel"
	[ "$(awk '$1 == "kvmgt" { print $3 }' /proc/modules)" -eq 0 ] ||
		skip_all "kvmgt is in use, vGPUs are open"
	# shellcheck disable=SC2086	# a pattern
	[ -z "$(cat $MDEV_TYPES/devices/*/uevent 2>/dev/null)" ] ||
		skip_all "there are vGPUs, which unloading kvmgt would remove"
	[ -n "$GVT_KVMGT" ] || modprobe -n kvmgt 2>/dev/null ||
		skip_all "modprobe could not load kvmgt again (set GVT_KVMGT)"
}

# gvt_begin NEED... - print the header; skip everything unless all needs are met
gvt_begin() {
	local need
	ktap_print_header
	need_root
	TMP=$(mktemp -d)
	trap gvt_cleanup EXIT
	for need in "$@"; do
		need_"$need"
	done
	trap 'exit 1' INT TERM
	COMPLAINTS=$(kernel_complaints)
}

gvt_cleanup() {
	local uuid
	# shellcheck disable=SC2086	# either may be empty
	[ -z "$LOAD_PID$CHANGER_PID" ] || kill -KILL $LOAD_PID $CHANGER_PID 2>/dev/null
	trace_close
	for uuid in $VGPUS; do
		vgpu_remove "$uuid"
	done
	settings_restore
	rm -rf "$TMP"
}

# --- results -------------------------------------------------------------

# check NAME COMMAND... - a test that passes if the command succeeds; shows its output
check() {
	local name="$1"
	shift
	if "$@" >"$TMP/check" 2>&1; then
		show "$TMP/check"
		ktap_test_pass "$name"
	else
		show "$TMP/check"
		ktap_test_fail "$name"
	fi
}

show() {
	sed 's/^/# /' "$1"
}

# also matches KASAN, lockdep, debug objects and the like
COMPLAINT='WARNING: |(^|[^A-Z_])BUG[: ]|Oops|INFO: (task|rcu|possible)|general protection'

# Number of warnings and worse in the kernel log.
kernel_complaints() {
	dmesg 2>/dev/null | grep -c -E "$COMPLAINT"
}

no_new_complaints() {
	local now
	now=$(kernel_complaints)
	[ "$now" -eq "$COMPLAINTS" ] && return
	dmesg | grep -E -A 12 "$COMPLAINT" | tail -n 60
	return 1
}

# --- the module ------------------------------------------------------------

uptime_ms() {
	local up rest
	read -r up rest </proc/uptime
	up=${up%.*}${up#*.}0
	echo "${up#0}"
}

is_loaded() {
	grep -q '^kvmgt ' /proc/modules
}

load_module() {
	if [ -n "$GVT_KVMGT" ]; then
		insmod "$GVT_KVMGT"
	else
		modprobe kvmgt
	fi
}

device_is_there() {
	# shellcheck disable=SC2086	# a pattern
	ls -d $MDEV_TYPES >/dev/null 2>&1
}

# --- vGPUs ---------------------------------------------------------------

# The type of which most vGPUs can be created, as "COUNT PATH".
best_type() {
	local type
	for type in $MDEV_TYPES; do
		echo "$(cat "$type/available_instances") $type"
	done | sort -rn | head -n 1
}

# vgpus_create N - create N vGPUs of the smallest type; sets VGPUS, VGPU_IDS
vgpus_create() {
	local best type uuid i=0
	best=$(best_type)
	type=${best#* }
	[ "${best%% *}" -ge "$1" ] ||
		skip_all "$1 vGPUs are needed, only ${best%% *} of ${type##*/} can be created"
	while [ $i -lt "$1" ]; do
		uuid=$(cat /proc/sys/kernel/random/uuid)
		echo "$uuid" >"$type/create" || skip_all "cannot create a vGPU of ${type##*/}"
		VGPUS="$VGPUS $uuid"
		VGPU_IDS="$VGPU_IDS $(vgpu_id "$uuid")"
		i=$((i + 1))
	done
	VGPU_TYPE=$(cat "$type/name")
}

vgpu_id() {
	cat "$(vgpu_dir "$1")/vgpu_id"
}

vgpu_dir() {
	echo "/sys/bus/mdev/devices/$1/intel_vgpu"
}

vgpu_remove() {
	[ ! -e "/sys/bus/mdev/devices/$1" ] || echo 1 >"/sys/bus/mdev/devices/$1/remove"
}

# --- settings ------------------------------------------------------------

# settings_of FILE... - "FILE VALUE" for each; of several words, the word in brackets
settings_of() {
	local file
	for file in "$@"; do
		echo "$file $(sed 's/.*\[\(.*\)\].*/\1/' "$file")"
	done
}

settings_save() {
	settings_of "$SCHED"/* >"$TMP/settings"
}

settings_restore() {
	local file value
	# kvmgt may have been unloaded
	[ -e "$TMP/settings" ] && [ -d "$SCHED" ] || return
	while read -r file value; do
		echo "$value" >"$file"
	done <"$TMP/settings"
}

# The values for settings_change, by name, of settings that do not offer words.
SETTING_VALUES='
carry_over 0 1
leftover_max_ms 0 1000 50
period_ms 10 1000 100
boost_ms 0 10000 20
max_wait_ms 100 1900 300
anticipation_ms 0 100 20
host_first 0 1
nice -20 0 19 3
cap 0 100 40 0
preempt 1 0
arbitration 1 0
'

# setting_values FILE - the values to try
setting_values() {
	if grep -q '\[' "$1"; then
		tr -d '[]' <"$1"
	else
		echo "$SETTING_VALUES" | sed -n "s/^${1##*/} //p"
	fi
}

# settings_in DIRECTORY - "NAME VALUE..." for each setting
settings_in() {
	local file values
	find "$1" -maxdepth 1 -type f -perm -200 | while read -r file; do
		values=$(setting_values "$file")
		[ -n "$values" ] || echo "gvt_lib.sh has no values for $file" >&2
		echo "${file##*/} $values"
	done
}

# settings_list UUID... - the settings of the GPU, and of those vGPUs that exist, are to be
# changed
settings_list() {
	settings_in "$SCHED" >"$TMP/gpu_settings"
	settings_vgpus "$@"
}

# settings_vgpus UUID... - from now on, change the settings of these vGPUs
settings_vgpus() {
	local uuid
	for uuid in "$@"; do
		[ -d "$(vgpu_dir "$uuid")" ] || continue
		[ -s "$TMP/vgpu_settings" ] || settings_in "$(vgpu_dir "$uuid")" >"$TMP/vgpu_settings"
		echo "$uuid"
	done >"$TMP/vgpus.new"
	# atomically, for the process that changes settings
	mv "$TMP/vgpus.new" "$TMP/vgpus"
}

# pick NUMBER VALUE... - set PICKED to one of the values, in turn as NUMBER grows
pick() {
	shift $(($1 % ($# - 1) + 1))
	PICKED=$1
}

# The vGPU may be gone by now.
settings_change_vgpu() {
	local name values
	while read -r name values; do
		# shellcheck disable=SC2086	# a list
		pick "$1" $values
		echo "$PICKED" 2>/dev/null >"/sys/bus/mdev/devices/$2/intel_vgpu/$name"
	done <"$TMP/vgpu_settings"
	return 0
}

# settings_change ROUND - change each setting of the GPU, and after each all of a vGPU
settings_change() {
	local name values vgpus place
	vgpus=$(cat "$TMP/vgpus")
	place=$1
	while read -r name values; do
		# shellcheck disable=SC2086	# a list
		pick "$1" $values
		echo "$PICKED" >"$SCHED/$name" || return
		# shellcheck disable=SC2086	# UUIDs
		pick $place $vgpus
		settings_change_vgpu "$1" "$PICKED"
		place=$((place + 1))
	done <"$TMP/gpu_settings"
}

# settings_change_start - change settings in a loop; counts rounds in $TMP/rounds
settings_change_start() {
	settings_change_on &
	CHANGER_PID=$!
}

settings_change_on() {
	local round=0
	while :; do
		settings_change $round || exit 1
		round=$((round + 1))
		echo $round >"$TMP/rounds"
		sleep 0.01
	done
}

# Stop the loop, print how often settings changed; fail if it had ended before.
settings_change_stop() {
	local rounds each
	kill "$CHANGER_PID" || return
	wait "$CHANGER_PID" 2>/dev/null
	CHANGER_PID=
	rounds=$(cat "$TMP/rounds")
	each=$(($(wc -l <"$TMP/gpu_settings") * (1 + $(wc -l <"$TMP/vgpu_settings"))))
	echo "$((rounds * each)) settings changed in $rounds rounds"
	[ "$rounds" -gt 2 ]
}

# --- load ----------------------------------------------------------------

# wait_for SECONDS COMMAND... - poll until the command succeeds
wait_for() {
	local tries=$(($1 * 10))
	shift
	while ! "$@" >/dev/null 2>&1; do
		tries=$((tries - 1))
		[ $tries -gt 0 ] || return 1
		sleep 0.1
	done
}

load_is_up() {
	grep -q READY "$TMP/load" || ! kill -0 "$LOAD_PID"
}

# load_start ARGUMENT... - start the load program and wait until its vGPUs are open
load_start() {
	"$GVT_LOAD" "$@" >"$TMP/load" 2>&1 &
	LOAD_PID=$!
	wait_for 60 load_is_up
}

# load_wait - wait for the load to end, show its output, return its exit code
load_wait() {
	local code=0
	wait "$LOAD_PID" || code=$?
	LOAD_PID=
	cat "$TMP/load"
	return $code
}

load_stop() {
	kill -TERM "$LOAD_PID"
	load_wait
}

load_kill() {
	kill -KILL "$LOAD_PID"
	# suppress the shell's message about the killed job
	wait "$LOAD_PID" 2>/dev/null
	LOAD_PID=
}

# load_remove SECONDS ARGUMENT... - put load on the newest vGPU, then remove the vGPU while
# killing the load. Prints a message if the vGPU still exists.
load_remove() {
	local seconds uuid removal
	seconds=$1
	shift
	uuid=${VGPUS##* }
	load_start "$@" "$uuid"
	sleep "$seconds"
	# waits until no process has the vGPU open
	vgpu_remove "$uuid" &
	removal=$!
	load_kill
	wait $removal
	[ ! -e "/sys/bus/mdev/devices/$uuid" ] || echo "vGPU $uuid is still there"
}

# victim_start UUID - put load on a vGPU while the test abuses others; waits for the load
victim_start() {
	"$GVT_LOAD" -e rcs0 -x 1000 -d 2 -t 120 "$1" >"$TMP/victim" 2>&1 &
	VICTIM=$!
	wait_for 60 grep -q READY "$TMP/victim"
}

# victim_goes_on - stop that load; fails if any of its work was lost or wrong
victim_goes_on() {
	local code=0
	kill -TERM "$VICTIM"
	wait "$VICTIM" || code=$?
	cat "$TMP/victim"
	return $code
}

# --- traces --------------------------------------------------------------

# trace_open NUMBER - create a tracing instance, so that other users' traces are not
# affected. The functions below use the instance opened last.
trace_open() {
	INSTANCE=$TRACEFS/instances/gvt_selftest_$$_$1
	mkdir "$INSTANCE" || return
	INSTANCES="$INSTANCES $INSTANCE"
	echo $TRACE_KB >"$INSTANCE/buffer_size_kb"
	# the same time on all CPUs
	echo mono >"$INSTANCE/trace_clock"
}

trace_close() {
	local instance
	for instance in $INSTANCES; do
		rmdir "$instance"
	done
	INSTANCES=
}

# trace_events 1|0 EVENT... - enable or disable gvt events
trace_events() {
	local value="$1" event
	shift
	for event in "$@"; do
		echo "$value" >"$INSTANCE/events/gvt/$event/enable" || return
	done
}

trace_workloads() {
	local event
	for event in $WORKLOAD_EVENTS; do
		trace_events "$1" "gvt_workload_$event" || return
	done
}

trace_clear() {
	echo >"$INSTANCE/trace"
}

# Number of events that did not fit into the buffer.
trace_lost() {
	cat "$INSTANCE"/per_cpu/cpu*/stats |
		awk '/^(overrun|commit overrun|dropped events):/ { lost += $NF } END { print lost + 0 }'
}

# trace_save FILE - save the trace so far; fails if events were lost
trace_save() {
	local lost
	rm -f "$1.life"
	cat "$INSTANCE/trace" >"$1"
	lost=$(trace_lost)
	[ "$lost" -eq 0 ] && return
	echo "$lost events were lost"
	return 1
}

# workloads_are_right FILE - does the life of each workload obey the rules?
# Saves the result in FILE.life, as awk is slow with ten thousand events.
workloads_are_right() {
	local code=0
	${AWK:-awk} -v vgpus="$VGPU_IDS" -f "$DIR/workloads.awk" "$1" >"$1.life" || code=$?
	cat "$1.life"
	return $code
}

# workload_count FILE COUNT - "cancelled", "reset", ... as workloads.awk counts them
workload_count() {
	[ -e "$1.life" ] || workloads_are_right "$1" >/dev/null
	tail -n 1 "$1.life" | tr ' ' '\n' | sed -n "s/^$2=//p"
}

# check_cancelled REASON - a test: were queued workloads cancelled for this reason?
check_cancelled() {
	local name="queued workloads were cancelled: $1"
	if [ "$(workload_count "$TMP/trace" "$1")" -gt 0 ]; then
		ktap_test_pass "$name"
	else
		ktap_print_msg "the GPU was too fast: no workload was waiting"
		ktap_test_skip "$name"
	fi
}
