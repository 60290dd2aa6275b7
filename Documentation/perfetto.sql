-- SPDX-License-Identifier: GPL-2.0-or-later
--
-- Questions to a trace of 'gvt-stat export --format perfetto', for the query page of
-- https://ui.perfetto.dev or 'trace_processor_shell -q perfetto.sql FILE'. The first five are
-- the metrics of A. Belkhiri and M. Dagenais, "Analyzing GPU Performance in Virtualized
-- Environments: A Case Study", Future Internet 16 (2024), 72. All agree with gvt-stat report
-- and why waits to the nanosecond, over the window that was exported. Where events were lost, that
-- is so for 1 and for who made whom wait: of the others, what is not certain is missing.

-- what is asked below: the slices of gvt-stat with the vGPU or GPU that they are of
CREATE PERFETTO VIEW gvt_slice AS
SELECT slice.*, SUBSTR(track.name, LENGTH(parent.name) + 2) AS track, parent.name AS owner,
	EXTRACT_ARG(slice.arg_set_id, 'debug.workload') AS workload,
	EXTRACT_ARG(slice.arg_set_id, 'debug.begin') AS cut_before,
	EXTRACT_ARG(slice.arg_set_id, 'debug.end') AS cut_after,
	EXTRACT_ARG(slice.arg_set_id, 'debug.status') AS status,
	EXTRACT_ARG(slice.arg_set_id, 'debug.cancelled') AS cancelled,
	EXTRACT_ARG(slice.arg_set_id, 'debug.queued_before_ns') AS queued_before_ns,
	EXTRACT_ARG(slice.arg_set_id, 'debug.stopped_before_ns') AS stopped_before_ns,
	EXTRACT_ARG(slice.arg_set_id, 'debug.executed_before') AS executed_before
FROM slice JOIN track ON slice.track_id = track.id JOIN track AS parent ON track.parent_id = parent.id;

-- the workloads that are complete, with NULL for what is not known of them: of one that was
-- queued before the trace, the latency is known if the kernel told when that was, the wait if it
-- had not been on the engine; of a part of a trace, what was on the engine before it is not known;
-- where events were lost, that of which any may have been one of its own
CREATE PERFETTO VIEW gvt_workload AS
SELECT owner, track, workload, MIN(ts) - MAX(COALESCE(queued_before_ns, 0)) AS queued_ns,
	IIF(MAX(name = 'unseen' OR cut_after IS NOT NULL OR (cut_before IS NOT NULL AND
		(queued_before_ns IS NULL OR executed_before IS NOT NULL OR name != 'waits'))), NULL,
		SUM(dur * (name IN ('waits', 'preempted'))) + MAX(COALESCE(queued_before_ns, 0))) AS wait_ns,
	IIF(MAX(cut_before IS NOT NULL AND (queued_before_ns IS NULL OR
		(name = 'completes' AND stopped_before_ns IS NULL))), NULL,
		SUM(dur * (name != 'completes')) + MAX(COALESCE(queued_before_ns, 0)) -
		MAX(COALESCE(stopped_before_ns, 0))) AS latency_ns,
	IIF(MAX(name = 'unseen' OR cut_after IS NOT NULL OR executed_before IS NOT NULL OR
		(name != 'waits' AND cut_before IS NOT NULL)), NULL, SUM(dur * (name = 'executes'))) AS exec_ns
FROM gvt_slice WHERE track GLOB '*workloads' GROUP BY 1, 2, 3
HAVING MAX(name = 'completes' AND status = 0 AND cancelled IS NULL AND COALESCE(cut_after, '') != 'cut');

-- 1. utilisation of each engine by each vGPU, in ns
SELECT owner AS gpu, track AS engine, name AS vgpu, SUM(dur) AS exec_ns, COUNT(*) AS pieces
FROM gvt_slice WHERE category = 'engine' GROUP BY 1, 2, 3 ORDER BY 1, 2, 3;

-- 2. length of the waiting queues, over time and in the mean
SELECT track.name AS counter, SUM(value * dur) / SUM(dur) AS mean, MAX(value) AS longest
FROM (SELECT counter.*, LEAD(ts, 1, (SELECT int_value FROM metadata
		WHERE name = 'trace_attribute.window_end_ns')) OVER (PARTITION BY track_id ORDER BY ts, id) - ts AS dur
	FROM counter) AS sample
JOIN counter_track AS track ON sample.track_id = track.id
WHERE track.name GLOB '*queue length' GROUP BY 1 ORDER BY 1;

-- 3. wait: from queueing to the engine, and off it unfinished, for each workload; mean and longest
SELECT owner AS vgpu, track, COUNT(wait_ns) AS workloads, AVG(wait_ns) AS mean_ns, MAX(wait_ns) AS longest_ns
FROM gvt_workload GROUP BY 1, 2 ORDER BY 1, 2;

-- 4. latency: wait and execution; the ten worst, and when they were queued
SELECT owner AS vgpu, track, workload, latency_ns, queued_ns
FROM gvt_workload WHERE latency_ns IS NOT NULL ORDER BY latency_ns DESC LIMIT 10;

-- 5. execution of single workloads; the mean
SELECT owner AS vgpu, track, AVG(exec_ns) AS mean_ns, MAX(exec_ns) AS longest_ns
FROM gvt_workload GROUP BY 1, 2 ORDER BY 1, 2;

-- who made whom wait, as gvt-stat why waits: for how long, how often, the longest and when
SELECT owner AS vgpu, track, name, category AS reason, SUM(dur) AS wait_ns, COUNT(*) AS count,
	MAX(dur) AS longest_ns, ts AS longest_at_ns
FROM gvt_slice WHERE track GLOB '*waits' GROUP BY 1, 2, 3, 4 ORDER BY wait_ns DESC;

-- turns: how many, and for how long
SELECT owner AS gpu, track, name AS vgpu, COUNT(*) AS turns, SUM(dur) AS scheduled_ns
FROM gvt_slice WHERE track GLOB '*turn' GROUP BY 1, 2, 3 ORDER BY 1, 2, 3;
