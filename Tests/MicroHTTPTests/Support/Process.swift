#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// How many descriptors this process has open.
func openDescriptors() -> Int { entries("/proc/self/fd") }

/// How many threads it has.
func runningThreads() -> Int { entries("/proc/self/task") }

/// How many threads a server has that handle requests.
func serverThreads() -> Int { max(2, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }

private func entries(_ path: String) -> Int {
  guard let directory = opendir(path) else { return 0 }
  defer { closedir(directory) }
  var count = 0
  while readdir(directory) != nil { count += 1 }
  return count
}
