internal import MarkupDocument
internal import RenderedTree

extension LiveViews {
  /// The outcome of a list of frames: the response to `POST /frames`, and the result of an import.
  /// Each frame counts once: as applied, as ignored, or as rejected.
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

    /// An update at which LiveView's client stops with an error, so that a browser shows only a
    /// part of the update.
    public struct Stop: Sendable {
      /// The index of the frame in the input.
      public var index: Int
      /// The id of the view.
      public var view: String
      /// The version that the update made.
      public var version: Int
      /// The reason, and the versions of the client that it concerns.
      public var reason: String
    }

    /// The number of frames.
    public var frames = 0
    /// The number of mounts and diffs that were applied.
    public var applied = 0
    /// The number of frames that changed no page: empty replies, navigation, messages of the
    /// client, events of the channel itself, destroyed components, and frames of another join.
    public var ignored = 0
    /// The number of ignored frames that belong to another join of their topic than the current
    /// one. The client drops them too. Example: a reply that arrives after the client has joined
    /// again.
    public var staleFrameCount = 0
    /// The number of frames at the beginning of the input that an earlier input has already
    /// delivered. A feed sends an input again if it got no response. These frames are ignored.
    public var known = 0
    /// The number of frames of the page that are missing before this input, because the feed or the
    /// mirror has lost them.
    public var missing = 0
    /// The number of components that the server has destroyed, in all frames.
    public var destroyedComponents = 0
    /// The first 100 rejected frames.
    public var rejected: [Rejected] = []
    /// The number of rejected frames.
    public var rejectedFrameCount = 0
    /// The first 100 updates at which LiveView's client stops with an error.
    public var clientStops: [Stop] = []
    /// The reason why the journal has not kept a frame; `nil` if it has kept all frames. The frames
    /// after such a frame may not have been applied.
    public var unkept: UpdateError?
    /// Whether no update was applied and at least one was rejected.
    public var isAllRejected: Bool { applied == 0 && rejectedFrameCount > 0 }

    package static let listedRejections = 100

    /// Adds a frame that was not rejected.
    ///
    /// - Parameter record: the record of the frame's update; `nil` if the frame changed no page.
    mutating func add(_ record: ChangeRecord?, of message: WireMessage, index: Int) {
      if case .destroyed(let components) = message.content { destroyedComponents += components.count }
      guard let record else { return ignored += 1 }
      applied += 1
      guard let thrown = record.diagnostics.first(where: { $0.code == "client-throws" }),
        clientStops.count < Self.listedRejections
      else { return }
      clientStops.append(Stop(index: index, view: record.view, version: record.version, reason: thrown.message))
    }
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
}
