// A server that measures libmicrohttpd alone: it answers every request with a constant. Its flags and limits are those of
// Sources/MicroHTTP/Daemon/Daemon.swift. The mirror's throughput is compared with this program.
//
//   cc -O2 -o bare bare.c -lmicrohttpd && ./bare      prints its port, and serves until standard input ends
#include <arpa/inet.h>
#include <microhttpd.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static const char body[] = "{\"status\":\"ok\"}";

static enum MHD_Result answer(void *context, struct MHD_Connection *connection, const char *target, const char *method,
                              const char *version, const char *upload, size_t *upload_size, void **slot) {
  (void)context, (void)target, (void)method, (void)version, (void)upload;
  // As in the mirror, a request is answered after its whole body has arrived.
  if (!*slot) {
    *slot = (void *)body;
    return MHD_YES;
  }
  if (*upload_size) {
    *upload_size = 0;
    return MHD_YES;
  }
  struct MHD_Response *response =
      MHD_create_response_from_buffer(sizeof body - 1, (void *)body, MHD_RESPMEM_PERSISTENT);
  MHD_add_response_header(response, "Content-Type", "application/json");
  enum MHD_Result result = MHD_queue_response(connection, MHD_HTTP_OK, response);
  MHD_destroy_response(response);
  return result;
}

int main(void) {
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  socklen_t length = sizeof address;
  int listener = socket(AF_INET, SOCK_STREAM, 0);
  if (bind(listener, (struct sockaddr *)&address, length) || listen(listener, SOMAXCONN)
      || getsockname(listener, (struct sockaddr *)&address, &length))
    return perror("bare"), 1;

  long cores = sysconf(_SC_NPROCESSORS_ONLN);
  unsigned int flags = MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_ERROR_LOG;
  struct MHD_Daemon *daemon = MHD_start_daemon(
      flags, 0, NULL, NULL, answer, NULL, MHD_OPTION_LISTEN_SOCKET, listener, MHD_OPTION_THREAD_POOL_SIZE,
      (unsigned int)(cores < 2 ? 2 : cores), MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)16 << 10,
      MHD_OPTION_CONNECTION_TIMEOUT, 60u, MHD_OPTION_END);
  if (!daemon) return fputs("bare: cannot start\n", stderr), 1;

  printf("%d\n", ntohs(address.sin_port));
  fflush(stdout);
  char byte;
  while (read(STDIN_FILENO, &byte, 1) > 0) {}
  MHD_stop_daemon(daemon);
  return 0;
}
