#ifndef C_MEASUREMENT_H
#define C_MEASUREMENT_H

#include <stdbool.h>
#include <stdint.h>

/// What the benchmarks count and Swift cannot see. Link it into a program of its own only: it replaces malloc there.

#ifdef __cplusplus
extern "C" {
#endif

/// Whether allocations can be counted: with glibc, outside of sanitizers.
bool measurement_counts_allocations(void);
/// Begins or ends counting, in every thread. Not counted, an allocation costs one more load and branch.
void measurement_count_allocations(bool on);
/// How many allocations were made while counting, and their bytes as asked for.
uint64_t measurement_allocations(void);
uint64_t measurement_allocated_bytes(void);

/// A counter of the instructions that this thread executes in user space; -1 where the machine or its rules have none,
/// as in most containers and virtual machines.
int measurement_open_instructions(void);
/// How many since it was opened.
uint64_t measurement_instructions(int counter);

/// Gives free memory of the heap back to the system, so that what is resident is in use.
void measurement_trim_heap(void);

#ifdef __cplusplus
}
#endif

#endif
