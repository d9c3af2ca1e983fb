public import MarkupDocument
internal import MirrorSupport
package import RenderedTree

/// How frames reach their views.
///
/// `POST /frames` calls `begin`, then `advance` until it returns `false`, and then `end`. Imports
/// and programs call `receive`, which does all of these and waits for the journal.
///
/// Frames of one page are applied in order. Only the input that has the page's ``PageTurn`` applies
/// them.
extension LiveViews {
  /// Feeds frames to the views that their topics name. If a frame is rejected, the following ones
  /// are still applied.
  ///
  /// - Parameters:
  ///   - body: frames of Phoenix's channel protocol 2.0.0, one per line or as one array; or a
  ///     recording. A line may also be `{"at": ms, "sent": bool, "frame": […]}`.
  ///   - dialect: the dialect of mounted views, if the frame does not name one.
  ///   - each: called with the outcome of each frame, in order.
  /// - Returns: the outcome of all frames.
  /// - Throws: ``UpdateError`` if the input as a whole cannot be read.
  public func receive(
    frames body: [UInt8], dialect: Dialect, each: (FrameOutcome) -> Void = { _ in }
  ) throws(UpdateError) -> FramesReport {
    try receive(frames: body, dialect: dialect, container: nil, each: each)
  }

  /// Feeds frames to the views that their topics name, and waits until the journal has what they
  /// have changed.
  ///
  /// - Parameters:
  ///   - container: what the element of a view contains before its mount; `nil` if the feed does
  ///     not state it.
  ///   - client: the version of LiveView's client in the page; `nil` if the feed does not state it
  ///     with these frames.
  ///   - page: the page load whose frames these are. Its views have ids of their own: `TOPIC~PAGE`.
  package func receive(
    frames body: [UInt8], dialect: Dialect, container: ContainerContent?, client: String? = nil,
    of page: PageFeedParameters? = nil, each: (FrameOutcome) -> Void = { _ in }
  ) throws(UpdateError) -> FramesReport {
    var input = try begin(
      frames: body, dialect: dialect, container: container, client: client, of: page, turn: turn(of: page))
    finish(&input, each: each)
    let report = try end(input)
    // Waits also for the rows of pages and for joins without views, because the next request may
    // arrive at another mirror.
    try settle(after: input.ticket)
    return report
  }

  /// Decodes an input of frames.
  ///
  /// - Throws: ``UpdateError`` if the input as a whole cannot be read.
  package func decode(frames body: [UInt8]) throws(UpdateError) -> WireDecoder.Frames {
    try decoders.decode(frames: body)
  }

  /// Feeds decoded frames to their views, and waits until the journal has each of them.
  ///
  /// - Parameter before: called with each readable frame before it is applied.
  package func receive(
    _ frames: [Result<WireMessage, WireError>], dialect: Dialect, container: ContainerContent?,
    of page: PageFeedParameters? = nil,
    before: (WireMessage) -> Void = { _ in }, each: (FrameOutcome) -> Void = { _ in }
  ) -> FramesReport {
    var input = FramesInput(
      frames, dialect: dialect, container: container, client: nil, of: page, turn: turn(of: page), arrival: .now,
      to: self)
    finish(&input, before: before, each: each)
    return input.report
  }

  /// Begins an input of frames. None of them is applied yet.
  ///
  /// - Parameter turn: the turn of the page; see ``takeTurn(of:orLater:)``.
  /// - Throws: ``UpdateError`` if the input as a whole cannot be read, or the journal accepts no
  ///   changes.
  package func begin(
    frames body: [UInt8], dialect: Dialect, container: ContainerContent?, client: String?, of page: PageFeedParameters?,
    turn: PageTurn?
  ) throws(UpdateError) -> FramesInput {
    let arrival = MonotonicTime.now
    let frames = try decode(frames: body).messages
    try checkJournal()
    return FramesInput(
      frames, dialect: dialect, container: container, client: client, of: page, turn: turn, arrival: arrival, to: self)
  }

  /// Ends an input of frames after the last call of ``advance(_:collecting:before:each:)``.
  ///
  /// - Returns: the outcome of all frames.
  /// - Throws: the reason why the journal has not kept all of them.
  package func end(_ input: FramesInput) throws(UpdateError) -> FramesReport {
    noteIfRejected(input.report)
    if let error = input.report.unkept { throw error }
    return input.report
  }

  /// Applies all messages of an input, and waits until the journal has their effects.
  private func finish(
    _ input: inout FramesInput, before: (WireMessage) -> Void = { _ in }, each: (FrameOutcome) -> Void
  ) {
    let receipts = isShared ? nil : JournalReceipts()
    _ = advance(&input, collecting: receipts, before: before, each: each)
    // The frames of an input are written together.
    if let receipts { do throws(UpdateError) { try settle(receipts) } catch { input.report.unkept = error } }
  }

  /// Applies messages of an input until its end, or until one must be kept before the next one is
  /// applied. See ``FramesInput``.
  ///
  /// - Parameters:
  ///   - receipts: gets the items that must be kept before the input continues, or is answered.
  ///     `nil` to wait for each message here, as imports into a shared journal do.
  ///   - before: called with each readable frame before it is applied.
  ///   - each: called with the outcome of each frame, in order.
  /// - Returns: whether the input has paused. Then the caller settles the receipts, calls
  ///   ``FramesInput/continue(after:)``, and calls this method again.
  package func advance(
    _ input: inout FramesInput, collecting receipts: JournalReceipts?, before: (WireMessage) -> Void = { _ in },
    each: (FrameOutcome) -> Void = { _ in }
  ) -> Bool {
    while input.report.unkept == nil, let message = input.current {
      let outcome: FramesInput.Outcome
      if let paused = input.pausedOutcome {
        outcome = paused
      } else {
        if let frame = input.beginningFrame { before(frame) }
        // A message that is applied again waits here for the journal, and tries again after random
        // pauses. Otherwise other mirrors could change the view first every time.
        outcome = self.outcome(of: message, in: &input, collecting: input.isRepeated ? nil : receipts)
        if isShared, let receipts, !receipts.tickets.isEmpty {
          input.pause(with: outcome)
          return true
        }
      }
      addOutcome(outcome, of: message, to: &input, each)
      input.advance()
    }
    countStale(input.report.staleFrameCount)
    if let page = input.page, let count = input.lastNumber {
      if input.report.unkept == nil, !changeDirectory({ $0.pages.didReceive(count, of: page.id) }), journal != nil {
        input.report.unkept = UpdateError(.notKept, reason: "the journal has failed and recovered meanwhile")
      }
      if input.report.unkept != nil, isShared {
        // The feed sends all frames of the input again.
        directory.withLock { $0.pages.forgetUnkept(of: page.id) }
        countFrames()
      }
    }
    input.turn?.end()
    return false
  }

  /// Applies a message, and hides secrets in it.
  private func outcome(
    of message: Result<WireMessage, UpdateError>, in input: inout FramesInput, collecting receipts: JournalReceipts?
  ) -> FramesInput.Outcome {
    do throws(UpdateError) {
      let message = try message.get()
      let id = input.view(of: message) ?? Self.onlyView
      return .success(
        try apply(hidingKeys(of: message, to: id, in: input.page?.id), to: id, in: &input, collecting: receipts))
    } catch {
      return .failure(error)
    }
  }

  private static let onlyView = "main"

  /// Adds the outcome of a message to the report of its input, and notes in the directory what it
  /// says about the page, such as a new title.
  private func addOutcome(
    _ outcome: FramesInput.Outcome, of message: Result<WireMessage, UpdateError>, to input: inout FramesInput,
    _ each: (FrameOutcome) -> Void
  ) {
    let view = (try? message.get()).flatMap(input.view)
    do throws(UpdateError) {
      let ((record, isNew), message) = (try outcome.get(), try message.get())
      let id = view ?? Self.onlyView
      // A topic that cannot be the id of a view belongs to another channel.
      if isNew, message.changesPage || record?.title != nil, Self.isValid(id: id) {
        changeDirectory { $0.pages.note(message, title: record?.title, of: id, in: input.page?.id, filter: filter) }
        if journal != nil, case .rendered = message.content { noteParent(of: id) }
      }
      guard input.isFrame else { return }
      input.report.add(record, of: message, index: input.frame)
      each(record.map(FrameOutcome.applied) ?? .ignored)
    } catch  where error.kind == .notKept || error.kind == .outdated {
      input.report.unkept = error
    } catch  where !input.isFrame {
      // An error of a message in `sentBefore` is ignored, because the message may belong to an
      // earlier join.
    } catch  where error.kind == .staleFrame {
      input.report.ignored += 1
      input.report.staleFrameCount += 1
      each(.ignored)
    } catch {
      let rejected = FramesReport.Rejected(index: input.frame, view: view, error: error)
      input.report.rejectedFrameCount += 1
      if input.report.rejected.count < FramesReport.listedRejections { input.report.rejected.append(rejected) }
      each(.rejected(rejected))
    }
  }

  /// Removes the secret value of a key event, and returns the message. A binding of the window also
  /// receives keys that are typed into a password field of any view of the page.
  private func hidingKeys(of message: WireMessage, to id: String, in page: String?) -> WireMessage {
    guard case .event(var event) = message.content, event.type?.hasPrefix("key") == true, let value = event.value,
      self[id]?.passwords?.windowKeys.mayName(event.name) == true
    else { return message }
    let views = directory.withLock { directory in page.flatMap { directory.pages[$0]?.views } } ?? [id]
    guard views.contains(where: { self[$0]?.passwords?.isEmpty == false }) else { return message }
    event.value = filter.json(value, isWhole: true)
    var message = message
    message.content = .event(event)
    return message
  }

  /// Applies a message to its view. If the view was replaced meanwhile, or another mirror has
  /// changed it first, the message is applied to the present view.
  private func apply(
    _ message: WireMessage, to id: String, in input: inout FramesInput, collecting receipts: JournalReceipts?
  ) throws(UpdateError) -> LiveViewCoordinator.Reception {
    let (dialect, arrival, number) = (
      message.dialect.flatMap(Dialect.init) ?? input.dialect, input.arrival, input.number
    )
    var container: ContainerContent?
    func receive(_ view: LiveViewCoordinator) throws(UpdateError) -> LiveViewCoordinator.Reception {
      try view.receive(
        message, dialect: dialect, container: container, arrival: arrival, frames: number, receipts: receipts)
    }
    switch message.content {
    case .rendered:
      container = input.container
      return try mounting(id, frame: number, join: &input.join, receive).result
    case .diff:
      return try using(id, { () throws(UpdateError) in try view(id, for: message) }) { view throws(UpdateError) in
        defer { makeRoomForPages(beside: view) }
        return try receive(view)
      }
    case .other where message.joinRef == nil: return (nil, isNew: true)
    case .destroyed, .event, .join, .refused, .other:
      var attempts = UpdateAttempts()
      while let view = try view(id, for: message) {
        if let reception = try attempt(&attempts, view, receive) { return reception }
      }
      return (nil, isNew: true)
    }
  }

  /// The view of an id, if there is one. Without a view, a join that the client pushes is kept for
  /// the mount that will answer it.
  ///
  /// - Throws: if there is no view, and the message belongs to another join than the one that the
  ///   client pushed last.
  private func view(_ id: String, for message: WireMessage) throws(UpdateError) -> LiveViewCoordinator? {
    if let view = try load(id, orCatchUp: true) { return view }
    let (view, join) = changeDirectory { directory in
      let view = directory[id]?.view
      if view == nil, case .join(let push) = message.content, let ref = message.joinRef, Self.isValid(id: id) {
        directory.pages.keep(TopicJoin(pushed: ref, push), of: id)
      }
      return (view, directory.pages.join(of: id))
    }
    if view == nil { try join?.check(message) }
    return view
  }
}
