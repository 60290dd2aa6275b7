// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * fields - does the library read the events by the names that they have?
 *
 *   fields DIRECTORY...
 *
 * A field that an event lacks is unknown, and nothing complains: it may be of another
 * kernel. So compare with the documented formats, SYSTEM/EVENT.format below these
 * directories. Prints what is not there.
 */
#include <stdio.h>

/* its table is nobody else's */
#include "../trace/events.c"

static struct tep_event *find_format(struct tep_handle *tep, char **directories,
				     const struct event_desc *desc)
{
	char *name = g_strconcat(desc->name, ".format", NULL);
	struct tep_event *format = NULL;

	for (; *directories && !format; directories++) {
		char *path = g_build_filename(*directories, desc->system, name, NULL);
		char *text;
		gsize len;

		if (g_file_get_contents(path, &text, &len, NULL) &&
		    !tep_parse_format(tep, &format, text, len, desc->system))
			g_free(text);
		g_free(path);
	}
	g_free(name);
	return format;
}

static int missing_fields(struct tep_event *format, enum event_id id)
{
	int missing = 0;

	for (const struct field_desc *field = events[id].fields; field->name; field++) {
		const struct tep_format_field *found = tep_find_any_field(format, field->name);

		if (found && can_place(found, field->kind))
			continue;
		printf("%s: no field %s of that kind\n", event_name(id), field->name);
		missing++;
	}
	return missing;
}

int main(int argc, char **argv)
{
	struct tep_handle *tep = tep_alloc();
	int missing = argc < 2;

	for (enum event_id id = 0; id < EVENT_COUNT; id++) {
		struct tep_event *format = find_format(tep, argv + 1, &events[id]);

		if (!format)
			printf("%s: no format\n", event_name(id));
		missing += format ? missing_fields(format, id) : 1;
	}
	return missing ? EXIT_FAILURE : EXIT_SUCCESS;
}
