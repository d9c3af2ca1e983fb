// epoll for Swift, which cannot import the packed union of `epoll_event`.
#ifndef LIVEVIEW_MIRROR_CLOAD_H
#define LIVEVIEW_MIRROR_CLOAD_H

#include <stdint.h>

/// Opens an epoll instance that child processes do not inherit.
int load_epoll(void);
/// Adds a socket. `load_wait` returns `name` when the socket has bytes to read.
int load_watch(int epoll, int descriptor, uint64_t name);
int load_forget(int epoll, int descriptor);
/// Waits until sockets can be read, and writes the names of at most `count` of them to `names`. Returns their number.
int load_wait(int epoll, uint64_t *names, int count, int milliseconds);

#endif
