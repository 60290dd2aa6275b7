-- SPDX-License-Identifier: GPL-2.0-or-later
--
-- Work that failed or was cancelled, as in hangs and resets of guests, by VM
SELECT host, dev, who, sum(CASE WHEN status != 0 THEN 1 ELSE 0 END) AS failed,
	sum(CASE WHEN state = 'cancelled' THEN 1 ELSE 0 END) AS cancelled, count(*) AS workloads
FROM gvt
WHERE kind = 'workload'
GROUP BY host, dev, who
HAVING failed > 0 OR cancelled > 0
ORDER BY failed DESC, cancelled DESC, host, dev, who;
