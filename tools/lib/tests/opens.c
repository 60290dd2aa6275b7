// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * opens - how often libtracecmd opens a trace that is read in all ways at once
 *
 *   opens FILE UUID
 *
 * Names, what was queued before it, its vCPU threads and what could be lost in each buffer are
 * looked for from its beginning, each.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include <trace-cmd.h>

#include "analysis/vcpus.h"
#include "follow/follow.h"
#include "trace/util.h"

static int opened;

/* by the linker */
struct tracecmd_input *__real_tracecmd_open(const char *path, int flags);
struct tracecmd_input *__wrap_tracecmd_open(const char *path, int flags);

struct tracecmd_input *__wrap_tracecmd_open(const char *path, int flags)
{
	opened++;
	return __real_tracecmd_open(path, flags);
}

int main(int argc, char **argv)
{
	struct selection selection;
	struct vcpus *vcpus;
	struct follow follow;

	if (argc != 3)
		fatal("usage: opens FILE UUID");
	selection_init(&selection);
	selection.input = argv[1];
	selection.vgpus = (char *[]) { argv[2], NULL };
	selection.quantities = QUANTITY_BIT(QUANTITY_BLAME);
	follow_open(&follow, &selection);
	vcpus = vcpus_new(&follow);
	follow_run(&follow);
	printf("opened %d times, %" PRIu64 " events, %" PRIu64 " losses, %u vCPUs\n", opened,
	       follow.trace->records, follow.trace->lost_gaps, vcpus_list(vcpus)->len);
	vcpus_free(vcpus);
	model_finish(follow.model);
	follow_close(&follow);
	return EXIT_SUCCESS;
}
