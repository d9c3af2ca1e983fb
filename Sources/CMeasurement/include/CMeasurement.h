#ifndef C_MEASUREMENT_H
#define C_MEASUREMENT_H

#include <stdbool.h>
#include <stdint.h>

/// Counts allocations and instructions for the benchmarks. It replaces malloc in the program that links it, so only a program that
/// measures may link it.

#ifdef __cplusplus
extern "C" {
#endif

/// Whether allocations can be counted: with glibc, outside of sanitizers.
bool measurement_counts_allocations(void);
/// Begins or ends counting in every thread. While counting is off, an allocation costs one more load and branch.
void measurement_count_allocations(bool on);
/// The number of counted allocations, and the sum of the requested bytes.
uint64_t measurement_allocations(void);
uint64_t measurement_allocated_bytes(void);

/// Opens a counter of the instructions that this thread executes in user space. Returns -1 if the machine has no such counter or
/// does not permit its use, as in most containers and virtual machines.
int measurement_open_instructions(void);
/// The number of instructions since the counter was opened.
uint64_t measurement_instructions(int counter);

#ifdef __cplusplus
}
#endif

#endif
