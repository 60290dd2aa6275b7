-- SPDX-License-Identifier: GPL-2.0-or-later
--
-- The rules of 'gvt-stat check': in how many traces of how many hosts each found something, and in how
-- many it could not look as events are missing
SELECT rule, count(DISTINCT CASE WHEN kind = 'finding' THEN host END) AS hosts,
	sum(CASE WHEN kind = 'finding' THEN 1 ELSE 0 END) AS findings,
	sum(CASE WHEN kind = 'unchecked' THEN 1 ELSE 0 END) AS traces_unchecked,
	max(value) AS worst, min(unit) AS of_unit
FROM gvt
WHERE kind IN ('finding', 'unchecked')
GROUP BY rule
ORDER BY hosts DESC, findings DESC, rule;
