// What Swift cannot call by itself: the variadic functions of libmicrohttpd, and its logger with a `va_list`.
#ifndef LIVEVIEW_MIRROR_CMICROHTTPD_SHIM_H
#define LIVEVIEW_MIRROR_CMICROHTTPD_SHIM_H

#include <microhttpd.h>
#include <stdarg.h>
#include <stdio.h>

// Swift has names of its own for these; a symbol with a `va_list` moreover crashes its documentation extractor.
#define SHIM_HIDDEN __attribute__((availability(swift, unavailable)))

// MARK: - Daemon

/// `options` ends with `MHD_OPTION_END`.
static inline struct MHD_Daemon *shim_start_daemon(unsigned int flags, MHD_AccessHandlerCallback handler, void *context,
                                                   const struct MHD_OptionItem *options) {
  return MHD_start_daemon(flags, 0, NULL, NULL, handler, context, MHD_OPTION_ARRAY, options, MHD_OPTION_END);
}

// MARK: - Connections

/// The socket of a connection, or -1.
static inline int shim_connection_socket(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
  return info ? (int)info->connect_fd : -1;
}

// MARK: - Log

/// Where finished lines go.
struct shim_log {
  void (*write)(void *context, const char *line);
  void *context;
};

SHIM_HIDDEN static inline void shim_log_va(void *log, const char *format, va_list arguments) {
  const struct shim_log *sink = (const struct shim_log *)log;
  char line[1024];
  int length = vsnprintf(line, sizeof line, format, arguments);
  if (length <= 0 || !sink) return;
  if (length >= (int)sizeof line) length = (int)sizeof line - 1;
  while (length > 0 && line[length - 1] == '\n') line[--length] = 0;
  sink->write(sink->context, line);
}

/// The option that sends the daemon's own messages to `log`, which must outlive the daemon.
static inline struct MHD_OptionItem shim_log_option(struct shim_log *log) {
  struct MHD_OptionItem item = {MHD_OPTION_EXTERNAL_LOGGER, (intptr_t)&shim_log_va, log};
  return item;
}

#endif
