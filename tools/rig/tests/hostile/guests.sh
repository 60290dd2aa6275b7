# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh
# shellcheck disable=SC2034	# for who sources this
# shellcheck disable=SC3043	# local
#
# Scenarios of hostile guests beside a good one, by the names of their kinds.

# As many of them at most are chosen at random
RANDOM_GUESTS=5
KINDS="endless engine-reset engine-stop device-reset close alternate"
# 2 ms of work and 8 ms of pause, until endless workloads are cancelled
DURATION=4s
GOOD_WORKLOADS=400

# stream NAME ENGINE WORDS - of a vGPU
stream() {
	printf '\tstream "%s" { engine = %s %s }\n' "$@"
}

# kind KIND ENGINE - what such a guest does
kind() {
	case $1 in
	engine-reset | engine-stop | device-reset | close)
		echo "act = $1 act-every = 250ms"
		stream endless "$2" 'exec = 60s command = endless'
		;;
	endless) stream endless "$2" 'exec = 60s command = endless' ;;
	# an endless batch in turns with a command that nothing can divide
	alternate)
		stream endless "$2" 'exec = 600ms command = endless'
		stream uncut "$2" 'exec = 60ms'
		;;
	# a command that never ends and cannot be divided
	hang) stream hang "$2" 'exec = 2ms hang-at = 20' ;;
	*)
		echo "guests.sh: no kind '$1' of guest; there are: $KINDS hang" >&2
		return 1
		;;
	esac
}

# engines_of GUESTS - each once
engines_of() {
	echo "$1" | tr ',' '\n' | sed 's/:.*//' | sort -u
}

# scenario_of ENGINE:KIND,... - beside a good guest with work on the same engines
scenario_of() {
	local engine guest number=0
	printf 'warmup = 200ms\nduration = %s\naperture-mb = 1024\n' $DURATION
	printf 'vgpu "good" {\ntype = V5_8\nacthd-every = 4ms\n'
	for engine in $(engines_of "$1"); do
		stream "$engine" "$engine" 'exec = 2ms pieces = 4 think = 8ms'
	done
	echo '}'
	for guest in $(echo "$1" | tr ',' ' '); do
		number=$((number + 1))
		printf 'vgpu "guest-%d" {\ntype = V5_8\nacthd-every = 20ms\n' $number
		kind "${guest#*:}" "${guest%%:*}" || return
		echo '}'
	done
}

# good_share PER_CENT ENGINE:KIND,... - what is left of it where a guest's commands of 60 ms
# have to be waited for, in each of its turns of 660 ms
good_share() {
	local guests="$2" share="$1"
	while [ "$guests" != "${guests#*alternate}" ]; do
		guests=${guests#*alternate}
		share=$((share - 12))
	done
	echo "$share"
}

# --- at random -----------------------------------------------------------------

# random LIMIT - the next number below it; the same ones after the same SEED, in any shell
random() {
	SEED=$(((SEED * 1103515245 + 12345) % 2147483648))
	RANDOM_NUMBER=$((SEED / 8388608 % $1))
}

# one_of WORD... - sets CHOSEN
one_of() {
	random $#
	shift "$RANDOM_NUMBER"
	CHOSEN=$1
}

# random_guests - sets CHOSEN to ENGINE:KIND,...
random_guests() {
	local guests='' number
	random $RANDOM_GUESTS
	number=$((RANDOM_NUMBER + 1))
	while [ $number -gt 0 ]; do
		one_of rcs0 rcs0 vcs0 bcs0
		guests=$guests${guests:+,}$CHOSEN
		# shellcheck disable=SC2086	# a list
		one_of $KINDS
		guests=$guests:$CHOSEN
		number=$((number - 1))
	done
	CHOSEN=$guests
}

# random_play SEED - "POLICY DISPATCH ENGINE:KIND,..."
random_play() {
	local play
	# seeds that are close would begin with numbers that are
	SEED=$(($1 * 1597334677 % 2147483648))
	one_of fair fair strict work-conserving
	play=$CHOSEN
	one_of preemptive preemptive per-engine exclusive
	play="$play $CHOSEN"
	random_guests
	echo "$play $CHOSEN"
}
