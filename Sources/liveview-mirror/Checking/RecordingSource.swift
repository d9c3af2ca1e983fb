internal import ArgumentParser
internal import CommandSupport
internal import LiveViewMirror
internal import MarkupDocument
internal import MirrorChecks
internal import MirrorSupport
internal import RenderedTree

/// A recording that a command reads: a file, standard input, or a view of a running mirror.
/// ``CheckRecordings`` and ``CompareRecordings`` make one for each recording.
struct RecordingSource {
  let name: String
  let token: String?

  /// Whether a name is an address.
  private static func isAddress(_ name: String) -> Bool { name.hasPrefix("http://") || name.hasPrefix("https://") }

  /// The token for some recordings; `nil` if no name is an address.
  ///
  /// - Throws: the exit code, after a message for each option and variable that is wrong.
  static func token(for names: [String], _ access: TokenOptions) throws -> String? {
    names.contains(where: isAddress) ? try access.settings().token : nil
  }

  /// Reads the recording.
  func read() throws(CommandFailure) -> [UInt8] {
    if Self.isAddress(name) { return try download() }
    do throws(SystemError) { return try Input.read(name) } catch {
      throw CommandFailure(text: "cannot read \(name): \(error)", code: .noInput)
    }
  }

  /// Plays the recording.
  ///
  /// - Returns: the measurement, with the recorder that has the pages if `keepsPages`.
  func measured(
    dialect: Dialect, keepsPages: Bool = false
  ) throws(CommandFailure) -> (recorder: Recorder, measurement: Measurement) {
    let bytes = try read()
    let recorder = Recorder(
      name: name == "-" ? "standard input" : name, dialect: dialect, keepsPages: keepsPages)
    do throws(RecordingError) { return (recorder, try recorder.measure(bytes)) } catch {
      throw CommandFailure(text: Terminal.line(error.description), code: .badInput)
    }
  }

  // MARK: - A running mirror

  /// Requests the export of a view, or of all views if the address is that of the mirror.
  private func download() throws(CommandFailure) -> [UInt8] {
    let target: ExportAddress
    do throws(MirrorAddress.Failure) { target = try ExportAddress(name) } catch {
      throw CommandFailure(text: "\u{201C}\(name)\u{201D} \(error)", code: .usage)
    }
    let client = MirrorClient(address: target.mirror, token: token, timeout: .seconds(60))
    if let view = target.view { return try export(of: view, by: client) }
    let listed = try get("/views", by: client)
    let views = Self.views(in: listed.body)
    if views.isEmpty { throw CommandFailure(text: "\(name): the mirror has no view", code: .badInput) }
    var exports: [[UInt8]] = []
    for view in views { exports.append(try export(of: view, by: client)) }
    return ExportFile.joined(exports)
  }

  private func export(of view: String, by client: MirrorClient) throws(CommandFailure) -> [UInt8] {
    try get("/views/\(view)/export", by: client).body
  }

  private func get(_ path: String, by client: MirrorClient) throws(CommandFailure) -> MirrorResponse {
    let response: MirrorResponse
    do throws(MirrorClientError) { response = try client.get(path) } catch {
      throw CommandFailure(text: "\(name): \(error)", code: .unavailable)
    }
    guard response.isSuccess else {
      throw CommandFailure(text: "\(name): \(response.problemText)", code: response.exitCode)
    }
    return response
  }

  /// The ids of the views that a mirror lists.
  private static func views(in body: [UInt8]) -> [String] {
    let views = JSON(parsing: body)?.members?["views"]?.elements ?? []
    return views.compactMap { $0.members?["view"]?.text }.filter { LiveViews.isValid(id: $0) }
  }
}

/// The address of a mirror, of the page of a view, or of its export. ``RecordingSource`` parses the
/// address of a recording with it.
struct ExportAddress: Equatable {
  let mirror: MirrorAddress
  /// The id of the view; `nil` for all views.
  let view: String?

  init(_ text: String) throws(MirrorAddress.Failure) {
    var text = String(text.prefix { $0 != "#" && $0 != "?" })
    guard let views = text.firstStep("/views") else {
      (mirror, view) = (try MirrorAddress(text), nil)
      return
    }
    let rest = text[views.upperBound...].split(separator: "/")
    text = String(text[..<views.lowerBound])
    let id = rest.first.map(Self.decoded)
    if let id, !LiveViews.isValid(id: id) { throw .malformed }
    (mirror, view) = (try MirrorAddress(text), id)
  }

  /// Browsers escape `:` and `~` in some places.
  private static func decoded(_ text: Substring) -> String {
    String(text).replacing("%3A", with: ":").replacing("%3a", with: ":").replacing("%7E", with: "~").replacing(
      "%7e", with: "~")
  }
}

extension String {
  /// The first occurrence of `text` after which a slash follows or this string ends.
  fileprivate func firstStep(_ text: String) -> Range<Index>? {
    ranges(of: text).first { $0.upperBound == endIndex || self[$0.upperBound] == "/" }
  }
}
