/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Members that the JSON documents of all commands share.
 */
#ifndef GVT_STAT_DOCUMENT_H
#define GVT_STAT_DOCUMENT_H

#include <stdio.h>

#include <jansson.h>

#include "follow/follow.h"

#define DOCUMENT_SCHEMA	"gvt-stat/1"
/* precision of a double, so that nanoseconds stay exact */
#define DOCUMENT_REALS	JSON_REAL_PRECISION(15)

/**
 * document_new - an object with schema, command, trace, metadata of the recording, lost events and
 * missing events
 * @follow: run to its end
 * @command: name of the command
 */
json_t *document_new(const struct follow *follow, const char *command);

/**
 * document_of_host - an object with schema, tool and command, for commands that read no trace
 */
json_t *document_of_host(const char *command);

/**
 * document_add_window - add the observed window
 */
void document_add_window(json_t *document, struct window window);

/**
 * document_print - print and free
 */
void document_print(json_t *document, FILE *out);

/* the last array of a document, which may exceed memory */
struct document_list;

/**
 * document_begin - print the document, free it, and begin its last array
 *
 * document_end() frees.
 */
struct document_list *document_begin(json_t *document, const char *name, FILE *out);

/**
 * document_line - print and free one element of the array
 */
void document_line(struct document_list *list, json_t *line);

/**
 * document_end - print the end of the document, and free the list
 */
void document_end(struct document_list *list);

#endif
