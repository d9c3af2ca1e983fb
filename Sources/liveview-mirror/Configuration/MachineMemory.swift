internal import MirrorSupport

/// How much memory the process may have. ``Serve`` reads it for the ``MemoryPlan``.
enum MachineMemory {
  /// The least of these, in bytes: the memory of the machine, the limit of each control group that
  /// the process is in (Linux, cgroups(7)), and the limit of its address space (`ulimit -v`). `nil`
  /// if the system reports none.
  static var bytes: Int? {
    let groups = SystemFile.text(of: "/proc/self/cgroup") ?? ""
    let limits =
      [machine, ResourceLimit.addressSpace]
      + limitFiles(of: groups).map { SystemFile.text(of: $0).flatMap(number(in:)) }
    return limits.compactMap(\.self).min()
  }

  /// The files with the memory limits of a process's control groups, and of the groups that contain
  /// these, whose limits apply too. Not every system has all of these files.
  ///
  /// - Parameter groups: the text of `/proc/self/cgroup`: lines such as `0::/user.slice/app`
  ///   (version 2) and `4:memory:/app` (version 1).
  static func limitFiles(of groups: String) -> [String] {
    groups.split(separator: "\n").flatMap { line -> [String] in
      let parts = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
      guard parts.count == 3 else { return [] }
      let (folder, file): (String, String)
      switch parts[1] {
      case "": (folder, file) = ("/sys/fs/cgroup", "memory.max")
      case "memory": (folder, file) = ("/sys/fs/cgroup/memory", "memory.limit_in_bytes")
      default: return []
      }
      let names = parts[2].split(separator: "/")
      return (0...names.count).map { ([folder] + names.prefix($0).map(String.init) + [file]).joined(separator: "/") }
    }
  }

  private static var machine: Int? {
    SystemFile.number(after: "MemTotal:", in: "/proc/meminfo").map { $0 << 10 }
  }

  /// The first number of a text; `nil` for `max`.
  private static func number(in text: some StringProtocol) -> Int? {
    text.split(whereSeparator: \.isWhitespace).first.flatMap { Int($0) }
  }
}
