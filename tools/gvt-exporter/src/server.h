/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A small HTTP server: it answers GET of "/" and "/metrics", one request for each connection.
 */
#ifndef GVT_EXPORTER_SERVER_H
#define GVT_EXPORTER_SERVER_H

#include <stdbool.h>

#include <glib.h>

struct server {
	/* makes the text of /metrics; the server frees it */
	GString *(*metrics)(void *ctx, bool openmetrics);
	void *ctx;
};

/**
 * server_run - answer requests on a listening socket for ever
 *
 * Ends the program on errors.
 */
_Noreturn void server_run(const struct server *server, int fd);

#endif
