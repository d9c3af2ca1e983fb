#include "CLoad.h"

#ifdef __linux__
#include <sys/epoll.h>

int load_epoll(void) { return epoll_create1(EPOLL_CLOEXEC); }

int load_watch(int epoll, int descriptor, uint64_t name) {
  struct epoll_event event = {.events = EPOLLIN | EPOLLRDHUP, .data.u64 = name};
  return epoll_ctl(epoll, EPOLL_CTL_ADD, descriptor, &event);
}

int load_forget(int epoll, int descriptor) { return epoll_ctl(epoll, EPOLL_CTL_DEL, descriptor, 0); }

int load_wait(int epoll, uint64_t *names, int count, int milliseconds) {
  struct epoll_event events[count];
  int ready = epoll_wait(epoll, events, count, milliseconds);
  for (int i = 0; i < ready; i++) names[i] = events[i].data.u64;
  return ready;
}
#endif
