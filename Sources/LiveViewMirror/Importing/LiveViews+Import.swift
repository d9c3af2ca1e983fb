package import MarkupDocument
internal import MirrorSupport
package import RenderedTree

extension LiveViews {
  /// The result of an import.
  package struct ImportReport: Sendable {
    package var format: Capture.Format
    /// The ids of the views, in the order of their first mounts.
    package var views: [String] = []
    /// The ids of the pages.
    package var pages: [String] = []
    /// The outcome of the frames of each page.
    package var frames: [FramesReport] = []
    /// The number of messages of the file that belong to no LiveView.
    package var skipped: Int

    package init(format: Capture.Format, skipped: Int = 0) {
      self.format = format
      self.skipped = skipped
    }
  }

  /// The ids of the views that were read from files.
  package var imported: Set<String> { listed.withLock { $0.pages.imported } }

  /// Reads the traffic of a file into views of its own. Present views are not changed: if a page or view has the id that the file
  /// names, the imported one gets another page: `ID-2`, or `import` for a file without pages.
  ///
  /// - Parameter dialect: the dialect of mounted views, if the file does not name one.
  /// - Throws: ``UpdateError`` if the file cannot be read, or has no view. No view or page is then left of it.
  package func importing(_ file: [UInt8], dialect: Dialect = .html) throws(UpdateError) -> ImportReport {
    let capture: Capture
    do throws(WireError) { capture = try CaptureReader.read(file) } catch { throw UpdateError(error) }
    // All parts are decoded before the first one is applied, so a file that cannot be read changes nothing.
    var inputs: [(page: CapturedPage, messages: [Result<WireMessage, WireError>])] = []
    for page in capture.pages { inputs.append((page, try decode(frames: page.input))) }
    var report = ImportReport(format: capture.format, skipped: capture.skipped)
    var names: [String: String] = [:]
    for (page, messages) in inputs {
      let feed = feed(for: page, messages, names: &names)
      report.add(receive(page, messages, of: feed, dialect: dialect), of: feed?.id)
    }
    guard report.views.isEmpty else { return report }
    listed.withLock { listed in for page in report.pages { listed.pages.forget(page) } }
    throw Self.withoutViews(report)
  }

  /// Feeds one part of a file.
  ///
  /// - Returns: also the views that were mounted.
  private func receive(
    _ page: CapturedPage, _ messages: [Result<WireMessage, WireError>], of feed: PageFeed?, dialect: Dialect
  ) -> (frames: FramesReport, views: [String]) {
    var views: [String] = []
    let frames = receive(messages, dialect: dialect, container: nil, of: feed) { _ in
    } each: { outcome in
      if case .applied(let record) = outcome, record.version == 0 { views.append(record.view) }
    }
    listed.withLock { listed in for view in views { listed.pages.didImport(view, at: page.viewURL.map(filter.text)) } }
    if let feed {
      if let title = page.title { _ = announce(feed.id, PageLoad.Announcement(title: title)) }
      // The page load is over; its views stay readable.
      _ = close(page: feed.id, at: page.closedAt)
    }
    return (frames, views)
  }

  /// - Parameter names: the ids of the pages of this import, by the ids that the file names.
  private func feed(
    for page: CapturedPage, _ messages: [Result<WireMessage, WireError>], names: inout [String: String]
  ) -> PageFeed? {
    guard let id = page.id.flatMap({ names[$0] }) ?? freePage(for: page, messages) else { return nil }
    if let stated = page.id { names[stated] = id }
    return PageFeed(id: id, url: page.url, openedAt: page.openedAt)
  }

  /// The id of the page that the messages are fed to; `nil` if the file names none, and none is needed.
  private func freePage(for page: CapturedPage, _ messages: [Result<WireMessage, WireError>]) -> String? {
    let stated = page.id.flatMap { Self.isValid(page: $0) ? $0 : nil }
    return listed.withLock { listed in
      if stated == nil {
        let topics = Set(messages.compactMap { try? $0.get().topic ?? "main" })
        if !topics.contains(where: { listed.views[$0] != nil }) { return nil }
      }
      let wanted = stated ?? "import"
      if listed.pages.pages[wanted] == nil { return wanted }
      // There are fewer pages than numbers.
      let numbers = 2...(listed.pages.pages.count + 2)
      return numbers.lazy.map { "\(wanted.prefix(56))-\($0)" }.first { listed.pages.pages[$0] == nil } ?? wanted
    }
  }

  private static func withoutViews(_ report: ImportReport) -> UpdateError {
    if let rejected = report.frames.lazy.flatMap(\.rejected).first {
      return UpdateError(
        .unfitting,
        reason: """
          the file has no view that can be mounted. Frame \(rejected.index): \(rejected.error.reason). A capture must contain the join \
          of its LiveView: begin it before the page loads
          """, pointer: rejected.error.pointer)
    }
    let count = report.frames.reduce(0) { $0 + $1.frames }
    return UpdateError(
      .unfitting,
      reason: """
        the file has no view: none of its \(count) frames is the reply to a LiveView's join. Begin the capture before the page loads
        """, pointer: "")
  }
}

extension LiveViews.ImportReport {
  fileprivate mutating func add(_ part: (frames: LiveViews.FramesReport, views: [String]), of page: String?) {
    frames.append(part.frames)
    for view in part.views where !views.contains(view) { views.append(view) }
    if let page, !pages.contains(page) { pages.append(page) }
  }
}
