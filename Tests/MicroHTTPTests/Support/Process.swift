#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// How many descriptors this process has open.
func openDescriptors() -> Int { entries("/proc/self/fd") }

/// How many threads it has.
func runningThreads() -> Int { entries("/proc/self/task") }

private func entries(_ path: String) -> Int {
  guard let directory = opendir(path) else { return 0 }
  defer { closedir(directory) }
  var count = 0
  while readdir(directory) != nil { count += 1 }
  return count
}
