# SPDX-License-Identifier: GPL-2.0
#
# Checks the life of each workload in the text of a trace with all
# gvt_workload_* events, as tracefs prints it.
#
#	awk -v vgpus="1 2" -f workloads.awk TRACE
#
# vgpus limits the check to these vGPUs. The trace must begin before the first of
# their workloads is queued and end after the last one has ended. One line per
# violated rule, a line "workloads=... " with counts last; exit code 1 if a
# rule was violated or there was no workload.

function complain(key, what)
{
	if (++errors <= 20)
		print "workload " key ": " what
}

# fields of "dev=0, vgpu=1, engine=0:0" into field[]
function split_fields(text,	n, i, items, eq)
{
	split("", field)
	n = split(text, items, ", ")
	for (i = 1; i <= n; i++) {
		eq = index(items[i], "=")
		if (eq)
			field[substr(items[i], 1, eq - 1)] = substr(items[i], eq + 1)
	}
}

# a field must have the same value in all events of a workload that have the field
function check_same(key, name)
{
	if (!(name in field))
		return
	if (!((key, name) in same))
		same[key, name] = field[name]
	else if (same[key, name] != field[name])
		complain(key, name " changes from " same[key, name] " to " field[name])
}

function not_before(key, later, later_name, earlier, earlier_name)
{
	if ((key in later) && (key in earlier) && later[key] + 0 < earlier[key] + 0)
		complain(key, later_name " at " later[key] " before " earlier_name " at " earlier[key])
}

BEGIN {
	nr_wanted = split(vgpus, list, " ")
	for (i = 1; i <= nr_wanted; i++)
		wanted[list[i]] = 1
}

{
	place = index($0, ": gvt_workload_")
	if (!place || substr($0, 1, 1) == "#")
		next
	n = split(substr($0, 1, place - 1), words, " ")
	time = words[n]
	rest = substr($0, place + 2)
	place = index(rest, ": ")
	event = substr(rest, 14, place - 14)
	split_fields(substr(rest, place + 2))
	if (nr_wanted && !(field["vgpu"] in wanted))
		next

	key = field["dev"] ":" field["workload"]
	if (!(key in known)) {
		known[key] = 1
		nr_workloads++
	}
	# i915 does not have the workload yet
	if (event == "state" && field["state"] == "queued") {
		delete field["ctx"]
		delete field["seqno"]
	}
	check_same(key, "vgpu")
	check_same(key, "engine")
	check_same(key, "ctx")
	check_same(key, "seqno")
}

event == "queue" {
	if (key in queued)
		complain(key, "queued twice")
	queued[key] = time
}

event == "submit" {
	if (key in submitted)
		complain(key, "submitted twice")
	submitted[key] = time
}

event == "start" {
	if (running[key])
		complain(key, "started twice without a stop")
	if (finished[key])
		complain(key, "started after it had finished")
	running[key] = 1
	if (!(key in started))
		started[key] = time
}

event == "stop" {
	if (!running[key])
		complain(key, "stopped without a start")
	running[key] = 0
	if (!(key in first_stop))
		first_stop[key] = time
	last_stop[key] = time
	finished[key] = field["completed?"] + 0
	if (!finished[key])
		nr_unfinished_stops++
}

event == "complete" || event == "cancel" {
	if (key in ended)
		complain(key, "ended twice: " end_event[key] " and " event)
	ended[key] = time
	end_event[key] = event
	if (event == "cancel") {
		nr_cancelled++
		reason[field["reason"]]++
	} else if (field["status"] + 0) {
		nr_failed++
		failed[key] = 1
	} else {
		nr_completed++
	}
}

END {
	for (key in known) {
		if (!(key in queued))
			complain(key, "was never queued")
		if (!(key in ended))
			complain(key, "neither completed nor cancelled")
		if (running[key])
			complain(key, "never stopped")
		not_before(key, submitted, "submitted", queued, "queued")
		not_before(key, started, "started", submitted, "submitted")
		not_before(key, first_stop, "stopped", started, "started")
		not_before(key, ended, "ended", last_stop, "last stopped")
		not_before(key, ended, "ended", queued, "queued")
		if ((key in started) && !(key in submitted))
			complain(key, "started without having been submitted")
		if (end_event[key] == "cancel" && (key in submitted))
			complain(key, "cancelled after it had been submitted")
		if (end_event[key] == "complete" && !(key in failed) && !finished[key])
			complain(key, "completed with status 0, but did not run to its end")
	}
	if (errors > 20)
		print "and " errors - 20 " more"
	if (!nr_workloads)
		print "no workload in the trace"
	printf "workloads=%d completed=%d failed=%d cancelled=%d error=%d reset=%d remove=%d switched_out=%d\n",
		nr_workloads, nr_completed, nr_failed, nr_cancelled, reason["error"],
		reason["reset"], reason["remove"], nr_unfinished_stops
	exit (errors || !nr_workloads)
}
