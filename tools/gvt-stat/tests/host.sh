# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh
#
# A host made of plain files, for the commands that read sysfs (--sysroot).

# shellcheck disable=SC2154 # lib.sh is read first
root=$tmp/root
pci=$root/sys/bus/pci/devices/0000:00:02.0
mdev=$root/sys/bus/mdev/devices

# host: a GPU of the documented kernel without vGPUs
host()
{
	rm -rf "$root"
	mkdir -p "$pci/gvt_sched" "$pci/mdev_supported_types/i915-GVTg_V5_8" "$mdev" \
		"$root/sys/module/kvmgt" "$root/proc/self"
	while read -r name value; do
		echo "$value" >"$pci/gvt_sched/$name"
	done <<-END
	policy [strict] work-conserving fair
	dispatch [exclusive] per-engine preemptive
	carry_over 1
	leftover_max_ms 1000
	period_ms 100
	boost_ms 2000
	max_wait_ms 1000
	anticipation_ms 20
	END
}

# uuid ID
uuid()
{
	printf '00000000-0000-4000-8000-%012d' "$1"
}

# vgpu ID: one with rcs0 and vcs0, all counters 0
vgpu()
{
	dir=$pci/$(uuid "$1")
	mkdir -p "$dir/intel_vgpu"
	ln -s ../mdev_supported_types/i915-GVTg_V5_8 "$dir/mdev_type"
	ln -s "../../pci/devices/0000:00:02.0/$(uuid "$1")" "$mdev/$(uuid "$1")"
	echo "$1" >"$dir/intel_vgpu/vgpu_id"
	echo 2 >"$dir/intel_vgpu/weight"
	for name in nice cap exec_ns left_ns queued; do
		echo 0 >"$dir/intel_vgpu/$name"
	done
	for name in preempt arbitration; do
		echo 1 >"$dir/intel_vgpu/$name"
	done
	for engine in rcs0 vcs0; do
		mkdir -p "$dir/engine/$engine"
		for name in exec_ns wait_ns workloads failed cancelled; do
			echo 0 >"$dir/engine/$engine/$name"
		done
	done
}

# vgpu_file ID NAME: path of an attribute; "engine/rcs0/..." are beside the others
vgpu_file()
{
	case $2 in
	engine/*) echo "$pci/$(uuid "$1")/$2" ;;
	*) echo "$pci/$(uuid "$1")/intel_vgpu/$2" ;;
	esac
}

# process PID NAME ARGUMENT...: a process with this command line
process()
{
	mkdir -p "$root/proc/$1"
	echo "$2" >"$root/proc/$1/comm"
	dir=$root/proc/$1
	shift 2
	printf '%s\0' "$@" >"$dir/cmdline"
}

# hold_at FILE OUT COMMAND...: start it, and stop it when it opens FILE, a pipe until then;
# what it prints is in OUT
hold_at()
{
	file=$1 out=$2
	shift 2
	value=$(cat "$file")
	rm "$file"
	mkfifo "$file"
	"$@" >"$out" 2>&1 &
	held=$!
	# should it end before
	{
		while [ -e "/proc/$held/exe" ]; do
			sleep 0.1
		done
		[ ! -p "$file" ] || : 3<>"$file"
	} &
	exec 5>"$file"
	kill -STOP "$held"
	exec 5>&-
	rm "$file"
	echo "$value" >"$file"
}

# let_go: the one that hold_at stopped, to its end
let_go()
{
	kill -CONT "$held"
	wait "$held"
}
