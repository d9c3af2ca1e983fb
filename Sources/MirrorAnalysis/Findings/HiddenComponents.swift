internal import LiveViewMirror
internal import MarkupDocument
internal import MirrorSupport
internal import RenderedTree

/// The components that a diff has removed from the page, and that the client has not yet reported
/// as destroyed. ``ViewState/findings`` and ``FindingEntries`` read them.
///
/// A component that the page shows again stays in the table until it is destroyed, so each reader
/// checks whether the component is still hidden. The table is bounded by the number of components
/// in the Rendered.
struct HiddenComponents: Projection {
  static let name = "hidden-components"

  /// The version that hid each component.
  private var versions: [Int: Int] = [:]

  init() {}

  mutating func add(
    _ update: PreparedUpdate, making version: Int, of rendered: Rendered, _ document: Document,
    noting notes: inout UpdateNotes
  ) {
    if update.hidden.isEmpty { return }
    let components = rendered.components
    for cid in update.hidden where components[cid] != nil { versions[cid] = version }
    // A diff that replaces the whole page drops components, and the client does not report them.
    if versions.count > components.count { versions = versions.filter { components[$0.key] != nil } }
  }

  mutating func remove(components: [Int]) {
    for cid in components { versions[cid] = nil }
  }

  func findingCount(in view: ViewState) -> Int { view.unremovedComponents.isEmpty ? 0 : 1 }

  // MARK: - Finding

  /// Components that have been hidden for at least this number of versions become a finding. The
  /// number allows for the usual delay: LiveView's client reports a hidden component at once, which
  /// takes two round trips.
  private static let versionsForReport = 20

  /// See ``ViewState/unremovedComponents``.
  fileprivate func unremoved(in view: ViewState) -> [Int: Int] {
    guard view.isFedWithFrames, !versions.isEmpty else { return [:] }
    let old = versions.filter { view.version - $0.value >= Self.versionsForReport }
    if old.isEmpty { return [:] }
    let cids = Set(view.hidden(old.keys.filter { view.rendered.components[$0] != nil }))
    return old.filter { cids.contains($0.key) }
  }

  // MARK: - Snapshot

  func write(to writer: inout SnapshotWriter, _ statics: inout StaticsWriter) {
    writer.write(all: versions.sorted { $0.key < $1.key }) { component, writer in
      writer.write(signed: component.key)
      writer.write(count: component.value)
    }
  }

  init(from reader: inout SnapshotReader, _ statics: inout StaticsReader) throws(SnapshotError) {
    for _ in 0..<(try reader.listCount()) { versions[try reader.signed()] = try reader.count() }
  }
}

extension ViewState {
  /// The components that the page has not shown for some versions and that were not reported as
  /// destroyed, with the version that hid each. The server keeps their assigns. Empty for a feed
  /// without frames, because such a feed cannot contain the reports.
  var unremovedComponents: [Int: Int] { log.projections[HiddenComponents.self]?.unremoved(in: self) ?? [:] }

  var unremovedComponentsFinding: Finding? {
    let components = unremovedComponents
    guard let first = components.values.min() else { return nil }
    let cids = components.keys.sorted()
    let listed = cids.prefix(10).map(String.init).joined(separator: ", ") + (cids.count > 10 ? ", …" : "")
    let subject = "\(Formatted.count(cids.count, "component")) \(cids.count == 1 ? "is" : "are")"
    return Finding(
      code: "component-not-removed",
      message:
        "\(subject) no longer in the page, and the client has not reported the removal: \(listed). The server keeps "
        + "their state.",
      locatedNodes: [], firstVersion: first, lastVersion: version, count: version - first + 1, isCurrent: true)
  }
}
