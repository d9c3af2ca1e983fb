package import MarkupDocument
internal import MirrorSupport
package import RenderedTree

/// How the traffic of files is read: `POST /views` imports a file into the running mirror, and
/// `replay` and `check` feed it to a mirror of their own.
extension LiveViews {
  /// The result of an import.
  package struct ImportReport: Sendable {
    package var format: Capture.Format
    /// The ids of the views that the mirror has, in the order of their first mounts.
    package var views: [String] = []
    /// The ids of the pages.
    package var pages: [String] = []
    /// The outcome of the frames of each page.
    package var frames: [FramesReport] = []
    /// The views that do not have all their versions, because the bounds of the mirror are smaller
    /// than the file. Those that are not in ``views`` were evicted.
    package var incomplete: [String] = []
    /// The number of messages of the file that belong to no LiveView.
    package var skipped: Int

    package init(format: Capture.Format, skipped: Int = 0) {
      self.format = format
      self.skipped = skipped
    }
  }

  /// Reads the traffic of a file into views of its own. Present views are not changed. If the
  /// mirror already has a page with the id that the file states, the imported page gets another id,
  /// such as `ID-2`. If the file states no page, and the mirror already has one of its views, the
  /// views of the file get the page `import`.
  ///
  /// - Parameter dialect: the dialect of mounted views, if the file does not name one.
  /// - Throws: ``UpdateError`` if the file cannot be read or has no view. Then no view or page of
  ///   the file remains. It also throws if the journal does not keep all changes. Then the views
  ///   and pages that it has kept in part remain.
  package func importing(_ file: [UInt8], dialect: Dialect = .html) throws(UpdateError) -> ImportReport {
    let traffic = try traffic(of: file)
    try checkJournal()
    let ticket = journalTicket
    let report = feed(traffic, dialect: dialect)
    if let error = report.frames.lazy.compactMap(\.unkept).first { throw error }
    try settle(after: ticket)
    // Waits, so that imports do not outrun the unloading of views.
    waitUntilFree()
    guard report.views.isEmpty, report.incomplete.isEmpty else { return report }
    changeDirectory { directory in for page in report.pages { directory.pages.forget(page) } }
    throw Self.withoutViews(report, of: traffic)
  }

  /// Reads a file. All parts are decoded before one is fed, so a file that cannot be read changes
  /// nothing.
  ///
  /// - Throws: ``UpdateError`` if the file cannot be read, with what to do about it.
  package func traffic(of file: [UInt8]) throws(UpdateError) -> FileTraffic {
    let capture: Capture
    do throws(WireError) { capture = try CaptureReader.read(file) } catch { throw UpdateError(error) }
    var traffic = FileTraffic(format: capture.format, skipped: capture.skipped)
    for page in capture.pages {
      do throws(UpdateError) { traffic.parts.append(FileTraffic.Part(page, try decode(frames: page.input))) } catch {
        throw error.located(in: page)
      }
    }
    return traffic
  }

  /// Feeds the traffic of a file, one part after the other.
  ///
  /// - Parameters:
  ///   - dialect: the dialect of mounted views, if the file does not name one.
  ///   - container: what the element of a view contains before its mount; `nil` if the file states
  ///     it, or if it is not known.
  ///   - before: called for each frame that could be decoded, before the frame is applied.
  ///   - each: called with the outcome of each frame, in order.
  package func feed(
    _ traffic: FileTraffic, dialect: Dialect, container: ContainerContent? = nil,
    before: (FileTraffic.Frame) -> Void = { _ in }, each: (FrameOutcome) -> Void = { _ in }
  ) -> ImportReport {
    var report = ImportReport(format: traffic.format, skipped: traffic.skipped)
    var pageIDs: [String: String] = [:]
    var (views, pages): (Set<String>, Set<String>) = ([], [])
    for (index, part) in traffic.parts.enumerated() {
      let feed = pageFeed(for: part, pageIDs: &pageIDs)
      var known = FileViews(part, page: feed?.id, isOnly: traffic.parts.count == 1)
      var frames = receive(part.messages, dialect: dialect, container: container, of: feed) { message in
        known.willApply(message)
        before(FileTraffic.Frame(part: index, message))
      } each: { outcome in
        each(known.explain(outcome))
      }
      frames.rejected = known.rejected
      report.frames.append(frames)
      didFeed(part, as: feed, known.mounted)
      report.views += known.mounted.filter { views.insert($0).inserted }
      if let page = feed?.id, pages.insert(page).inserted { report.pages.append(page) }
    }
    report.incomplete = report.views.filter { self[$0]?.view?.firstVersion != 0 }
    report.views.removeAll { self[$0]?.view == nil }
    return report
  }

  /// Closes the page of a part of a file that was fed completely.
  ///
  /// - Parameter views: the ids of the views that were mounted.
  private func didFeed(_ part: FileTraffic.Part, as feed: PageFeedParameters?, _ views: [String]) {
    let page = part.page
    let url = page.viewURL.map(filter.text)
    changeDirectory { directory in for view in views { directory.pages.didImport(view, at: url) } }
    guard let feed else { return }
    if let title = page.title { _ = announce(feed.id, PageLoad.Announcement(title: title)) }
    // The page load is over; its views stay readable.
    let last = part.messages.reversed().lazy.compactMap { try? $0.get().wallTime }.first
    _ = close(page: feed.id, at: page.closedAt ?? last)
  }

  /// The page that a part of a file is fed to; `nil` for a part without a page.
  ///
  /// - Parameter pageIDs: the ids of the pages of this import, by the ids that the file states.
  private func pageFeed(for part: FileTraffic.Part, pageIDs: inout [String: String]) -> PageFeedParameters? {
    let page = part.page
    guard let id = page.id.flatMap({ pageIDs[$0] }) ?? freePage(for: page, part.messages) else { return nil }
    if let stated = page.id { pageIDs[stated] = id }
    return PageFeedParameters(id: id, url: page.url, openedAt: page.openedAt)
  }

  /// A free id for the page that the messages are fed to. `nil` if no page is needed, because the
  /// file states no page and the mirror has no view for any topic of the messages.
  private func freePage(for page: CapturedPage, _ messages: [Result<WireMessage, WireError>]) -> String? {
    let stated = page.id.flatMap { Self.isValid(page: $0) ? $0 : nil }
    return directory.withLock { directory in
      if stated == nil {
        let topics = Set(messages.compactMap { try? $0.get().topic ?? "main" })
        if !topics.contains(where: { directory[$0]?.isView == true }) { return nil }
      }
      let wanted = stated ?? "import"
      if directory.pages[wanted] == nil { return wanted }
      // There are more numbers than pages, so one of the ids is free.
      let numbers = 2...(directory.pages.count + 2)
      return numbers.lazy.map { "\(wanted.prefix(56))-\($0)" }.first { directory.pages[$0] == nil } ?? wanted
    }
  }

  private static func withoutViews(_ report: ImportReport, of traffic: FileTraffic) -> UpdateError {
    let rejected = report.frames.lazy.flatMap(\.rejected)
    // The error of a mount explains more than that of a frame whose view is missing.
    if let first = rejected.first(where: { !$0.error.kind.isMissing }) {
      let place = first.error.part.map { " (\($0))" } ?? ""
      return UpdateError(
        .unfitting,
        reason: "the file has no view that can be mounted. Frame \(first.index)\(place): \(first.error.reason)",
        pointer: first.error.pointer)
    }
    if let refusal = traffic.refusal {
      return UpdateError(.unfitting, reason: "the file has no view: \(refusal)", pointer: "")
    }
    if let first = rejected.first {
      return UpdateError(
        .unfitting, reason: "the file has no view that can be mounted: \(first.error.reason)", pointer: "")
    }
    let count = report.frames.reduce(0) { $0 + $1.frames }
    return UpdateError(
      .unfitting,
      reason: """
        the file has no view: none of its \(count) frames is the reply to a LiveView's join. Begin the capture before the page loads
        """, pointer: "")
  }
}

extension UpdateError {
  /// The error of a page's input as an error of its file.
  fileprivate func located(in page: CapturedPage) -> UpdateError {
    var error = self
    guard let offset else { return self }
    let line = page.input.prefix(offset).count { $0 == UInt8(ascii: "\n") } + 1
    // In a text of a single line, the offset suffices.
    if page.input.contains(UInt8(ascii: "\n")) { error.part = page.origin.line(ofInput: line).map { "line \($0)" } }
    error.offset = page.origin.offset(ofInput: offset)
    return error
  }
}
