/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The socket to listen on: systemd's, or one of our own.
 */
#ifndef GVTTRACE_LISTENER_H
#define GVTTRACE_LISTENER_H

/**
 * listener_inherited - the socket that systemd passed on, as sd_listen_fds(3) describes
 *
 * By hand, as libsystemd would cost more memory than all the rest. Returns -1 if there is none; ends the program if
 * there are several, or it is not a listening stream socket.
 */
int listener_inherited(void);

/**
 * listener_open - listen on "ADDRESS:PORT"
 * @where: ADDRESS is numeric, IPv6 in brackets, or empty for all
 *
 * Ends the program on errors.
 */
int listener_open(const char *where);

#endif
