// SPDX-License-Identifier: GPL-2.0-or-later
#include "silence.h"

GArray *silences_new(void)
{
	return g_array_new(FALSE, FALSE, sizeof(struct silence));
}

void silences_add(GArray *silences, int64_t from_ns, int64_t to_ns)
{
	const struct silence silence = { from_ns, to_ns };

	if (from_ns < to_ns)
		g_array_append_val(silences, silence);
}

bool silence_holds(const struct silence *silence, int64_t from_ns, int64_t to_ns)
{
	int64_t part_ns = MIN(to_ns, silence->to_ns) - MAX(from_ns, silence->from_ns);

	return part_ns >= 0 && part_ns >= (to_ns - from_ns) / 2;
}

static bool is_explained(const GArray *silences, int64_t from_ns, int64_t to_ns)
{
	for (unsigned int nr = 0; nr < silences->len; nr++) {
		const struct silence *silence = &g_array_index(silences, struct silence, nr);

		if (from_ns <= silence->to_ns && to_ns >= silence->from_ns)
			return true;
	}
	return false;
}

bool silences_any(const GArray *silences, int64_t from_ns, int64_t to_ns)
{
	for (unsigned int nr = 0; nr < silences->len; nr++)
		if (silence_holds(&g_array_index(silences, struct silence, nr), from_ns, to_ns))
			return true;
	return false;
}

bool silences_doubt(const struct silences *silences, int64_t from_ns, int64_t to_ns)
{
	return silences_any(silences->doubtful, from_ns, to_ns) &&
	       !is_explained(silences->explained, from_ns, to_ns);
}
