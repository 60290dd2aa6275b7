// SPDX-License-Identifier: GPL-2.0-or-later
#include <math.h>
#include <string.h>

#include "trace/timespan.h"
#include "trace/util.h"
#include "whatif/mix.h"
#include "qos.h"

#define MOST_FACTOR	1e6

static bool parse_factor(const char *text, double *factor)
{
	double number;
	char *end;

	if (!g_ascii_isdigit(*text))
		return false;
	number = g_ascii_strtod(text, &end);
	if (strcmp(end, "x") || number < 1 || number > MOST_FACTOR)
		return false;
	*factor = number;
	return true;
}

static bool parse_limit(const char *text, struct qos *qos)
{
	int64_t limit_ns;

	if (isnan(qos->factor) && parse_factor(text, &qos->factor))
		return true;
	if (!isnan(qos->limit_ns) || !timespan_length(text, &limit_ns))
		return false;
	qos->limit_ns = limit_ns;
	return true;
}

static const char *parse_limits(const char *text, struct qos *qos)
{
	char **words = g_strsplit(text, ",", -1);
	const char *problem = NULL;

	for (char **word = words; *word && !problem; word++) {
		if (!strcmp(*word, "p95") && !word[1])
			qos->measure = MEASURE_P95;
		else if (!parse_limit(*word, qos))
			problem = "give how many times the latency alone, such as 2x, a time, such as 50ms, or both; p95 may follow";
	}
	g_strfreev(words);
	if (!problem && isnan(qos->factor) && isnan(qos->limit_ns))
		problem = "give a limit, such as 2x or 50ms";
	return problem;
}

const char *qos_parse(const char *text, struct qos *qos)
{
	const char *colon = strchr(text, ':');

	*qos = (struct qos) {
		.text = text, .vgpu_id = UNKNOWN, .measure = MEASURE_MEAN, .factor = NAN,
		.limit_ns = NAN,
	};
	if (!colon)
		return parse_limits(text, qos);
	if (colon != text + 1 || *text < '1' || *text > '0' + MIX_MOST_VGPUS)
		return "before the colon stands which application, from 1 on";
	qos->vgpu_id = *text - '0';
	return parse_limits(colon + 1, qos);
}

bool qos_concerns(const struct qos *qos, unsigned int vgpu_id)
{
	return !known(qos->vgpu_id) || qos->vgpu_id == vgpu_id;
}

struct qos_answer qos_answer(const struct qos *qos, const struct predicted *predicted)
{
	const struct profile_solo *solo = &predicted->stream->solo;
	int64_t alone_ns = qos->measure == MEASURE_P95 ? solo->p95_ns : solo->mean_ns;
	struct qos_answer answer = {
		.limit_ns = fmin(qos->factor * alone_ns, qos->limit_ns),
		.expected_ns = predicted->worst[qos->measure],
	};

	answer.margin_percent = 100 * (answer.limit_ns - answer.expected_ns) / answer.limit_ns;
	answer.met = answer.expected_ns <= answer.limit_ns;
	return answer;
}
