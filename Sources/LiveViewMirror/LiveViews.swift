public import MarkupDocument
internal import NodeObservation
internal import RenderedTree

/// All views that are mirrored, by id.
///
/// A Phoenix topic such as `lv:phx-F1x…` is a fine id; so is `main`.
public final class LiveViews: Sendable {
  /// Those that have a page: one is listed when its first mount has succeeded.
  private let coordinators = Guarded<[String: LiveViewCoordinator]>([:])
  private let decoder = Guarded(Decoder())

  private struct Decoder {
    let wire = WireDecoder()
  }

  private let options: UpdateOptions
  private let limits: MirrorLimits
  private let listener: (any LogListener)?

  public init(options: UpdateOptions = UpdateOptions(), limits: MirrorLimits = MirrorLimits()) {
    self.options = options
    self.limits = limits
    listener = nil
  }

  package init(options: UpdateOptions, limits: MirrorLimits, listener: any LogListener) {
    self.options = options
    self.limits = limits
    self.listener = listener
  }

  // MARK: - Reading

  /// The mounted views, in the order of their first mount.
  package var all: [ViewState] {
    coordinators.withLock { Array($0.values) }.compactMap(\.view).sorted {
      ($0.mountedAt, $0.id) < ($1.mountedAt, $1.id)
    }
  }

  /// A view that is mounted.
  public subscript(id: String) -> LiveViewCoordinator? {
    coordinators.withLock { $0[id] }
  }

  /// Whether a text can be a view's id: `[A-Za-z0-9._:~-]{1,200}`.
  public static func isValid(id: String) -> Bool {
    // A path of dots alone is another path to every client.
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

  /// Mounts a view, or mounts it anew. See ``LiveViewCoordinator/mount(_:dialect:)``.
  public func mount(_ id: String, _ body: [UInt8], dialect: Dialect) throws(UpdateError) -> ChangeRecord {
    try mounting(id) { view throws(UpdateError) in try view.mount(body, dialect: dialect) }
  }

  /// Applies a diff to a view. See ``LiveViewCoordinator/update(_:)``.
  public func update(_ id: String, _ body: [UInt8]) throws(UpdateError) -> ChangeRecord {
    try known(id).update(body)
  }

  /// Forgets a view; its publishers finish.
  ///
  /// - Returns: whether there was one.
  public func remove(_ id: String) -> Bool {
    guard let view = coordinators.withLock({ $0.removeValue(forKey: id) }) else { return false }
    view.publishers.close()
    listener?.removed(id, because: .deleted)
    return true
  }

  // MARK: - Frames

  /// What became of a list of frames.
  public struct FramesReport: Sendable {
    public struct Rejected: Sendable {
      /// Which frame of the input, from 0.
      public var index: Int
      public var view: String?
      public var error: UpdateError
    }

    public var frames = 0
    /// Mounts and diffs that were applied.
    public var applied = 0
    /// Frames that carry no page: empty replies, navigation, the channel's own events, components that go.
    public var ignored = 0
    /// Components that the server said are gone, over all frames.
    public var destroyedComponents = 0
    /// The first hundred that did not fit.
    public var rejected: [Rejected] = []
    /// How many did not fit.
    public var rejectedFrames = 0

    static let listedRejections = 100
  }

  /// What became of one frame.
  public enum FrameOutcome: Sendable {
    case applied(ChangeRecord)
    case ignored
    case rejected(FramesReport.Rejected)
  }

  /// Feeds frames to the views that their topics name. A frame that does not fit hides no other.
  ///
  /// - Parameters:
  ///   - body: frames of Phoenix's channel protocol 2.0.0, one a line or as one array; or a recording.
  ///   - dialect: of views that are mounted by a frame which does not say.
  ///   - each: called with every frame's outcome, in order.
  /// - Throws: ``UpdateError`` where nothing of the input can be read.
  public func receive(
    frames body: [UInt8], dialect: Dialect, each: (FrameOutcome) -> Void = { _ in }
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
        if let record = try receive(message, dialect: dialect) {
          report.applied += 1
          each(.applied(record))
        } else {
          report.ignored += 1
          each(.ignored)
        }
        if case .destroyed(let components) = message.content { report.destroyedComponents += components.count }
      } catch {
        let rejected = FramesReport.Rejected(index: index, view: view, error: error)
        report.rejectedFrames += 1
        if report.rejected.count < FramesReport.listedRejections { report.rejected.append(rejected) }
        each(.rejected(rejected))
      }
    }
    return report
  }

  private static func readable(_ message: Result<WireMessage, WireError>) throws(UpdateError) -> WireMessage {
    do { return try message.get() } catch { throw UpdateError(error) }
  }

  private func receive(_ message: WireMessage, dialect: Dialect) throws(UpdateError) -> ChangeRecord? {
    let id = message.topic ?? "main"
    let dialect = message.dialect.flatMap(Dialect.init) ?? dialect
    switch message.content {
    case .rendered:
      return try mounting(id) { view throws(UpdateError) in try view.receive(message, dialect: dialect) }
    case .diff: return try known(id).receive(message, dialect: dialect)
    case .destroyed: return try self[id]?.receive(message, dialect: dialect)
    case .other: return nil
    }
  }

  // MARK: - Finding

  private func known(_ id: String) throws(UpdateError) -> LiveViewCoordinator {
    guard let view = self[id] else {
      throw UpdateError(.unknownView, reason: "there is no view \"\(id)\"; mount it first: POST /views/\(id)/rendered")
    }
    return view
  }

  /// The view, made where there is none yet; one whose first mount fails leaves nothing behind.
  private func mounting<Result>(
    _ id: String, _ body: (LiveViewCoordinator) throws(UpdateError) -> Result
  ) throws(UpdateError) -> Result {
    guard Self.isValid(id: id) else {
      throw UpdateError(
        .invalidView,
        reason:
          "a view id has 1 to 200 characters of A–Z, a–z, 0–9 and . _ : ~ -, and is not . or ..; this one is not so")
    }
    while true {
      let known = coordinators.withLock { $0[id] }
      let view = known ?? LiveViewCoordinator(id: id, options: options, registry: nil, listener: listener)
      let result = try body(view)
      // It is listed when it has a page. Where another one was listed meanwhile, that one is mounted anew.
      let isListed = coordinators.withLock { views in
        if views[id] == nil, known == nil { views[id] = view }
        return views[id] === view || known != nil
      }
      if isListed { return result }
    }
  }
}
