# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=dash disable=SC1091,SC2154 # /rig/config comes with the run
#
# Guests in the host VM, for host-run and for scripts of 'rig exec' (". guests.sh"): VMs with the
# stock kernel and i915, each on a vGPU.
#
#   guest_start NAME [UUID MEMORY_MB [QEMU_ARGUMENT...]]
#                                 boot one: the scenario's of that name, or any on the vGPU UUID
#   guest_ready NAME              wait until it has its GPU
#   guest_go NAME [COMMAND]       start its streams, and beside them COMMAND (default: the scenario's)
#   guest_wait NAME               wait until both have ended
#   guest_run NAME [COMMAND]      guest_go and guest_wait; the exit code is the command's, or 255
#   guest_end NAME                as if its power were cut
#
# The console is in /out/guest-NAME.log, what the command prints in /out/guest-NAME.out, and its exit
# code in /out/guest-NAME.exit. Messages are on stderr.
. /rig/config

# wait_for PATTERN FILE SECONDS PID: until the file has such a line
wait_for() {
	local tries=$(($3 * 20))
	until grep -qE "$1" "$2" 2>/dev/null; do
		tries=$((tries - 1))
		[ $tries -gt 0 ] && kill -0 "$4" 2>/dev/null || return 1
		sleep 0.05
	done
}

# guest_words FILE NAME: the rest of the lines that begin with the name
guest_words() {
	[ ! -e "$1" ] || sed -n "s/^$2 //p" "$1"
}

# guest_image: the guests' initramfs, with what 'rig --guest-add' brings
guest_image() {
	[ -e /guest/add.cpio ] || { echo /guest/guest.cpio; return; }
	[ -e /guest/all.cpio ] || cat /guest/guest.cpio /guest/add.cpio >/guest/all.cpio
	echo /guest/all.cpio
}

# Its input is a pipe: it waits for a line there before it works. What its command prints
# comes through a second serial port.
guest_start() {
	local name="$1" uuid memory streams
	shift
	if [ $# -eq 0 ]; then
		# shellcheck disable=SC2046 # two words
		set -- $(awk -v name="$name" '$1 == name && $3 == "guest" { print $2, $4 }' /run.vgpus 2>/dev/null)
	fi
	[ $# -ge 2 ] || {
		echo "guest_start: the scenario has no vgpu \"$name\" with runs = guest; give a vGPU's UUID and MB of memory" >&2
		return 1
	}
	[ -e /guest/vmlinux ] || {
		echo "guest_start: this run has nothing to start guests from; name guests.sh in the script or in what --add brings" >&2
		return 1
	}
	uuid=$1 memory=$2
	shift 2
	streams=$(guest_words /rig/streams "$name" | sed 's/ /:/g; s/^/ rig.stream=/' | tr -d '\n')
	rm -f "/run.$name" "/out/guest-$name.exit"
	mkfifo "/run.$name"
	qemu -L /firmware -machine q35,accel=kvm,vmport=off -cpu host -m "$memory" -nodefaults -display none -vga none \
		-serial stdio -serial "file:/out/guest-$name.out" -monitor none -no-reboot -global kvm-apic.vapic=off \
		-device "vfio-pci,sysfsdev=/sys/bus/mdev/devices/$uuid,addr=02.0,display=off" \
		-kernel /guest/vmlinux -initrd "$(guest_image)" \
		-append "$guest_append rig.seconds=$guest_seconds$streams" "$@" <>"/run.$name" >"/out/guest-$name.log" 2>&1 &
	echo $! >"/run.$name.pid"
}

# guest_shows NAME PATTERN SECONDS WHAT
guest_shows() {
	wait_for "$2" "/out/guest-$1.log" "$3" "$(cat "/run.$1.pid")" || {
		echo "guest \"$1\" $4: $(tail -n 1 "/out/guest-$1.log" | tr -d '\r')" >&2
		return 1
	}
}

guest_ready() {
	guest_shows "$1" '^READY' 120 "did not come up"
}

guest_go() {
	local name="$1"
	shift
	[ $# -gt 0 ] || set -- "$(guest_words /rig/commands "$name")"
	[ -n "$*" ] || rm -f "/out/guest-$name.out"
	printf '%s\n' "$*" >"/run.$name"
}

# guest_code NAME: moves the exit code from the end of what the command printed to a file
guest_code() {
	local out="/out/guest-$1.out" code
	code=$(tail -n 1 "$out")
	echo "$code" >"/out/guest-$1.exit"
	truncate -s $(($(wc -c <"$out") - ${#code} - 1)) "$out"
}

# A guest prints DONE after its RESULT lines. A command may take its time.
guest_wait() {
	local limit=120
	[ ! -e "/out/guest-$1.out" ] || limit=3600
	guest_shows "$1" '^DONE' $limit "gave no result" || return
	[ ! -e "/out/guest-$1.out" ] || guest_code "$1"
}

guest_run() {
	guest_go "$@"
	guest_wait "$1" || return 255
	[ ! -e "/out/guest-$1.exit" ] || return "$(cat "/out/guest-$1.exit")"
}

guest_end() {
	local pid
	pid=$(cat "/run.$1.pid")
	kill "$pid"
	wait "$pid" 2>/dev/null || true
}
