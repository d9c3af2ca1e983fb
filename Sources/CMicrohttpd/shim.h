// Functions for what Swift cannot call: the variadic functions of libmicrohttpd, its logger with a `va_list`, and the parts of
// the system that Swift's Glibc module does not have (epoll, eventfd, `mallopt`).
#ifndef LIVEVIEW_MIRROR_CMICROHTTPD_SHIM_H
#define LIVEVIEW_MIRROR_CMICROHTTPD_SHIM_H

#ifdef __linux__
#include <malloc.h>
#endif
#include <microhttpd.h>
#include <stdarg.h>
#include <stdio.h>

#ifdef __linux__
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>
#endif

// Hides a function from Swift: a symbol with a `va_list` crashes Swift's documentation extractor.
#define SHIM_HIDDEN __attribute__((availability(swift, unavailable)))

// MARK: - Daemon

/// Calls the variadic `MHD_start_daemon`. `options` must end with `MHD_OPTION_END`.
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

/// The pointer that `noteConnection` stored for a connection, or NULL.
static inline void *shim_connection_context(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
  return info ? info->socket_context : NULL;
}

/// The size of the current request's head in bytes, or 0.
static inline size_t shim_connection_head_size(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info =
      MHD_get_connection_info(connection, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE);
  return info ? info->header_size : 0;
}

/// The status of the response to the current request, or 0.
static inline unsigned int shim_connection_status(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_HTTP_STATUS);
  return info ? info->http_status : 0;
}

// MARK: - Sockets

/// The system's counters of a TCP socket.
struct shim_socket_progress {
  /// Bytes that the socket has received, and sent bytes that the client's system has acknowledged.
  uint64_t received, acknowledged;
  /// Whether some written bytes are not sent or not acknowledged.
  int is_pending;
  /// Whether the client has closed the connection or its writing side.
  int is_closed;
};

/// Reads the counters of a socket. Returns 0 if the system has none.
///
/// They are read at their offsets in the kernel's `struct tcp_info`: glibc's struct lacks these fields, and the kernel's header
/// cannot be included together with glibc's.
static inline int shim_socket_progress(int descriptor, struct shim_socket_progress *progress) {
#ifdef __linux__
  enum { tcp = 6, tcp_info = 11, closed = 7, close_wait = 8 };
  enum { unacknowledged = 24, acknowledged = 120, received = 128, unsent = 144, wanted = 148 };
  char info[256];
  socklen_t length = sizeof info;
  if (getsockopt(descriptor, tcp, tcp_info, info, &length) != 0 || length < wanted) return 0;
  uint32_t packets, bytes;
  memcpy(&progress->received, info + received, sizeof progress->received);
  memcpy(&progress->acknowledged, info + acknowledged, sizeof progress->acknowledged);
  memcpy(&packets, info + unacknowledged, sizeof packets);
  memcpy(&bytes, info + unsent, sizeof bytes);
  progress->is_closed = info[0] == close_wait || info[0] == closed;
  progress->is_pending = packets > 0 || bytes > 0;
  return 1;
#else
  (void)descriptor;
  (void)progress;
  return 0;
#endif
}

// MARK: - Responses

/// Sends the response without chunks, and closes the connection after it.
static inline void shim_send_unchunked(struct MHD_Response *response) {
  MHD_set_response_options(response, MHD_RF_HTTP_1_0_COMPATIBLE_STRICT, MHD_RO_END);
}

// MARK: - Hang-ups

#ifdef __linux__

/// Opens an epoll instance. Returns -1 after a failure.
static inline int shim_events_open(void) { return epoll_create1(EPOLL_CLOEXEC); }

/// Adds an eventfd, with the id 0, that ends a wait when it is written to. Returns its descriptor; -1 after a failure.
static inline int shim_events_add_wake(int events) {
  int wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  struct epoll_event event = {.events = EPOLLIN, .data = {.u64 = 0}};
  if (wake < 0 || epoll_ctl(events, EPOLL_CTL_ADD, wake, &event) == 0) return wake;
  close(wake);
  return -1;
}

/// Adds a socket that is reported once, when the client has closed the connection or its writing side.
static inline int shim_events_add(int events, int descriptor, uint64_t id) {
  struct epoll_event event = {.events = EPOLLRDHUP | EPOLLHUP | EPOLLONESHOT, .data = {.u64 = id}};
  return epoll_ctl(events, EPOLL_CTL_ADD, descriptor, &event);
}

/// Adds a listening socket that is reported once, when there is a connection to accept. `again` re-arms a socket that was
/// reported.
static inline int shim_events_add_listener(int events, int descriptor, uint64_t id, int again) {
  struct epoll_event event = {.events = EPOLLIN | EPOLLONESHOT, .data = {.u64 = id}};
  return epoll_ctl(events, again ? EPOLL_CTL_MOD : EPOLL_CTL_ADD, descriptor, &event);
}

static inline int shim_events_remove(int events, int descriptor) {
  struct epoll_event event = {.events = 0};
  return epoll_ctl(events, EPOLL_CTL_DEL, descriptor, &event);
}

/// Waits for events, and writes the ids of the reported sockets to `ids`; the eventfd has the id 0. Returns the number of ids.
static inline int shim_events_wait(int events, uint64_t *ids, int capacity, int milliseconds) {
  struct epoll_event found[64];
  int count = epoll_wait(events, found, capacity < 64 ? capacity : 64, milliseconds);
  for (int i = 0; i < count; i++) ids[i] = found[i].data.u64;
  return count < 0 ? 0 : count;
}

static inline void shim_events_wake(int wake) { eventfd_write(wake, 1); }

static inline void shim_events_clear_wake(int wake) {
  eventfd_t value;
  eventfd_read(wake, &value);
}

#endif

// MARK: - Memory

/// Makes glibc's allocator use one heap for all threads from now on. No effect with other allocators.
static inline void shim_share_heap(void) {
#ifdef __GLIBC__
  mallopt(M_ARENA_MAX, 1);
#endif
}

/// Sets two fixed thresholds of glibc's allocator: blocks of `mapped` bytes or more get a mapping of their own, and the end of
/// the heap is returned to the system when more than `trimmed` bytes there are free. Without fixed values, freeing a mapped block
/// of up to 32 MiB raises the first threshold to its size and the second to twice its size.
static inline void shim_bound_heap(size_t mapped, size_t trimmed) {
#ifdef __GLIBC__
  mallopt(M_MMAP_THRESHOLD, (int)mapped);
  mallopt(M_TRIM_THRESHOLD, (int)trimmed);
#else
  (void)mapped;
  (void)trimmed;
#endif
}

// MARK: - Log

/// The receiver of libmicrohttpd's log lines, each without its line feed.
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

/// The option that makes libmicrohttpd write its log to `log`, which must outlive the daemon.
static inline struct MHD_OptionItem shim_log_option(struct shim_log *log) {
  struct MHD_OptionItem item = {MHD_OPTION_EXTERNAL_LOGGER, (intptr_t)&shim_log_va, log};
  return item;
}

#endif
