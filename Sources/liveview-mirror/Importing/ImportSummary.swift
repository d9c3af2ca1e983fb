internal import LiveViewMirror
internal import MirrorSupport
internal import RenderedTree

/// The result of an import of one file, by this process or by a running mirror. ``ImportFiles``
/// prints it.
struct ImportSummary: Equatable {
  /// The format of the file, as `docs/http-api.md` calls it.
  var format: String
  var views: [String]
  var pages: Int
  var frames: Int
  var applied: Int
  /// The number of messages that belong to no LiveView.
  var skipped: Int
  /// The views whose first versions were evicted, because the bounds of the mirror are smaller than
  /// the file. A view that is not in `views` was evicted itself.
  var incomplete: [String]
  /// The number of rejected frames.
  var rejectedFrameCount: Int
  /// The first rejected frames, each with its place and the reason.
  var rejected: [String]

  init(_ report: LiveViews.ImportReport) {
    format = report.format.rawValue
    views = report.views
    pages = report.pages.count
    frames = report.frames.reduce(0) { $0 + $1.frames }
    applied = report.frames.reduce(0) { $0 + $1.applied }
    skipped = report.skipped
    incomplete = report.incomplete
    rejectedFrameCount = report.frames.reduce(0) { $0 + $1.rejectedFrameCount }
    rejected = report.frames.flatMap(\.rejected).prefix(Self.listedRejections).map {
      Self.rejectionText(frame: $0.index, view: $0.view, reason: $0.error.description)
    }
  }

  /// Reads the response of `POST /views`; `nil` if it is not one.
  init?(_ response: [UInt8]) {
    guard let members = JSON(parsing: response)?.members, let format = members["format"]?.text else { return nil }
    func number(_ name: String) -> Int { members[name]?.integer ?? 0 }
    func list(_ name: String) -> [JSON] { members[name]?.elements ?? [] }
    func strings(_ name: String) -> [String] { list(name).compactMap(\.text) }
    self.format = format
    views = strings("views")
    pages = list("pages").count
    frames = number("frames")
    applied = number("applied")
    skipped = number("skipped_messages")
    incomplete = strings("incomplete_views")
    rejectedFrameCount = number("rejected_frames")
    rejected = list("rejected").prefix(Self.listedRejections).compactMap { element in
      guard let frame = element.members?["frame"]?.integer, let problem = element.members?["problem"] else {
        return nil
      }
      return Self.rejectionText(
        frame: frame, view: element.members?["view"]?.text,
        reason: ProblemText(Array(problem.encoded.utf8))?.detail ?? "")
    }
  }

  /// Moves views that were evicted since the import from ``views`` to ``incomplete``.
  ///
  /// - Parameter isEvicted: whether the mirror does not have a view any more.
  mutating func evict(_ isEvicted: (String) -> Bool) {
    let evicted = views.filter(isEvicted)
    let known = Set(incomplete)
    incomplete += evicted.filter { !known.contains($0) }
    views.removeAll(where: isEvicted)
  }

  private static let listedRejections = 5
  private static let listedViews = 5

  private static func rejectionText(frame: Int, view: String?, reason: String) -> String {
    Terminal.line("frame \(frame)\(view.map { " of \($0)" } ?? "") was rejected: \(reason)")
  }

  /// One line about the file.
  var text: String {
    let others = frames - applied - rejectedFrameCount
    var parts = ["\(Self.countText(applied, "update")), \(Self.countText(others, "other frame"))"]
    if skipped > 0 { parts.append("\(Self.countText(skipped, "message")) of no LiveView skipped") }
    if rejectedFrameCount > 0 { parts.append("\(Self.countText(rejectedFrameCount, "frame")) rejected") }
    let place = pages > 0 ? " on \(Self.countText(pages, "page"))" : ""
    return "\(format): \(Self.countText(views.count, "view"))\(place); \(parts.joined(separator: "; "))"
  }

  /// Lines about the parts of the file that the mirror does not show: rejected frames, missing
  /// versions and evicted views.
  ///
  /// - Parameter file: the name of the file.
  func warnings(about file: String) -> [String] {
    var lines = rejected.map { "\(file): \($0)" }
    if rejectedFrameCount > rejected.count {
      lines.append(
        "\(file): \(rejectedFrameCount - rejected.count) more frames were rejected; liveview-mirror replay lists all")
    }
    let present = Set(views)
    let (cut, evicted) = (incomplete.filter(present.contains), incomplete.filter { !present.contains($0) })
    if !cut.isEmpty {
      lines.append(
        """
        \(file): the mirror keeps fewer versions than the file has, so the first ones are missing of \
        \(Self.viewsText(cut)): raise --versions, --log-bytes and --page-bytes of the mirror, and import again
        """)
    }
    if !evicted.isEmpty {
      lines.append(
        """
        \(file): \(Self.countText(evicted.count, "view")) \(evicted.count == 1 ? "was" : "were") evicted again, because the mirror \
        keeps fewer than the files have: \(Self.viewsText(evicted)). Raise --max-views and --page-bytes of the mirror, and import again
        """)
    }
    return lines
  }

  /// The addresses at which the views open at their first version.
  ///
  /// - Parameter mirror: the address of the mirror.
  func addresses(in mirror: String) -> [String] {
    let incomplete = Set(incomplete)
    return views.map { "\(mirror)/views/\($0)\(incomplete.contains($0) ? "" : "?version=0")" }
  }

  /// The first views of a list.
  private static func viewsText(_ views: [String]) -> String {
    let others = views.count - listedViews
    return views.prefix(listedViews).joined(separator: ", ") + (others > 0 ? " and \(others) more" : "")
  }

  private static func countText(_ number: Int, _ noun: String) -> String {
    "\(number) \(noun)\(number == 1 ? "" : "s")"
  }
}
