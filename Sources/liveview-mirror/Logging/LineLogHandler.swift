internal import MirrorSupport
internal import Logging

/// The log handler of swift-log that writes one ``LogLine`` for each event. ``Serve`` makes one for
/// the logger of the server.
///
/// The `StreamLogHandler` of swift-log does not escape: a line break in a path would begin a new
/// line of the log. It also writes local time.
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
    // Sorted by name, because a dictionary has no order.
    let line = LogLine(
      time: WallClock.system.now(), level: event.level, message: event.message.description,
      metadata: values.sorted { $0.key < $1.key }.map { ($0.key, $0.value.description) })
    sink.write(line.text(as: format)) { count in
      LogLine(
        time: line.time, level: .warning, message: "log lines were dropped: standard error was not read",
        metadata: [("count", String(count))]
      ).text(as: format)
    }
  }
}
