internal import RenderedTree

/// The views of one part of a file while the part is fed. A part is the traffic of one page load.
/// If a frame is rejected because its view is missing, the usual advice is to mount the view again.
/// A file has no client that could do so, so ``explain(_:)`` gives another reason.
///
/// `LiveViews.feed` makes one for each part. It calls ``willApply(_:)`` before each frame that can
/// be read, and ``explain(_:)`` after each frame.
struct FileViews {
  private let part: LiveViews.FileTraffic.Part
  /// The id of the page that the part is fed to.
  private let page: String?
  /// The id by which reasons and places name the page; `nil` if the file has only this part.
  private let namedPage: String?
  /// The ids of the views that were mounted, in the order of their first mounts, and as a set.
  private(set) var mounted: [String] = []
  private var mountedIDs: Set<String> = []
  /// The views whose mount was rejected.
  private var refused: Set<String> = []
  /// Whether the frame that is being applied contains a Rendered.
  private var isMount = false
  /// The first rejected frames, at most ``LiveViews/FramesReport/listedRejections``.
  private(set) var rejected: [LiveViews.FramesReport.Rejected] = []

  /// - Parameter isOnly: whether the file has no other parts.
  init(_ part: LiveViews.FileTraffic.Part, page: String?, isOnly: Bool) {
    self.part = part
    self.page = page
    namedPage = isOnly ? nil : page
  }

  /// Notes a frame that is about to be applied.
  mutating func willApply(_ message: WireMessage) {
    isMount = if case .rendered = message.content { true } else { false }
  }

  /// Notes the outcome of a frame.
  ///
  /// - Returns: the outcome. A rejected frame gets its place in the file, and a reason that fits a
  ///   file.
  mutating func explain(_ outcome: LiveViews.FrameOutcome) -> LiveViews.FrameOutcome {
    defer { isMount = false }
    switch outcome {
    case .applied(let record):
      if record.version == 0, mountedIDs.insert(record.view).inserted { mounted.append(record.view) }
      return outcome
    case .ignored: return outcome
    case .rejected(var rejection):
      let view = rejection.view ?? "main"
      if isMount { refused.insert(view) }
      if rejection.error.kind.isMissing {
        rejection.error.reason = reason(ofUnknown: view, rejection.view != nil)
      }
      rejection.error.part = part.place(of: rejection.index, page: namedPage)
      rejection.error.offset = rejection.error.offset.flatMap(part.page.origin.offset(ofInput:))
      if rejected.count < LiveViews.FramesReport.listedRejections { rejected.append(rejection) }
      return .rejected(rejection)
    }
  }

  private func reason(ofUnknown view: String, _ isNamed: Bool) -> String {
    if mountedIDs.contains(view) {
      return
        "\(view) was evicted before this frame: the file has more views than the mirror keeps (--max-views, --page-bytes)"
    }
    let topic = LiveViews.topic(of: view, in: page)
    if refused.contains(view) { return "the join of \(topic) was rejected, so this frame has no page to change" }
    guard isNamed else {
      return "the file does not contain the page that this diff changes: begin with {\"rendered\": …}"
    }
    let place = namedPage.map { " on page \($0)" } ?? ""
    return "the file does not contain the join of \(topic)\(place): begin the recording before the page loads"
  }
}
