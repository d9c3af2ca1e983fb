package import MarkupDocument
package import RenderedTree

// `RenderedTree` does not know documents, and `MarkupDocument` does not know the wire format. Full
// and scoped updates connect them with these conversions, which lose nothing that patching needs.

extension Page {
  /// Parses the markup of a rendering, with the origins of its parts.
  package init(_ rendering: Rendering, dialect: Dialect) {
    self.init(
      parsing: rendering.markup, dialect: dialect, sources: Page.Sources(rendering), isInView: true)
  }
}

extension Page.Sources {
  init(_ rendering: Rendering) {
    self.init(
      spans: rendering.spans.map(Page.Span.init), roots: rendering.roots.map(Page.Root.init),
      hiddenIDs: rendering.hiddenIDs, hidesRoots: rendering.hidesRoots)
  }
}

extension Page.Root {
  init(_ root: Rendering.Root) {
    self.init(
      identity: root.identity, range: root.range, isUnchanged: root.extent == .nothing, isNew: root.extent == .all,
      isSkipped: root.isSkipped)
  }
}

extension Page.Span {
  init(_ span: Rendering.Span) {
    switch span.origin {
    case .entry(let list, let serial):
      self.init(group: list, member: serial, range: span.range, parent: span.parent)
    case .component(let cid):
      self.init(
        group: Origin.components, member: cid, range: span.range, parent: span.parent, tag: span.tag,
        isSkipped: span.isSkipped, isHidden: span.isHidden)
    }
  }
}

extension StreamPatch {
  init(_ operation: StreamOperation) {
    self.init(
      ref: operation.ref,
      inserts: operation.inserts.map {
        Insert(id: $0.id, at: $0.at, limit: $0.limit, updateOnly: $0.updateOnly)
      }, deletes: operation.deletes, reset: operation.reset)
  }
}

extension DocumentDiagnostic {
  /// The subject is the sentence without the offset, which changes with the content before it.
  ///
  /// - Parameters:
  ///   - read: names the markup that was parsed, such as `the page`.
  ///   - located: the element that the diagnostic is about, if it is known.
  init(_ diagnostic: MarkupDiagnostic, in read: String, at located: DocumentDiagnostic.LocatedNode?) {
    let inside = diagnostic.inside.map { " Found in `\($0)`." } ?? ""
    self.init(
      code: diagnostic.code, node: located?.node,
      message: "\(diagnostic.message)\(inside) (at byte \(diagnostic.offset) of \(read))",
      subject: diagnostic.message + inside, locatedNodes: located.map { [$0] } ?? [])
  }
}
