// epoll for Swift, which cannot use its packed union.
#ifndef LIVEVIEW_MIRROR_CLOAD_H
#define LIVEVIEW_MIRROR_CLOAD_H

#include <stdint.h>

/// Makes an epoll that other programs do not inherit.
int load_epoll(void);
/// Watches a socket for bytes to read; `name` comes back from `load_wait`.
int load_watch(int epoll, int descriptor, uint64_t name);
int load_forget(int epoll, int descriptor);
/// Waits for sockets that can be read, and writes their names. Returns how many.
int load_wait(int epoll, uint64_t *names, int count, int milliseconds);

#endif
