// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * iterate - the plain loop of libtracecmd, as a measure: reads every record and one
 * field of it
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <trace-cmd.h>

static int on_record(struct tracecmd_input *handle, struct tep_record *record, int cpu, void *sum)
{
	(void)handle;
	(void)cpu;
	*(uint64_t *)sum += record->ts;
	return 0;
}

int main(int argc, char **argv)
{
	struct tracecmd_input *handle;
	uint64_t sum = 0;

	if (argc != 2 || !(handle = tracecmd_open(argv[1], TRACECMD_FL_LOAD_NO_PLUGINS)))
		return EXIT_FAILURE;
	tracecmd_iterate_events(handle, NULL, 0, on_record, &sum);
	tracecmd_close(handle);
	return sum ? EXIT_SUCCESS : EXIT_FAILURE;
}
