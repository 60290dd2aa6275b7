// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A fuzzer for profiles: what is read can be written, and is then read as the same.
 */
#include <stdlib.h>
#include <string.h>

#include "predict/profile-file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct profile *parse(const char *text, size_t size)
{
	FILE *stream = fmemopen((void *)text, size, "r");
	char *problem = NULL;
	struct profile *profile;

	if (!stream)
		abort();
	profile = profile_parse(stream, "fuzzed", &problem);
	fclose(stream);
	if (!profile && !problem)
		abort();
	g_free(problem);
	return profile;
}

static char *text_of(const struct profile *profile, size_t *size)
{
	char *text;
	FILE *stream = open_memstream(&text, size);

	profile_write(profile, stream);
	fclose(stream);
	return text;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct profile *profile = size ? parse((const char *)data, size) : NULL, *again;
	char *text, *same;
	size_t len, same_len;

	if (!profile)
		return 0;
	text = text_of(profile, &len);
	again = parse(text, len);
	if (!again)
		abort();
	same = text_of(again, &same_len);
	if (len != same_len || memcmp(text, same, len))
		abort();
	profile_free(again);
	profile_free(profile);
	free(same);
	free(text);
	return 0;
}
