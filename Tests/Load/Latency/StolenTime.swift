import Glibc

/// The processor time that the host gave to other virtual machines while this one had work to do:
/// *steal* in `/proc/stat`, see proc(5). Latencies from such a time say nothing about the mirror.
struct StolenTime {
  private let start = Self.ticks

  /// The stolen share of all processor time since this value was made, from 0 to 1. 0 on a machine
  /// without virtualisation.
  var share: Double {
    let end = Self.ticks
    guard end.all > start.all else { return 0 }
    return Double(end.stolen - start.stolen) / Double(end.all - start.all)
  }

  /// Ticks of all processors since the machine was started. The first eight columns are disjoint;
  /// the eighth is *steal*.
  private static var ticks: (stolen: UInt64, all: UInt64) {
    let line = contents(of: "/proc/stat")?.split(separator: "\n").first ?? ""
    let columns = line.split(separator: " ").dropFirst().prefix(8).compactMap { UInt64($0) }
    return columns.count == 8 ? (columns[7], columns.reduce(0, +)) : (0, 0)
  }
}
