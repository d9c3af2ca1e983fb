internal import Logging

#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// What swift-log writes with: one line for every event, see ``LogLine``.
///
/// Its own `StreamLogHandler` writes what it is given: a line break in a path would make a line of the log, and the time
/// is local.
struct LineLogHandler: LogHandler {
  var logLevel: Logger.Level
  var metadata: Logger.Metadata = [:]
  var metadataProvider: Logger.MetadataProvider?
  let format: LogLine.Format
  let sink: LogSink

  init(level: Logger.Level, format: LogLine.Format, sink: LogSink) {
    logLevel = level
    self.format = format
    self.sink = sink
  }

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    var values = metadata
    if let provided = metadataProvider?.get() { values.merge(provided) { _, new in new } }
    if let given = event.metadata { values.merge(given) { _, new in new } }
    if let error = event.error { values["error"] = "\(error)" }
    // A dictionary has no order: the names give one.
    let line = LogLine(
      time: Self.now, level: event.level, message: event.message.description,
      metadata: values.sorted { $0.key < $1.key }.map { ($0.key, $0.value.description) })
    sink.write(line.text(as: format)) { count in
      LogLine(
        time: line.time, level: .warning, message: "lines of the log were left out: nobody took them",
        metadata: [("count", String(count))]
      ).text(as: format)
    }
  }

  private static var now: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
  }
}
