internal import MarkupDocument
package import MirrorSupport
package import NodeObservation
internal import RenderedTree

/// A snapshot of a view, from which the view can continue in another process.
/// ``LiveViewCoordinator`` writes snapshots to the journal, and restores a view from its snapshot
/// when the view is loaded.
///
/// A snapshot contains everything that decides what later inputs do and what the view shows, except
/// for the entries of the log and the state of subscribers:
///
/// ```swift
/// let bytes = state.snapshot()
/// var restored = try ViewState(
///   restoring: bytes, publishers: NodePublishers(), options: options, clock: .system)
/// ```
///
/// The same inputs then lead to the same records, node references, findings and snapshots, apart
/// from times. A restored view is as if all entries up to its version were evicted.
///
/// A snapshot must be taken when the record of the version is in the log, not while it is being
/// published. A snapshot does not contain ``bounds``, ``options``, ``clock``, ``otherEpochs``, the
/// counters of observers, or anything outside of the state: the current join, events without an
/// answer, the ``FieldMemory``.
extension ViewState {
  /// The snapshot. Equal states give equal bytes in every process.
  ///
  /// - Complexity: O(*nodes* + *slots* + *bytes*), and sorting of the marks.
  package func snapshot() -> [UInt8] {
    var (writer, statics) = (SnapshotWriter(capacity: 4_096 + size.document.bytes), StaticsWriter())
    writer.write(id)
    writer.write(count: epoch)
    writer.write(count: version)
    writer.write(container.rawValue)
    writer.write(markupBefore)
    writer.write(versions.rawValue)
    // 0 if ``leftovers`` is `nil`, otherwise the number of leftovers plus 1. Earlier releases wrote
    // a flag here; 0 and 1 mean the same as that flag.
    writer.write(count: leftovers.map { $0.count + 1 } ?? 0)
    for container in (leftovers ?? []).sorted() { writer.write(count: container.number) }
    writer.write(isStale)
    size.write(to: &writer)
    writer.write(title)
    writer.write(isFedWithFrames)
    writer.write(signed: Int(mountedAt))
    writer.write(signed: Int(updatedAt))
    writer.write(signed: endedAt.map(Int.init))
    log.projections.write(.beforeLog, to: &writer, &statics)
    log.write(to: &writer)
    log.projections.write(.afterLog, to: &writer, &statics)
    document.write(to: &writer)
    rendered.write(to: &writer, &statics)
    log.projections.write(.afterTree, to: &writer, &statics)
    templates.write(to: &writer, &statics)
    log.projections.writeLater(to: &writer, &statics)
    return writer.finish()
  }

  /// Restores a view, and mounts the observers of its elements.
  ///
  /// - Parameters:
  ///   - bytes: a ``snapshot()``.
  ///   - publishers: the publishers of the view. If an error is thrown, no observer is mounted in
  ///     them.
  ///   - options: the same as those of the view whose snapshot it is; otherwise later updates may
  ///     take another path, and a snapshot with other analyses cannot be read.
  /// - Throws: if the bytes are not a snapshot of this format, are damaged, or contain a value that
  ///   no view has. Forged bytes with a valid checksum never cause a trap. Whether their tree and
  ///   their document belong together is not checked.
  /// - Complexity: O(*nodes* · log *nodes* + *slots* + *bytes*).
  package init(
    restoring bytes: [UInt8], publishers: NodePublishers, options: UpdateOptions, clock: WallClock
  ) throws(SnapshotError) {
    var (reader, statics) = (try SnapshotReader(bytes), StaticsReader())
    let (id, epoch, version) = (try reader.string(), try reader.count(), try reader.count())
    let container = try reader.value(ContainerContent.init(rawValue:), of: "a content of the view's element")
    let markupBefore = try reader.optionalString()
    let versions = try reader.value(LiveViewVersions.init(rawValue:), of: "a version of LiveView's client")
    let links = try reader.count()
    var leftovers: Set<NodeRef>? = links > 0 ? [] : nil
    for _ in 0..<max(0, links - 1) { leftovers?.insert(NodeRef(epoch: epoch, number: try reader.count())) }
    let isStale = try reader.flag()
    let size = try PageSize(from: &reader)
    let (title, isFedWithFrames) = (try reader.optionalString(), try reader.flag())
    let (mountedAt, updatedAt) = (Int64(try reader.signed()), Int64(try reader.signed()))
    let endedAt = try reader.optionalSigned().map(Int64.init)
    var projections = Projections(options.projections)
    try projections.read(.beforeLog, from: &reader, &statics)
    let log = try ChangeLog(from: &reader)
    try projections.read(.afterLog, from: &reader, &statics)
    let document = try Document(from: &reader)
    try reader.require(document.epoch == epoch, "the document is of epoch \(document.epoch), and the view of \(epoch)")
    let rendered = try Rendered(from: &reader, &statics)
    try projections.read(.afterTree, from: &reader, &statics)
    let templates = try TemplateTable(dialect: document.dialect, from: &reader, &statics)
    try projections.readLater(from: &reader, &statics)
    try reader.finish()

    self.init(
      id: id, epoch: epoch, version: version, container: container, versions: versions, options: options, clock: clock,
      rendered: rendered, templates: templates, document: document,
      observers: MountedObservers(publishers: publishers), mountedAt: mountedAt, updatedAt: updatedAt)
    (self.markupBefore, self.leftovers, self.isStale, self.size) = (markupBefore, leftovers, isStale, size)
    self.size.measure(rendered)
    (self.title, self.isFedWithFrames, self.endedAt) = (title, isFedWithFrames, endedAt)
    self.log = log
    self.log.projections = projections
    checkpoint = Checkpoint(version: version, document: document, rendered: rendered, size: self.size)
    observers.replaceDocument(by: document)
  }
}

extension SnapshotReader {
  /// Reads a value that was written as a name.
  fileprivate mutating func value<Value>(
    _ make: (String) -> Value?, of kind: String
  ) throws(SnapshotError) -> Value {
    let name = try string()
    guard let value = make(name) else { throw malformed("\"\(name)\" is not \(kind)") }
    return value
  }
}
