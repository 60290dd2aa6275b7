// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The page of gvt-stat compare --html: ../page/pair.html is its text and program, to which
 * this adds what compare tells, and the whole pages of both traces, packed.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "host/newfile.h"
#include "output/packed.h"
#include "trace/util.h"
#include "command.h"
#include "export.h"

#define DATA_MARK	"<!-- data -->\n"

/* of page.S */
extern const char pair_text[], pair_text_end[];

static void print_page(const struct options *options, const char *path, const char *id, FILE *out)
{
	struct options one = *options;
	struct packer *packer;
	char *page = NULL;
	size_t size = 0;
	FILE *memory = open_memstream(&page, &size);

	if (!memory)
		fatal("no memory for a page");
	one.selection.input = path;
	one.selection.quantities = export_command.quantities;
	export_page(&one, memory, &(struct export_how) { .exact = EXPORT_EXACT, .exact_bytes = EXPORT_BYTES });
	if (fclose(memory))
		fatal("no memory for a page");
	fprintf(out, "<script type=\"application/octet-stream\" id=\"%s\">", id);
	packer = packer_new(out);
	packer_add(packer, page, size);
	packer_free(packer);
	fputs("</script>\n", out);
	free(page);
}

void export_pair(const struct options *options, const char *const paths[2],
		 const json_t *document, const char *output)
{
	const char *mark = g_strstr_len(pair_text, pair_text_end - pair_text, DATA_MARK);
	struct newfile file;
	int error;

	for (int nr = 0; nr < 2; nr++)
		if (newfile_replaces(output, paths[nr]))
			fatal("%s: is a trace itself: give --html another name", output);
	error = newfile_open(&file, output);
	if (error)
		fatal("%s: cannot write: %s", output, strerror(error));
	g_assert(mark);
	fwrite(pair_text, 1, mark - pair_text, file.stream);
	export_document(document, "document", file.stream);
	print_page(options, paths[0], "page-a", file.stream);
	print_page(options, paths[1], "page-b", file.stream);
	mark += strlen(DATA_MARK);
	fwrite(mark, 1, pair_text_end - mark, file.stream);
	error = newfile_close(&file);
	if (error)
		fatal("%s: cannot write: %s", output, strerror(error));
}
