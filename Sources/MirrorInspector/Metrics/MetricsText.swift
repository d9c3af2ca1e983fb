internal import LiveViewMirror

/// Prometheus' text format: families of samples. ``Metrics`` writes all of them for each
/// `GET /metrics`. ``begin(_:_:_:)`` must precede the samples of a family.
struct MetricsText {
  enum Kind: String {
    case counter
    case gauge
    case histogram
  }

  private(set) var bytes: [UInt8] = []
  private var family = ""

  /// Begins a family. The samples that follow belong to it.
  mutating func begin(_ name: String, _ kind: Kind, _ help: String) {
    family = name
    add("# HELP \(name) \(Self.escaped(help, quotes: false))\n# TYPE \(name) \(kind.rawValue)\n")
  }

  mutating func sample(_ labels: [(String, String)] = [], suffix: String = "", _ value: some CustomStringConvertible) {
    let list = labels.map { "\($0.0)=\"\(Self.escaped($0.1, quotes: true))\"" }.joined(separator: ",")
    add("\(family)\(suffix)\(list.isEmpty ? "" : "{\(list)}") \(value)\n")
  }

  mutating func histogram(_ histogram: Histogram, _ labels: [(String, String)] = []) {
    var below = 0
    for (bound, count) in zip(histogram.bounds, histogram.counts) {
      below += count
      sample(labels + [("le", Self.secondsText(nanoseconds: bound))], suffix: "_bucket", below)
    }
    sample(labels + [("le", "+Inf")], suffix: "_bucket", histogram.count)
    sample(labels, suffix: "_sum", Self.secondsText(nanoseconds: histogram.sum))
    sample(labels, suffix: "_count", histogram.count)
  }

  /// Writes a counter with one sample. Its name gets the prefix of the mirror.
  mutating func counter(_ name: String, _ help: String, _ value: some CustomStringConvertible) {
    single(Self.prefix + name, .counter, help, value)
  }

  /// Writes a gauge with one sample. Its name gets the prefix of the mirror.
  mutating func gauge(_ name: String, _ help: String, _ value: some CustomStringConvertible) {
    single(Self.prefix + name, .gauge, help, value)
  }

  /// Writes a family with one sample, without the prefix.
  mutating func single(_ name: String, _ kind: Kind, _ help: String, _ value: some CustomStringConvertible) {
    begin(name, kind, help)
    sample([], value)
  }

  /// A decimal fraction without rounding: `0.00025`.
  static func secondsText(nanoseconds: Int) -> String {
    let (seconds, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    guard rest > 0 else { return String(seconds) }
    var digits = String(rest)
    digits = String(repeating: "0", count: 9 - digits.count) + digits
    while digits.last == "0" { digits.removeLast() }
    return "\(seconds).\(digits)"
  }

  static func secondsText(microseconds: Int) -> String { secondsText(nanoseconds: microseconds * 1_000) }

  private mutating func add(_ text: String) { bytes.append(contentsOf: text.utf8) }

  private static func escaped(_ text: String, quotes: Bool) -> String {
    text.unicodeScalars.map { scalar in
      switch scalar {
      case "\\": "\\\\"
      case "\n": "\\n"
      case "\"" where quotes: "\\\""
      default: String(scalar)
      }
    }.joined()
  }
}

/// All families, by name.
extension MetricsText {
  private static let prefix = "liveview_mirror_"

  mutating func write(build version: String) {
    begin(Self.prefix + "build_info", .gauge, "The program's version; always 1.")
    sample([("version", version)], 1)
  }

  mutating func write(_ requests: RequestCounts) {
    let routes = requests.routes.map { (name: $0.pattern ?? "none", counts: $0) }.sorted { $0.name < $1.name }
    begin(
      Self.prefix + "http_requests_total", .counter,
      "Requests by method, route and status. The route is none for a request that matched no route.")
    for (route, counts) in routes {
      for (outcome, count) in counts.outcomes.sorted(by: {
        ($0.outcome.method, $0.outcome.status) < ($1.outcome.method, $1.outcome.status)
      }) {
        sample([("method", outcome.method), ("route", route), ("status", String(outcome.status))], count)
      }
    }
    begin(
      Self.prefix + "http_request_seconds", .histogram,
      "Time from the first line of a request until its response was made or its event stream began.")
    for (route, counts) in routes { histogram(counts.time, [("route", route)]) }
    counter("http_received_bytes_total", "Bytes of the bodies of requests.", requests.received)
    counter("http_sent_bytes_total", "Bytes of the bodies of responses, without streams.", requests.sent)
  }

  mutating func write(_ updates: UpdateCounts, _ usage: MirrorUsage) {
    counter("mounts_total", "Mounts, including remounts.", updates.mounts)
    counter("diffs_total", "Diffs that were applied.", updates.diffs)
    counter("full_diffs_total", "Diffs for which the whole page was rendered, parsed and compared.", updates.full)
    counter("rejected_total", "Pages and diffs that did not fit their view.", updates.rejected)
    counter(
      "stale_frames_total", "Frames of another join than the current one, which were ignored.",
      usage.kept.staleFrameCount)
    counter("input_bytes_total", "Bytes of pages and diffs, rejected ones among them.", updates.bytes)
    begin(Self.prefix + "changes_total", .counter, "Changes of nodes by kind.")
    for (name, count) in [
      ("text", updates.changes.text), ("attributes", updates.changes.attributes), ("add", updates.changes.add),
      ("remove", updates.changes.remove), ("move", updates.changes.move),
    ] {
      sample([("op", name)], count)
    }
    counter("notifications_total", "Subscribers that were notified of a change.", updates.notifications)
    begin(Self.prefix + "update_seconds", .histogram, "Duration of a mount or a diff, all stages together.")
    histogram(updates.time)
    begin(Self.prefix + "stage_seconds_total", .counter, "Time by stage of the update process.")
    for (name, microseconds) in updates.stages.stages {
      sample([("stage", name)], Self.secondsText(microseconds: microseconds))
    }
    gauge("views", "Views that are mounted.", usage.kept.views)
    gauge("nodes", "Nodes of the views that were updated since the start of the mirror.", updates.nodes)
    begin(Self.prefix + "views_removed_total", .counter, "Removed views, by reason.")
    for reason in RemovalReason.allCases { sample([("reason", reason.rawValue)], updates.removed[reason] ?? 0) }
    begin(Self.prefix + "evicted_total", .counter, "Views and log entries that were evicted because of a limit.")
    sample([("what", "view")], updates.removed[.evicted] ?? 0)
    sample([("what", "log_entry")], usage.kept.evictedEntries)
  }

  mutating func write(_ usage: MirrorUsage) {
    gauge("log_entries", "Entries of the logs of all views.", usage.kept.logEntries)
    gauge("log_bytes", "Estimated memory of the logs of all views in bytes.", usage.kept.logBytes)
    gauge("clients", "Clients that read a stream of events.", usage.clients)
    gauge("subscriptions", "Subscriptions made over HTTP.", usage.subscriptions)
    gauge("followed_nodes", "Children that subscriptions follow.", usage.followedNodes)
    begin(Self.prefix + "limit", .gauge, "The limits of the mirror, by name.")
    for bound in usage.bounds { sample([("what", bound.name)], bound.value) }
  }

  mutating func write(_ process: ProcessUsage) {
    single("process_start_time_seconds", .gauge, "Start time of the program in seconds since 1970.", process.start)
    single(
      "process_cpu_seconds_total", .counter, "Processor time of the program and of the system for it.",
      Self.secondsText(nanoseconds: process.cpuNanoseconds))
    let levels = [
      ("resident_memory_bytes", "Resident memory of the program in bytes.", process.residentBytes),
      ("open_fds", "Open file descriptors.", process.openDescriptorCount),
      ("max_fds", "Maximum number of open file descriptors.", process.maximumDescriptors),
      ("threads", "Threads of the program.", process.threads),
    ]
    for case (let name, let help, let value?) in levels { single("process_\(name)", .gauge, help, value) }
  }
}
