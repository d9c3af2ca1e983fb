package import MarkupDocument
internal import MirrorSupport
package import NodeObservation
package import RenderedTree

/// The state of one view. It is a value, so a copy is a consistent snapshot.
///
/// ``LiveViewCoordinator`` has the current state and changes it under a lock. Readers get copies.
/// Each update changes the tree, the document, the version and the log together.
package struct ViewState: Sendable {
  /// The id of the view.
  package let id: String
  /// The number of mounts, including those of earlier views with this id.
  package var epoch: Int
  /// The number of diffs that were applied since the mount.
  package var version: Int
  /// The content of the view's element before this epoch's mount.
  package let container: ContainerContent
  /// The markup of the view's element before a rejoin or a resumption, if the mount's result
  /// depends on it. An export then contains this markup.
  package internal(set) var markupBefore: String?
  /// The version of LiveView's client whose rules apply to the document.
  package var client: ClientVersion { versions.client }
  package let versions: LiveViewVersions
  let options: UpdateOptions
  let clock: WallClock
  /// The containers of streams with children that the next patch of the page removes, even if the
  /// diff does not name the stream. A diff that does not make the client patch all of these
  /// containers needs a full update. `nil` if each diff needs one, because the tree is not linked
  /// to the document, or because patching the page once more also has other effects.
  var leftovers: Set<NodeRef>?
  /// Whether the document may differ from the page, because the client has skipped a change.
  var isStale = false
  /// Whether the document's nodes have their offsets in the markup that the tree renders. They have
  /// offsets after a full update that patched the whole page, until the next update. ``Causes``
  /// then reads the offsets instead of parsing the markup again.
  var hasOffsets = false
  /// An upper bound of the page's size.
  package var size = PageSize()
  /// The merged tree.
  package var rendered: Rendered
  /// The templates of the tree's statics.
  var templates: TemplateTable
  /// The document that a client holds.
  package var document: Document
  /// The mounted observers.
  package var observers: MountedObservers
  /// The last page title that a diff has set.
  package var title: String?
  /// The log of this epoch, with its analyses.
  package var log = ChangeLog()
  /// The bounds of the log.
  var bounds = LogBounds()
  /// The document and tree after the last evicted entry; `nil` if no entry was evicted.
  var checkpoint: Checkpoint?
  /// Whether the view is fed with frames. Such a feed also contains the answers to
  /// `cids_destroyed`, which name the components that the server has destroyed.
  package internal(set) var isFedWithFrames = false
  /// The time of this epoch's mount, in milliseconds since 1970.
  package var mountedAt: Int64
  /// The time of the last update, in milliseconds since 1970.
  package var updatedAt: Int64
  /// The time of the remount that ended this epoch, in milliseconds since 1970; `nil` for the
  /// current epoch.
  package internal(set) var endedAt: Int64?
  /// The other readable epochs of the view, newest first, as of the time when this state was read
  /// from the coordinator.
  package internal(set) var otherEpochs: [EpochSummary] = []

  /// The password fields of this epoch.
  var passwords: PasswordFields { log.projections[PasswordFields.self] ?? PasswordFields() }

  /// The number of problems that the list of views shows.
  package var findingCount: Int { log.projections.findingCount(in: self) }

  /// The estimated memory of the page, of the checkpoint, and of the analyses, in bytes.
  var memory: Int {
    size.memory + (markupBefore?.utf8.count ?? 0) + log.projections.memory + (checkpoint?.size.memory ?? 0)
  }

  /// Reads the document in place. The method changes nothing. It is mutating because Swift would
  /// otherwise copy the state when the method is called through an Optional.
  mutating func reading<Result>(_ body: (Document) -> Result) -> Result { body(document) }

  /// Changes the state in place. A copy would share the document, and the first change of a shared
  /// document copies it.
  mutating func changing<Result, Failure: Error>(
    _ body: (inout ViewState) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try body(&self)
  }
}
