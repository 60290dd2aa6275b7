-- SPDX-License-Identifier: GPL-2.0-or-later
--
-- 7. Does each get its part? A VM's share of the time that VMs had on a GPU, and its part of their
-- weights: a VM that waits and gets less than its weight says is treated unfairly
SELECT host, dev, who, used.exec_sum_ns AS exec_sum_ns, weight_max AS weight_told,
	100.0 * used.exec_sum_ns / all_exec_ns AS share_percent, 100.0 * weight_max / all_weights AS weight_percent
FROM (SELECT host, dev, who, sum(exec_ns) AS exec_sum_ns, max(weight) AS weight_max,
		sum(sum(exec_ns)) OVER (PARTITION BY host, dev) AS all_exec_ns,
		CASE WHEN count(max(weight)) OVER (PARTITION BY host, dev) = count(*) OVER (PARTITION BY host, dev)
			THEN sum(max(weight)) OVER (PARTITION BY host, dev) END AS all_weights
	FROM gvt WHERE kind = 'workload' GROUP BY host, dev, who) AS used
ORDER BY host, dev, who;
