internal import MirrorSupport

/// The program that listens on a port, for an error that says why the port is not free.
enum PortUser {
  /// Such as `beam.smp (process 4711)`. `nil` if Linux does not report it: the process belongs to another user, or to another container.
  static func description(of port: UInt16) -> String? {
    let sockets = Set(
      ["tcp", "tcp6"].flatMap { listening(on: port, in: SystemFile.text(of: "/proc/net/\($0)") ?? "") })
    guard !sockets.isEmpty, let processes = SystemFile.names(in: "/proc") else { return nil }
    for process in processes where process.first?.isNumber == true {
      let descriptors = "/proc/\(process)/fd"
      for descriptor in SystemFile.names(in: descriptors) ?? [] {
        guard let socket = SystemFile.target(of: "\(descriptors)/\(descriptor)"), sockets.contains(socket) else {
          continue
        }
        let name = SystemFile.text(of: "/proc/\(process)/comm").map { String($0.prefix { $0 != "\n" }) }
        return "\(name ?? "another program") (process \(process))"
      }
    }
    return nil
  }

  /// The sockets that listen on a port, as descriptors refer to them: `socket:[123]`.
  ///
  /// - Parameter table: the text of `/proc/net/tcp`: after a line of titles, each socket with address and port in hexadecimal, its state
  ///   in the fourth column and its number in the tenth (Linux, proc_pid_net(5)).
  static func listening(on port: UInt16, in table: String) -> [String] {
    table.split(separator: "\n").dropFirst().compactMap { line in
      let columns = line.split(separator: " ")
      guard columns.count > 9, columns[3] == "0A", let written = columns[1].split(separator: ":").last,
        UInt16(written, radix: 16) == port
      else { return nil }
      return "socket:[\(columns[9])]"
    }
  }
}
