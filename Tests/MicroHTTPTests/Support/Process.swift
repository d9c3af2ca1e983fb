import CLibrary

/// The number of open file descriptors of this process.
func openDescriptorCount() -> Int { entries("/proc/self/fd") }

/// The number of threads of this process.
func runningThreads() -> Int { entries("/proc/self/task") }

/// The number of event loops of a server, each with one thread.
func serverThreads() -> Int { max(2, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }

private func entries(_ path: String) -> Int {
  guard let directory = opendir(path) else { return 0 }
  defer { closedir(directory) }
  var count = 0
  while readdir(directory) != nil { count += 1 }
  return count
}
