internal import MarkupDocument
internal import MirrorSupport
internal import RenderedTree

extension LiveViews {
  /// The frames of one input, which are applied one after the other to the views that their topics
  /// name.
  ///
  /// `LiveViews.begin` makes it, `LiveViews.advance` applies its messages, and `LiveViews.end`
  /// returns the report. `POST /frames` keeps the value while it is paused; one thread uses it at a
  /// time.
  ///
  /// If mirrors share the journal, another mirror may have changed the view first. Therefore each
  /// message is written before the next one is applied. The input pauses meanwhile, and no thread
  /// waits.
  package struct FramesInput: Sendable {
    /// The record of a message (`nil` for a message without an update) with whether the message was
    /// new to the view, or the reason why the message was rejected.
    typealias Outcome = Result<LiveViewCoordinator.Reception, UpdateError>

    private enum Progress {
      case ready
      /// The current message is applied, but not yet kept.
      case paused(Outcome)
      /// Another mirror has changed the view first, so the current message is applied again.
      case again
    }

    let dialect: Dialect
    let container: ContainerContent?
    /// The version of LiveView's client: as the input states it, and as its page has announced it.
    let client: (stated: String?, announced: String?)
    let page: PageFeedParameters?
    /// When the input arrived.
    let arrival: MonotonicTime
    /// The request waits for all items of the journal after this ticket:
    /// ``LiveViews/journalTicket``.
    package let ticket: Int
    /// The turn of the page, which the input has until it ends; `nil` for an input without a page.
    let turn: PageTurn?

    private let frames: [Result<WireMessage, WireError>]
    /// The index of the current frame.
    private(set) var frame: Int
    /// The index of the current message of the frame. The messages of a frame are those in
    /// `sentBefore`, which the client sent just before the frame, and then the frame itself.
    private var message = 0
    private var progress = Progress.ready
    /// The join that the first attempt of a mount has taken: a repetition needs it.
    var join: TopicJoin?
    /// The outcome of the frames so far.
    package internal(set) var report = FramesReport()

    init(
      _ frames: [Result<WireMessage, WireError>], dialect: Dialect, container: ContainerContent?, client: String?,
      of page: PageFeedParameters?, turn: PageTurn?,
      arrival: MonotonicTime, to views: LiveViews
    ) {
      (self.frames, self.dialect, self.container, self.page, self.arrival) = (frames, dialect, container, page, arrival)
      ticket = views.journalTicket
      self.turn = turn
      if var page {
        // A recording may be fed long after its page was opened, so the time of its first frame
        // counts.
        page.openedAt = page.openedAt ?? frames.lazy.compactMap { try? $0.get().wallTime }.first
        views.open(page)
      }
      let announced = page.flatMap { page in views.directory.withLock { $0.pages[page.id]?.client } }
      self.client = (client, announced)
      report.frames = frames.count
      if let page, let first = page.first {
        (report.known, report.missing) = views.directory.withLock {
          $0.pages.receive(frames.count, first: first, of: page.id)
        }
      }
      report.ignored = report.known
      frame = report.known
    }

    /// The number of frames of the page up to the current one; `nil` if the current message is not
    /// the frame itself, or if the feed does not number its frames.
    var number: Int? { isFrame ? page?.count(through: frame + 1) : nil }

    /// The number of frames of the page up to the end of the input; `nil` if the feed does not
    /// number its frames.
    var lastNumber: Int? { page?.count(through: frames.count) }

    /// Whether the current message is the frame itself.
    var isFrame: Bool { message == sentBefore.count }

    private var sentBefore: [WireMessage] { (try? frames[frame].get())?.sentBefore ?? [] }

    /// The frame itself, with the version of the client that the input or its page states.
    private var whole: WireMessage {
      get throws(WireError) {
        var whole = try frames[frame].get()
        whole.clientVersion = client.stated ?? whole.clientVersion ?? client.announced
        return whole
      }
    }

    /// The current frame, if it can be read and none of its messages was applied yet.
    var beginningFrame: WireMessage? { message == 0 && !isRepeated ? try? whole : nil }

    /// Whether the current message is applied again.
    var isRepeated: Bool { if case .again = progress { true } else { false } }

    /// The current message; `nil` at the end.
    var current: Result<WireMessage, UpdateError>? {
      guard frame < frames.count else { return nil }
      return Result { () throws(UpdateError) in
        do throws(WireError) { return isFrame ? try whole : sentBefore[message] } catch { throw UpdateError(error) }
      }
    }

    /// Goes to the next message.
    mutating func advance() {
      (progress, join) = (.ready, nil)
      if isFrame { (frame, message) = (frame + 1, 0) } else { message += 1 }
    }

    /// Pauses the input until the effects of the current message are kept or lost.
    mutating func pause(with outcome: Outcome) { progress = .paused(outcome) }

    /// The outcome of the current message, if it was applied before a pause.
    var pausedOutcome: Outcome? { if case .paused(let outcome) = progress { outcome } else { nil } }

    /// Ends a pause: the current message counts, is applied again, or ends the input.
    ///
    /// - Parameter error: the reason why the message was not kept; `nil` if it was.
    package mutating func `continue`(after error: UpdateError?) {
      switch error {
      case nil: break
      case let error? where error.kind == .outdated: progress = .again
      case let error?: report.unkept = error
      }
    }

    /// The view that a message belongs to; `nil` for one without a topic.
    func view(of message: WireMessage) -> String? {
      guard let page, let topic = message.topic else { return message.topic }
      return LiveViews.view(of: topic, in: page.id)
    }
  }
}
