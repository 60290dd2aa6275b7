-- SPDX-License-Identifier: GPL-2.0-or-later
--
-- 5. Why? What the time of a VM's workloads went to, from queueing to completion, in ms a workload;
-- of those that were seen from begin to end
SELECT host, who, count(other_ns) AS workloads, avg(total_ns) / 1e6 AS total_ms, avg(exec_ns) / 1e6 AS exec_ms,
	avg(other_ns) / 1e6 AS other_ms, avg(preempted_ns) / 1e6 AS preempted_ms,
	avg(throttled_ns) / 1e6 AS throttled_ms, avg(capped_ns) / 1e6 AS capped_ms, avg(held_ns) / 1e6 AS held_ms,
	avg(host_ns) / 1e6 AS host_ms, avg(switching_ns) / 1e6 AS switching_ms, avg(own_ns) / 1e6 AS own_ms,
	avg(dispatch_ns) / 1e6 AS dispatch_ms, avg(i915_ns) / 1e6 AS i915_ms,
	avg(completion_ns) / 1e6 AS completion_ms, avg(unknown_ns) / 1e6 AS unknown_ms
FROM gvt
WHERE kind = 'workload' AND other_ns IS NOT NULL
GROUP BY host, who
ORDER BY total_ms DESC, host, who;
