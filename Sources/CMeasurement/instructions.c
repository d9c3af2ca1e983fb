#define _GNU_SOURCE
#include "CMeasurement.h"

#if defined(__linux__)

#include <linux/perf_event.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

int measurement_open_instructions(void) {
  struct perf_event_attr attributes;
  memset(&attributes, 0, sizeof attributes);
  attributes.size = sizeof attributes;
  attributes.type = PERF_TYPE_HARDWARE;
  attributes.config = PERF_COUNT_HW_INSTRUCTIONS;
  attributes.exclude_kernel = 1;
  attributes.exclude_hv = 1;
  // glibc has no wrapper for this system call.
  return (int)syscall(SYS_perf_event_open, &attributes, 0, -1, -1, 0);
}

uint64_t measurement_instructions(int counter) {
  uint64_t value = 0;
  return read(counter, &value, sizeof value) == sizeof value ? value : 0;
}

#else

int measurement_open_instructions(void) { return -1; }
uint64_t measurement_instructions(int counter) { return (uint64_t)counter * 0; }

#endif
