// libpq, and functions for its macros and callbacks.
#ifndef LIVEVIEW_MIRROR_CPOSTGRES_SHIM_H
#define LIVEVIEW_MIRROR_CPOSTGRES_SHIM_H

#include <libpq-fe.h>

/// A field of an error: its SQLSTATE.
static inline const char *shim_error_code(const PGresult *result) {
  return PQresultErrorField(result, PG_DIAG_SQLSTATE);
}

/// A field of an error: its main message, without position and context.
static inline const char *shim_error_message(const PGresult *result) {
  return PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY);
}

static inline void shim_ignore_notice(void *context, const PGresult *notice) {
  (void)context;
  (void)notice;
}

/// Discards notices of the server, which libpq otherwise writes to standard error.
static inline void shim_ignore_notices(PGconn *connection) {
  PQsetNoticeReceiver(connection, shim_ignore_notice, NULL);
}

#endif
