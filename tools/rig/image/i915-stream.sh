# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=dash
#
# Streams that go through i915, for guests (guest-init) and for the host itself (host-run).

# i915_stream WORDS [OPTION...]: play the stream that a line of the plan describes, its words
# separated by colons
i915_stream() {
	IFS=: read -r name engine exec_ns pieces think_ns depth arrival period_ns count seed hang_at command _ _ _ mbps bound _ <<-EOF
		$1
	EOF
	shift
	rig-i915-load --name "$name" --engine "$engine" --exec "${exec_ns}ns" --pieces "$pieces" --think "${think_ns}ns" \
		--depth "$depth" --arrival "$arrival" --period "${period_ns}ns" --count "$count" --seed "$seed" \
		--hang-at "$hang_at" --command "$command" --bandwidth "$mbps" --memory-bound "$bound" "$@"
}
