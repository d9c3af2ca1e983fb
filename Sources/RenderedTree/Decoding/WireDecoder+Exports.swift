/// The members of an export's lines that a feed's lines do not have.
extension WireDecoder.Reader {
  /// The first member of an export: `{"liveview_mirror": {"export": 1, …}}`.
  static var exportMark: String { "liveview_mirror" }

  /// Decodes `{"view": "main", "destroyed": [1, 2]}`: components that the server has destroyed.
  func destroyed(_ components: Int) throws(WireError) -> WireMessage {
    guard tape.kind(components) == .array else { throw wrong("\"destroyed\" must be an array", at: components) }
    return WireMessage(content: .destroyed(components: tape.elements(components).compactMap(tape.integer)))
  }

  /// - Returns: `nil` if the line is neither from an export nor a resumption.
  func exported(_ line: Int) throws(WireError) -> ExportedUpdate? {
    let (epoch, content) = (try only("epoch", of: line), try only("over", of: line))
    let (before, cause) = (try only("before", of: line), try only("cause", of: line))
    if epoch == nil, content == nil, before == nil, cause == nil { return nil }
    return ExportedUpdate(
      epoch: try epoch.map(epochNumber),
      content: try content.map { value throws(WireError) in try text("over", value) },
      markupBefore: try before.map { value throws(WireError) in try text("before", value) },
      cause: try cause.flatMap(exportedCause))
  }

  private func text(_ name: String, _ value: Int) throws(WireError) -> String {
    guard let text = tape.string(value) else { throw wrong("\"\(name)\" must be a string", at: value) }
    return text
  }

  private func epochNumber(_ value: Int) throws(WireError) -> Int {
    guard let epoch = tape.integer(value), (1...ExportedUpdate.highestEpoch).contains(epoch) else {
      throw wrong("\"epoch\" must be a number from 1 to \(ExportedUpdate.highestEpoch)", at: value)
    }
    return epoch
  }

  private func exportedCause(_ value: Int) throws(WireError) -> ExportedUpdate.Cause? {
    if tape.isNull(value) { return nil }
    guard let event = tape.member("event", of: value).flatMap(tape.string),
      let ref = tape.member("ref", of: value).flatMap(tape.string)
    else { throw wrong("\"cause\" must have an \"event\" and a \"ref\"", at: value) }
    return ExportedUpdate.Cause(
      event: clientEvent(name: event, members: value, target: "target"), ref: ref,
      latency: tape.member("latency_ms", of: value).flatMap(tape.number).flatMap(FrameLine.time))
  }
}
