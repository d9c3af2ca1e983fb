public import MarkupDocument
package import MirrorSupport
package import RenderedTree

extension LiveViews {
  /// Feeds frames to the views that their topics name. If a frame is rejected, the following ones are still applied.
  ///
  /// - Parameters:
  ///   - body: frames of Phoenix's channel protocol 2.0.0, one per line or as one array; or a recording. A line may also be
  ///     `{"at": ms, "sent": bool, "frame": […]}`.
  ///   - dialect: the dialect of mounted views, if the frame does not name one.
  ///   - each: called with the outcome of each frame, in order.
  /// - Returns: the outcome of all frames.
  /// - Throws: ``UpdateError`` if the input as a whole cannot be read.
  public func receive(
    frames body: [UInt8], dialect: Dialect, each: (FrameOutcome) -> Void = { _ in }
  ) throws(UpdateError) -> FramesReport {
    try receive(frames: body, dialect: dialect, container: nil, each: each)
  }

  /// Feeds frames to the views that their topics name.
  ///
  /// - Parameters:
  ///   - container: the content of the elements of views that are mounted; `nil` if the feed does not state it.
  ///   - client: the version of LiveView's client in the page; `nil` if the feed does not state it with these frames.
  ///   - page: the page load whose frames these are. Its views have ids of their own: `TOPIC~PAGE`.
  ///   - receipts: with them, the caller waits until the journal has everything that was added to it; not if the journal is shared.
  package func receive(
    frames body: [UInt8], dialect: Dialect, container: ContainerContent?, client: String? = nil,
    of page: PageFeed? = nil, receipts: JournalReceipts? = nil,
    each: (FrameOutcome) -> Void = { _ in }
  ) throws(UpdateError) -> FramesReport {
    let arrival = MonotonicTime.now
    let messages = try decode(frames: body).messages
    try checkJournal()
    let place = journalEnd
    let report = receive(
      messages, dialect: dialect, container: container, client: client, of: page, arrival: arrival, receipts: receipts,
      each: each)
    note(report)
    if let error = report.unkept { throw error }
    if receipts != nil { return report }
    // The rows of pages, and joins that wait for their views: the next request may arrive at another mirror.
    try settle(after: place)
    return report
  }

  /// Decodes an input of frames.
  ///
  /// - Throws: ``UpdateError`` if the input as a whole cannot be read.
  package func decode(frames body: [UInt8]) throws(UpdateError) -> WireDecoder.Frames {
    try decoders.decode(frames: body)
  }

  /// Feeds decoded frames to their views. Inputs of one page have their turn one after the other: the number of a frame says whether it was
  /// received, so it must not be counted before it is applied.
  ///
  /// - Parameters:
  ///   - arrival: the time when the input arrived.
  ///   - before: called with each readable message before it is applied.
  package func receive(
    _ messages: [Result<WireMessage, WireError>], dialect: Dialect, container: ContainerContent?, client: String? = nil,
    of page: PageFeed? = nil, arrival: MonotonicTime = .now, receipts: JournalReceipts? = nil,
    before: (WireMessage) -> Void = { _ in },
    each: (FrameOutcome) -> Void = { _ in }
  ) -> FramesReport {
    if let page { receiving.hold(page.id) }
    defer { if let page { receiving.release(page.id) } }
    if let page { open(page) }
    let announced = page.flatMap { page in listed.withLock { $0.pages.pages[page.id]?.client } }
    let feed = Feed(dialect: dialect, container: container, client: announced, page: page?.id, arrival: arrival)
    var report = FramesReport()
    report.frames = messages.count
    if let page, let first = page.first {
      let (known, missing) = listed.withLock { $0.pages.receive(messages.count, first: first, of: page.id) }
      (report.known, report.missing) = (known, missing)
    }
    report.ignored = report.known
    // What another mirror has changed meanwhile is applied again, so each frame is kept before the next one.
    let isWaiting = receipts == nil
    let receipts = isShared ? nil : receipts ?? JournalReceipts()
    for (index, message) in messages.enumerated().dropFirst(report.known) {
      var view: String?
      do throws(UpdateError) {
        var message = try Self.readable(message)
        message.clientVersion = client ?? message.clientVersion ?? feed.client
        view = feed.view(of: message)
        before(message)
        for sent in message.sentBefore { try receive(sent: sent, from: feed, receipts: receipts) }
        let number = page?.count(through: index + 1)
        if let record = try receive(message, from: feed, frames: number, receipts: receipts) {
          report.applied += 1
          report.note(record, index: index)
          each(.applied(record))
        } else {
          report.ignored += 1
          each(.ignored)
        }
        if case .destroyed(let components) = message.content { report.destroyedComponents += components.count }
      } catch  where error.kind == .staleFrame {
        report.ignored += 1
        report.staleFrames += 1
        each(.ignored)
      } catch  where error.kind == .notKept || error.kind == .outdated {
        report.unkept = error
        break
      } catch {
        let rejected = FramesReport.Rejected(index: index, view: view, error: error)
        report.rejectedFrames += 1
        if report.rejected.count < FramesReport.listedRejections { report.rejected.append(rejected) }
        each(.rejected(rejected))
      }
    }
    countStale(report.staleFrames)
    // The frames of an input are written together.
    if isWaiting {
      do throws(UpdateError) { try journal?.settle(receipts?.tickets ?? []) } catch { report.unkept = error }
    }
    if let page, let count = page.count(through: messages.count) {
      if report.unkept == nil, !changePages({ $0.didReceive(count, of: page.id) }), journal != nil {
        report.unkept = UpdateError(.notKept, reason: "the journal has failed and recovered meanwhile")
      }
      if report.unkept != nil, isShared {
        // The feed sends all of them again.
        listed.withLock { $0.pages.forgetUnkept(of: page.id) }
        countFrames()
      }
    }
    return report
  }

  /// Receives a frame that the client has sent before another one. Such a frame may belong to an earlier join.
  private func receive(sent message: WireMessage, from feed: Feed, receipts: JournalReceipts?) throws(UpdateError) {
    do throws(UpdateError) { _ = try receive(message, from: feed, receipts: receipts) } catch {
      if error.kind == .notKept || error.kind == .outdated { throw error }
    }
  }

  private static func readable(_ message: Result<WireMessage, WireError>) throws(UpdateError) -> WireMessage {
    do { return try message.get() } catch { throw UpdateError(error) }
  }

  /// What the frames of one input have in common.
  private struct Feed {
    let dialect: Dialect
    let container: ContainerContent?
    let client: String?
    let page: String?
    let arrival: MonotonicTime

    /// The id of the view that a message belongs to.
    func view(of message: WireMessage) -> String? {
      guard let page, let topic = message.topic else { return message.topic }
      return LiveViews.view(of: topic, in: page)
    }
  }

  private func receive(
    _ message: WireMessage, from feed: Feed, frames: Int? = nil, receipts: JournalReceipts?
  ) throws(UpdateError) -> ChangeRecord? {
    let id = feed.view(of: message) ?? "main"
    let (record, isNew) = try apply(
      hidingKeys(of: message, to: id, from: feed), to: id, from: feed, frames: frames, receipts: receipts)
    // A topic that cannot be a view is that of another channel.
    if isNew, message.changesPage || record?.title != nil, Self.isValid(id: id) {
      changePages { $0.note(message, title: record?.title, of: id, in: feed.page, filter: filter) }
      if journal != nil, case .rendered = message.content {
        noteParent(of: id)
      }
    }
    return record
  }

  /// A key that reaches a binding of the window may have been typed into a password field of any view of the page. The value of
  /// such an event is secret.
  private func hidingKeys(of message: WireMessage, to id: String, from feed: Feed) -> WireMessage {
    guard case .event(var event) = message.content, event.type?.hasPrefix("key") == true, let value = event.value,
      self[id]?.passwords?.windowKeys.name(event.name) == true
    else { return message }
    let views = listed.withLock { listed in feed.page.flatMap { listed.pages.pages[$0]?.views } } ?? [id]
    guard views.contains(where: { self[$0]?.passwords?.isEmpty == false }) else { return message }
    event.value = filter.json(value, isWhole: true)
    var message = message
    message.content = .event(event)
    return message
  }

  private func apply(
    _ message: WireMessage, to id: String, from feed: Feed, frames: Int?, receipts: JournalReceipts?
  ) throws(UpdateError) -> LiveViewCoordinator.Reception {
    let dialect = message.dialect.flatMap(Dialect.init) ?? feed.dialect
    switch message.content {
    case .rendered:
      return try mounting(id, frame: frames) { view throws(UpdateError) in
        try view.receive(
          message, dialect: dialect, container: feed.container, arrival: feed.arrival, frames: frames,
          receipts: receipts)
      }.result
    case .diff:
      return try using({ () throws(UpdateError) in try known(id, for: message) }) { view throws(UpdateError) in
        defer { makeRoomForPages(beside: view) }
        return try view.receive(
          message, dialect: dialect, container: nil, arrival: feed.arrival, frames: frames, receipts: receipts)
      }
    case .other where message.joinRef == nil: return (nil, isNew: true)
    case .destroyed, .event, .join, .refused, .other:
      var attempts = UpdateAttempts()
      while let view = try found(id, for: message) {
        let reception = try attempt(&attempts, view) { view throws(UpdateError) in
          try view.receive(
            message, dialect: dialect, container: nil, arrival: feed.arrival, frames: frames, receipts: receipts)
        }
        if let reception { return reception }
      }
      return (nil, isNew: true)
    }
  }
}
