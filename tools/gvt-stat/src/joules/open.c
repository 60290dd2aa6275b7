// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Reads who executed when, and the samples of the counter.
 */
#include "cmd/command.h"
#include "trace/util.h"
#include "energy.h"

/* One counter is of one GPU: the one in the processor. */
static void check_gpus(const struct energy_session *session, const char *path)
{
	const GPtrArray *gpus = model_gpus(session->follow.model);
	unsigned int count = 0;

	for (guint nr = 0; nr < gpus->len; nr++)
		count += selection_gpu(session->follow.selection, gpus->pdata[nr]);
	if (count > 1)
		usage_error("%s is of several GPUs: give one by --gpu, that whose energy was counted", path);
}

static void check_consumers(const struct energy_session *session, const char *path)
{
	if (session->timeline->consumers->len > TIMELINE_CONSUMERS_MAX)
		fatal("%s: more than %d vGPUs and engines: the file is corrupted, or observe a part of it by --time",
		      path, TIMELINE_CONSUMERS_MAX);
}

void energy_open(struct energy_session *session, struct selection *selection)
{
	const char *path = selection->input;

	selection->beside = QUANTITY_BIT(QUANTITY_ENERGY);
	follow_open(&session->follow, selection);
	session->timeline = timeline_new(&session->follow, false);
	follow_run(&session->follow);
	model_finish(session->follow.model);
	selection_check_known(selection, session->follow.model);
	check_gpus(session, path);
	check_consumers(session, path);
}

void energy_close(struct energy_session *session)
{
	if (session->result)
		energy_result_free(session->result);
	timeline_free(session->timeline);
	follow_close(&session->follow);
}
