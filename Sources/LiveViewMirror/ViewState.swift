package import MarkupDocument
package import NodeObservation
package import RenderedTree

/// Everything that is known of one view: a value, so that whoever asks gets one moment of it.
package struct ViewState: Sendable {
  package let id: String
  package var epoch: Int
  package var version: Int
  /// What the view's element held at this epoch's mount.
  package let container: ContainerContent
  /// The client that the document is held as.
  package let client: ClientVersion
  let options: UpdateOptions
  let clock: WallClock
  /// Whether instances know their nodes and the page is what the document shows, so that an update may be a scoped one.
  var isLinked = false
  /// Whether the document may show something else than the page, since the client has left out a change.
  var isStale = false
  package var size = PageSize()
  package var rendered: Rendered
  package var document: Document
  package var observers: MountedObservers
  package var title: String?
  package var log = ChangeLog()
  /// How much of a log is kept.
  var bounds = LogBounds()
  /// What the entries made that are not kept any more; `nil` while all are.
  var checkpoint: Checkpoint?
  /// What the view was fed since then, or what came of it: enough to make the tree of every version again.
  package var history = Chunks<Input>()
  /// Carried over from one mount to the next.
  var reportedKeys = ReportedKeys()
  package var mountedAt: Int64
  package var updatedAt: Int64

  package enum Input: Sendable {
    case mount(JSONText, over: ContainerContent, forgetting: ForgottenStreams?)
    case diff(JSONText, forgetting: ForgottenStreams?)
    /// What a diff comes to that gives one slot another text, as most do: so it need not be decoded again.
    case text(String, slot: Int, of: InstancePath)
    /// Components that the server said are gone. No version comes of it: no page shows them.
    case destroyed([Int])

    /// Whether a version came of it.
    var isVersion: Bool { if case .destroyed = self { false } else { true } }
  }

  /// About how much memory the page takes, and the oldest version that is kept of it beside the log, in bytes.
  var memory: Int {
    let page = size.memory
    guard let checkpoint else { return page }
    return page + Int(Double(page) * Double(checkpoint.document.count) / Double(max(1, document.count)))
  }

  /// Looks at the document where it stands: mutating, so that an optional view is not copied for it.
  mutating func reading<Result>(_ body: (Document) -> Result) -> Result { body(document) }
}
