-- SPDX-License-Identifier: GPL-2.0-or-later
--
-- The findings of 'gvt-stat check' of all hosts, those furthest above their threshold first
SELECT host, hour, rule, dev, vgpu_id, engine, value, problem
FROM gvt
WHERE kind = 'finding'
ORDER BY CASE WHEN threshold > 0 THEN value / threshold ELSE 1000 + value END DESC, host, hour, rule, dev NULLS LAST,
	vgpu_id NULLS LAST, engine NULLS LAST, problem
LIMIT 100;
