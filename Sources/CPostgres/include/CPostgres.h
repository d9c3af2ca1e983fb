// The functions of libpq, PostgreSQL's client library, that the journal calls. libpq is not linked, because most mirrors have no
// PostgreSQL journal: it is opened by the first call of postgres_open().
//
// The declarations follow "libpq - C Library" of PostgreSQL's documentation, versions 14 to 18. libpq's major version is 5 in all of them.
#ifndef LIVEVIEW_MIRROR_CPOSTGRES_H
#define LIVEVIEW_MIRROR_CPOSTGRES_H

typedef struct pg_conn PGconn;
typedef struct pg_result PGresult;

typedef enum { CONNECTION_OK, CONNECTION_BAD } ConnStatusType;

typedef enum {
  PGRES_COMMAND_OK = 1,
  PGRES_TUPLES_OK = 2,
  PGRES_PIPELINE_SYNC = 10,
} ExecStatusType;

typedef enum { PQTRANS_INERROR = 3 } PGTransactionStatusType;

typedef struct pgNotify {
  char *relname;
  int be_pid;
  char *extra;
  struct pgNotify *next;
} PGnotify;

typedef struct {
  char *keyword;
  char *envvar;
  char *compiled;
  char *val;
  char *label;
  char *dispchar;
  int dispsize;
} PQconninfoOption;

typedef void (*PQnoticeReceiver)(void *context, const PGresult *notice);

// Result, name, parameters, arguments.
#define POSTGRES_FUNCTIONS(function) \
  function(PQconninfoOption *, PQconndefaults, (void), ()) \
  function(PQconninfoOption *, PQconninfoParse, (const char *url, char **message), (url, message)) \
  function(void, PQconninfoFree, (PQconninfoOption *options), (options)) \
  function(void, PQfreemem, (void *memory), (memory)) \
  function(PGconn *, PQconnectdbParams, (const char *const *names, const char *const *values, int expand), (names, values, expand)) \
  function(void, PQfinish, (PGconn *connection), (connection)) \
  function(ConnStatusType, PQstatus, (const PGconn *connection), (connection)) \
  function(PGTransactionStatusType, PQtransactionStatus, (const PGconn *connection), (connection)) \
  function(int, PQserverVersion, (const PGconn *connection), (connection)) \
  function(char *, PQerrorMessage, (const PGconn *connection), (connection)) \
  function(int, PQsocket, (const PGconn *connection), (connection)) \
  function(int, PQbackendPID, (const PGconn *connection), (connection)) \
  function(PQnoticeReceiver, PQsetNoticeReceiver, (PGconn *connection, PQnoticeReceiver receiver, void *context), \
    (connection, receiver, context)) \
  function(int, PQsetnonblocking, (PGconn *connection, int isOn), (connection, isOn)) \
  function(int, PQenterPipelineMode, (PGconn *connection), (connection)) \
  function(int, PQpipelineSync, (PGconn *connection), (connection)) \
  function(int, PQsendPrepare, (PGconn *connection, const char *name, const char *query, int count, const unsigned int *types), \
    (connection, name, query, count, types)) \
  function(int, PQsendQueryPrepared, (PGconn *connection, const char *name, int count, const char *const *values, \
    const int *lengths, const int *formats, int resultFormat), (connection, name, count, values, lengths, formats, resultFormat)) \
  function(int, PQflush, (PGconn *connection), (connection)) \
  function(int, PQconsumeInput, (PGconn *connection), (connection)) \
  function(int, PQisBusy, (PGconn *connection), (connection)) \
  function(PGnotify *, PQnotifies, (PGconn *connection), (connection)) \
  function(PGresult *, PQgetResult, (PGconn *connection), (connection)) \
  function(ExecStatusType, PQresultStatus, (const PGresult *result), (result)) \
  function(char *, PQresultErrorField, (const PGresult *result, int field), (result, field)) \
  function(int, PQntuples, (const PGresult *result), (result)) \
  function(char *, PQgetvalue, (const PGresult *result, int row, int column), (result, row, column)) \
  function(int, PQgetlength, (const PGresult *result, int row, int column), (result, row, column)) \
  function(void, PQclear, (PGresult *result), (result))

// Not visible to libpq, whose own calls must not arrive here.
#pragma GCC visibility push(hidden)

#define POSTGRES_DECLARE(Result, name, parameters, arguments) Result name parameters;
POSTGRES_FUNCTIONS(POSTGRES_DECLARE)

/// Opens libpq. The other functions must not be called before it has succeeded.
///
/// Returns NULL, or why libpq cannot be opened. Thread-safe; a second call has no effect.
const char *postgres_open(void);

/// A field of an error: its SQLSTATE.
static inline const char *postgres_error_code(const PGresult *result) { return PQresultErrorField(result, 'C'); }

/// A field of an error: its main message, without position and context.
static inline const char *postgres_error_message(const PGresult *result) { return PQresultErrorField(result, 'M'); }

/// Discards notices of the server, which libpq otherwise writes to standard error.
void postgres_ignore_notices(PGconn *connection);

#pragma GCC visibility pop

#endif
