// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>
#include <sys/socket.h>

#include <microhttpd.h>

#include "trace/util.h"
#include "exposition.h"
#include "server.h"

/*
 * Whoever connects while so many are connected makes the oldest one leave: clients that are slow,
 * or do not say anything, cannot keep others out. The library closes a connection a little later.
 */
#define MOST_CONNECTIONS	32
#define MOST_OF_LIBRARY		(2 * MOST_CONNECTIONS)
/* of a connection, for request and header of the response */
#define MEMORY			(8 << 10)
#define IDLE_SECONDS		10

static const char start_page[] =
	"<!DOCTYPE html>\n<html lang=\"en\"><title>gvt-exporter</title>\n"
	"<p>Counters of GVT-g: <a href=\"metrics\">metrics</a>\n</html>\n";

/* descriptors of connections that may stay, oldest first */
static GQueue connections = G_QUEUE_INIT;

static void on_connection(void *ctx, struct MHD_Connection *connection, void **socket_ctx,
			  enum MHD_ConnectionNotificationCode code)
{
	void *fd = GINT_TO_POINTER(MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD)->connect_fd);

	(void)ctx, (void)socket_ctx;
	if (code == MHD_CONNECTION_NOTIFY_CLOSED) {
		g_queue_remove(&connections, fd);
		return;
	}
	g_queue_push_tail(&connections, fd);
	if (g_queue_get_length(&connections) > MOST_CONNECTIONS)
		shutdown(GPOINTER_TO_INT(g_queue_pop_head(&connections)), SHUT_RDWR);
}

/* Owns @response. A client that asks again connects again: it costs little, and bounds how long any stays. */
static enum MHD_Result answer(struct MHD_Connection *connection, unsigned int status, struct MHD_Response *response)
{
	enum MHD_Result result;

	if (!response)
		return MHD_NO;
	MHD_add_response_header(response, MHD_HTTP_HEADER_CONNECTION, "close");
	result = MHD_queue_response(connection, status, response);
	MHD_destroy_response(response);
	return result;
}

static enum MHD_Result answer_text(struct MHD_Connection *connection, unsigned int status, const char *type,
				   const char *text)
{
	struct MHD_Response *response =
		MHD_create_response_from_buffer(strlen(text), (void *)text, MHD_RESPMEM_PERSISTENT);

	if (response) {
		MHD_add_response_header(response, MHD_HTTP_HEADER_CONTENT_TYPE, type);
		MHD_add_response_header(response, MHD_HTTP_HEADER_ALLOW, MHD_HTTP_METHOD_GET);
	}
	return answer(connection, status, response);
}

static enum MHD_Result answer_metrics(struct MHD_Connection *connection, const struct server *server)
{
	const char *accept = MHD_lookup_connection_value(connection, MHD_HEADER_KIND, MHD_HTTP_HEADER_ACCEPT);
	bool openmetrics = accept && strstr(accept, "application/openmetrics-text");
	GString *text = server->metrics(server->ctx, openmetrics);
	size_t len = text->len;
	struct MHD_Response *response =
		MHD_create_response_from_buffer_with_free_callback(len, g_string_free(text, FALSE), g_free);

	if (response)
		MHD_add_response_header(response, MHD_HTTP_HEADER_CONTENT_TYPE, exposition_type(openmetrics));
	return answer(connection, MHD_HTTP_OK, response);
}

/* Answers before the body of a request, so that none is read. */
static enum MHD_Result on_request(void *ctx, struct MHD_Connection *connection, const char *path, const char *method,
				  const char *version, const char *data, size_t *data_len, void **request_ctx)
{
	(void)version, (void)data, (void)data_len, (void)request_ctx;
	if (strcmp(method, MHD_HTTP_METHOD_GET))
		return answer_text(connection, MHD_HTTP_METHOD_NOT_ALLOWED, "text/plain", "only GET\n");
	if (!strcmp(path, "/metrics"))
		return answer_metrics(connection, ctx);
	if (!strcmp(path, "/"))
		return answer_text(connection, MHD_HTTP_OK, "text/html; charset=utf-8", start_page);
	return answer_text(connection, MHD_HTTP_NOT_FOUND, "text/plain", "only / and /metrics\n");
}

void server_run(const struct server *server, int fd)
{
	struct MHD_Daemon *daemon =
		MHD_start_daemon(MHD_USE_EPOLL, 0, NULL, NULL, on_request, (void *)server,
				 MHD_OPTION_LISTEN_SOCKET, fd,
				 MHD_OPTION_CONNECTION_LIMIT, (unsigned int)MOST_OF_LIBRARY,
				 MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)MEMORY,
				 MHD_OPTION_CONNECTION_TIMEOUT, (unsigned int)IDLE_SECONDS,
				 MHD_OPTION_NOTIFY_CONNECTION, on_connection, NULL, MHD_OPTION_END);

	if (!daemon)
		fatal("libmicrohttpd cannot use the socket");
	while (MHD_run_wait(daemon, -1) == MHD_YES)
		;
	fatal("libmicrohttpd cannot wait for connections");
}
