package import MarkupDocument
package import RenderedTree

/// The result of an update, ready to be committed. Full and scoped updates make one. ``ViewState``
/// makes a ``ChangeRecord`` of it, and each ``Projection`` reads it.
package struct PreparedUpdate {
  let extras: UpdateExtras
  /// The update itself as JSON.
  package let json: JSONText
  /// When the client received the update, in milliseconds since 1970; `nil` if the feed does not
  /// say so.
  let at: Int64?
  package let changeSet: ChangeSet
  /// `nil` for a mount, whose changes have no particular cause.
  package let causes: Attribution?
  let path: UpdatePath
  let effect: TreeEffect
  let diagnostics: [MarkupDiagnostic]
  /// The node of the next version for each of the ``diagnostics``; `nil` if the node is not known.
  /// The whole list is empty until ``note(_:isWhole:named:)`` has found the nodes.
  var diagnosed: [NodeRef?] = []
  /// Whether the ``diagnostics`` are those of the whole page.
  var readsWholePage = false
  /// The components that the page does not show any more.
  package var hidden: Set<Int> = []
  /// Notes that are not about markup: differences that the verification of a scoped update found,
  /// children of streams that the page does not have, an error of the client, and different
  /// versions of client and server.
  let notes: [DocumentDiagnostic]
  let timings: ChangeRecord.Timings

  init(
    of diff: Diff, in message: WireMessage, changeSet: ChangeSet, causes: Attribution?, path: UpdatePath,
    effect: TreeEffect, diagnostics: [MarkupDiagnostic], notes: [DocumentDiagnostic] = [],
    timings: ChangeRecord.Timings
  ) {
    extras = UpdateExtras(of: diff)
    json = message.json
    at = message.wallTime
    self.changeSet = changeSet
    self.causes = causes
    self.path = path
    self.effect = effect
    self.diagnostics = diagnostics
    self.notes = notes
    self.timings = timings
  }
}

extension PreparedUpdate {
  /// Sets ``diagnosed`` to the nodes that the diagnostics of a page are about, and sets
  /// ``readsWholePage``.
  ///
  /// - Parameters:
  ///   - isWhole: whether the markup contained every part of the page.
  ///   - named: the node of the next version for a node of the page.
  /// - Complexity: O(*diagnostics*).
  mutating func note(_ page: Page, isWhole: Bool, named: (NodeTree.Index) -> NodeRef?) {
    // The tree forgets the entries of streams once they are shown, so their markup is not read
    // again. A list of diagnostics that has reached its limit may lack some.
    readsWholePage = isWhole && !page.mayHoldStreams && page.diagnostics.count < Page.listedDiagnostics
    if !diagnostics.isEmpty { diagnosed = diagnostics.map { $0.element.flatMap(named) } }
  }
}

extension WireMessage {
  /// ``at`` in milliseconds since 1970; `nil` if the feed counts from another moment, such as the
  /// load of the page. A number that would be a time before September 2001 is taken for such a
  /// count.
  var wallTime: Int64? {
    guard let at, at >= 1e12 else { return nil }
    return Int64(at)
  }
}
