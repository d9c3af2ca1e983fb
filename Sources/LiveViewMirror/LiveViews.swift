public import MarkupDocument
package import MirrorSupport
internal import NodeObservation
internal import RenderedTree

/// All mirrored views, by id.
///
/// An id is for example a Phoenix topic such as `lv:phx-F1x…`, or `main`.
public final class LiveViews: Sendable {
  let listed: Guarded<Listed>
  private let decoder = Guarded(Decoder())

  private struct Decoder {
    let wire = WireDecoder()
  }

  let options: UpdateOptions
  /// The limits of what is kept.
  package let limits: MirrorLimits
  let listener: (any LogListener)?
  let clock: WallClock

  /// Creates a mirror without views.
  public convenience init(options: UpdateOptions = UpdateOptions(), limits: MirrorLimits = MirrorLimits()) {
    self.init(options: options, limits: limits, hearing: nil, clock: .system)
  }

  /// Creates a mirror without views, with a listener for log entries.
  package convenience init(
    options: UpdateOptions, limits: MirrorLimits, listener: any LogListener, clock: WallClock = .system
  ) {
    self.init(options: options, limits: limits, hearing: listener, clock: clock)
  }

  private init(options: UpdateOptions, limits: MirrorLimits, hearing listener: (any LogListener)?, clock: WallClock) {
    self.options = options
    self.limits = limits
    self.listener = listener
    self.clock = clock
    listed = Guarded(Listed(bounds: limits.bounds(ofEach: 1)))
  }

  // MARK: - Reading

  /// The mounted views, in the order of their last mount.
  package var all: [ViewState] {
    listed.withLock { Array($0.views.values) }.compactMap(\.view).sorted {
      ($0.mountedAt, $0.id) < ($1.mountedAt, $1.id)
    }
  }

  /// The view with an id; `nil` if it is not mounted.
  public subscript(id: String) -> LiveViewCoordinator? {
    let view = listed.withLock { $0.views[id] }
    return view?.isMounted == true ? view : nil
  }

  /// Whether a text can be a view's id: `[A-Za-z0-9._:~-]{1,200}`.
  public static func isValid(id: String) -> Bool {
    // In a URL, clients resolve the path segments `.` and `..`.
    (1...200).contains(id.utf8.count) && id != "." && id != ".."
      && id.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"):
          true
        default: "._:~-".utf8.contains(byte)
        }
      }
  }

  // MARK: - Feeding

  /// Mounts or remounts a view. See ``LiveViewCoordinator/mount(_:dialect:)``.
  ///
  /// If there are more views than ``MirrorLimits/views`` then, the least recently updated one is removed.
  public func mount(_ id: String, _ body: [UInt8], dialect: Dialect) throws(UpdateError) -> ChangeRecord {
    try mountNoting(id, body, dialect: dialect).record
  }

  /// As ``mount(_:_:dialect:)``. Also returns whether there was no view with this id before.
  package func mountNoting(
    _ id: String, _ body: [UInt8], dialect: Dialect, container: ContainerContent? = nil
  ) throws(UpdateError) -> (record: ChangeRecord, isFirst: Bool) {
    let (record, view) = try mounting(id) { view throws(UpdateError) in
      try view.mount(body, dialect: dialect, container: container)
    }
    return (record, record.epoch == view.epochBefore + 1)
  }

  /// Applies a diff to a view. See ``LiveViewCoordinator/update(_:)``.
  public func update(_ id: String, _ body: [UInt8]) throws(UpdateError) -> ChangeRecord {
    let view = try known(id)
    do {
      let record = try view.update(body)
      makeRoomAfterUpdate(of: view)
      return record
    } catch {
      if error.kind == .staleFrame { countStale(1) }
      throw error
    }
  }

  // MARK: - Frames

  /// The outcome of a list of frames.
  public struct FramesReport: Sendable {
    /// A rejected frame.
    public struct Rejected: Sendable {
      /// The index of the frame in the input.
      public var index: Int
      /// The id of the view; `nil` if the frame could not be read or has no topic.
      public var view: String?
      /// The reason.
      public var error: UpdateError
    }

    /// The number of frames.
    public var frames = 0
    /// The number of mounts and diffs that were applied.
    public var applied = 0
    /// The number of frames that changed no page: empty replies, navigation, messages of the client, events of the channel
    /// itself, destroyed components, and frames of another join.
    public var ignored = 0
    /// The number of ignored frames that belong to another join of their topic than the current one. The client drops them too.
    /// Example: a reply that arrives after the client has joined again.
    public var staleFrames = 0
    /// The number of components that the server has destroyed, in all frames.
    public var destroyedComponents = 0
    /// The first 100 rejected frames.
    public var rejected: [Rejected] = []
    /// The number of rejected frames.
    public var rejectedFrames = 0
    /// Whether no update was applied and at least one was rejected.
    public var isAllRejected: Bool { applied == 0 && rejectedFrames > 0 }

    static let listedRejections = 100
  }

  /// The outcome of one frame.
  public enum FrameOutcome: Sendable {
    /// The frame's mount or diff was applied.
    case applied(ChangeRecord)
    /// The frame changed no page.
    case ignored
    /// The frame was rejected.
    case rejected(FramesReport.Rejected)
  }

  /// Feeds frames to the views that their topics name. If a frame is rejected, the following ones are still applied.
  ///
  /// - Parameters:
  ///   - body: frames of Phoenix's channel protocol 2.0.0, one per line or as one array; or a recording.
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
  /// - Parameter container: the content of the elements of views that are mounted; `nil` if the feed does not state it.
  package func receive(
    frames body: [UInt8], dialect: Dialect, container: ContainerContent?, each: (FrameOutcome) -> Void = { _ in }
  ) throws(UpdateError) -> FramesReport {
    let messages: [Result<WireMessage, WireError>]
    do throws(WireError) {
      messages = try decoder.withLock { decoder throws(WireError) in try decoder.wire.decode(body, as: .frames) }
    } catch {
      throw UpdateError(error)
    }
    var report = FramesReport()
    report.frames = messages.count
    for (index, message) in messages.enumerated() {
      var view: String?
      do throws(UpdateError) {
        let message = try Self.readable(message)
        view = message.topic
        for join in message.joinsBefore { _ = try? receive(join, dialect: dialect, container: nil) }
        if let record = try receive(message, dialect: dialect, container: container) {
          report.applied += 1
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
      } catch {
        let rejected = FramesReport.Rejected(index: index, view: view, error: error)
        report.rejectedFrames += 1
        if report.rejected.count < FramesReport.listedRejections { report.rejected.append(rejected) }
        each(.rejected(rejected))
      }
    }
    countStale(report.staleFrames)
    return report
  }

  private static func readable(_ message: Result<WireMessage, WireError>) throws(UpdateError) -> WireMessage {
    do { return try message.get() } catch { throw UpdateError(error) }
  }

  private func receive(
    _ message: WireMessage, dialect: Dialect, container: ContainerContent?
  ) throws(UpdateError) -> ChangeRecord? {
    let id = message.topic ?? "main"
    let dialect = message.dialect.flatMap(Dialect.init) ?? dialect
    switch message.content {
    case .rendered:
      return try mounting(id) { view throws(UpdateError) in
        try view.receive(message, dialect: dialect, container: container)
      }.result
    case .diff:
      let view = try known(id, for: message)
      let record = try view.receive(message, dialect: dialect)
      makeRoomAfterUpdate(of: view)
      return record
    case .other where message.joinRef == nil: return nil
    case .destroyed, .other, .join: return try found(id, for: message)?.receive(message, dialect: dialect)
    }
  }

  /// The view of an id, if there is one. Without a view, a push of the client is kept for the mount that will answer it.
  ///
  /// - Throws: if there is no view, and the message belongs to another join than the one that the client pushed last.
  private func found(_ id: String, for message: WireMessage) throws(UpdateError) -> LiveViewCoordinator? {
    let (view, join) = listed.withLock { listed in
      if listed.views[id] == nil, case .join(let push) = message.content, let ref = message.joinRef,
        Self.isValid(id: id)
      {
        listed.joins.remember(TopicJoin(pushed: ref, push), of: id)
      }
      return (listed.views[id], listed.joins[id])
    }
    if view == nil { try join?.check(message) }
    return view
  }

  // MARK: - Finding

  /// The view of an id, even while its first mount is running. Does not check `isMounted`, which would wait for the lock of a
  /// running update: the caller waits for its turn anyway, and an update of an unmounted view is refused there.
  ///
  /// - Throws: if there is no such view.
  private func known(_ id: String, for message: WireMessage? = nil) throws(UpdateError) -> LiveViewCoordinator {
    let view = if let message { try found(id, for: message) } else { listed.withLock { $0.views[id] } }
    guard let view else {
      throw UpdateError(.unknownView, reason: "there is no view \"\(id)\"; mount it first: POST /views/\(id)/rendered")
    }
    return view
  }
}
