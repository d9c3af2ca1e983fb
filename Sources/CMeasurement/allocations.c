#include "CMeasurement.h"

#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define SANITIZED 1
#endif
#endif

static atomic_bool counting;
static _Atomic uint64_t allocations;
static _Atomic uint64_t allocated_bytes;

void measurement_count_allocations(bool on) { atomic_store(&counting, on); }
uint64_t measurement_allocations(void) { return atomic_load(&allocations); }
uint64_t measurement_allocated_bytes(void) { return atomic_load(&allocated_bytes); }

#if defined(__GLIBC__) && !defined(SANITIZED)

bool measurement_counts_allocations(void) { return true; }

// glibc's own allocator, under the names that glibc keeps for programs that replace malloc. Its memory can be freed by the original
// free, so free is not replaced. dlsym is not used, because it would allocate before the replacement is ready.
extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

static inline void count(size_t size) {
  if (atomic_load_explicit(&counting, memory_order_relaxed)) {
    atomic_fetch_add_explicit(&allocations, 1, memory_order_relaxed);
    atomic_fetch_add_explicit(&allocated_bytes, size, memory_order_relaxed);
  }
}

void *malloc(size_t size) {
  count(size);
  return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
  count(number * size);
  return __libc_calloc(number, size);
}

void *realloc(void *block, size_t size) {
  count(size);
  return __libc_realloc(block, size);
}

void *memalign(size_t alignment, size_t size) {
  count(size);
  return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }

int posix_memalign(void **block, size_t alignment, size_t size) {
  if (alignment % sizeof(void *) != 0 || (alignment & (alignment - 1)) != 0 || alignment == 0) return EINVAL;
  void *memory = memalign(alignment, size);
  if (memory == NULL) return ENOMEM;
  *block = memory;
  return 0;
}

#else

bool measurement_counts_allocations(void) { return false; }

#endif
