#include "CPostgres.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>

// The pointers to libpq's functions, and the functions that call them.
#define POINTER(Result, name, parameters, arguments) static Result(*name##_pointer) parameters;
POSTGRES_FUNCTIONS(POINTER)

#define CALL(Result, name, parameters, arguments) \
  Result name parameters { return name##_pointer arguments; }
POSTGRES_FUNCTIONS(CALL)

static const char *const names[] = {
#ifdef __APPLE__
  "libpq.5.dylib",
  // Homebrew does not link it, because macOS has an older one.
  "/opt/homebrew/opt/libpq/lib/libpq.5.dylib",
  "/usr/local/opt/libpq/lib/libpq.5.dylib",
#else
  "libpq.so.5",
#endif
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static const char *open_library(void) {
  void *library = NULL;
  for (size_t i = 0; !library && i < sizeof names / sizeof *names; i++) library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
  if (!library) return dlerror();
#define FIND(Result, name, parameters, arguments) \
  if (!(name##_pointer = (Result(*) parameters)dlsym(library, #name))) return "it is older than PostgreSQL 14: it has no " #name;
  POSTGRES_FUNCTIONS(FIND)
  return NULL;
}

const char *postgres_open(void) {
  static int is_open = 0;
  pthread_mutex_lock(&lock);
  const char *reason = is_open ? NULL : open_library();
  is_open = reason == NULL;
  pthread_mutex_unlock(&lock);
  return reason;
}

static void ignore_notice(void *context, const PGresult *notice) {
  (void)context;
  (void)notice;
}

void postgres_ignore_notices(PGconn *connection) { PQsetNoticeReceiver(connection, ignore_notice, NULL); }
