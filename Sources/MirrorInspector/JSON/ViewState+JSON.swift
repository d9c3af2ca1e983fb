package import LiveViewMirror
package import MarkupDocument
internal import NodeObservation

extension ViewState {
  /// The summary of one view.
  func json(heardBy audience: Audience.Count) -> JSON {
    [
      "view": .string(id), "epoch": .integer(epoch), "version": .integer(version),
      "dialect": .string(document.dialect.rawValue), "nodes": .integer(document.count),
      "observers": .integer(observers.count),
      "clients": .integer(audience.clients), "subscriptions": .integer(audience.subscriptions),
      "diffs": .integer(log.diffs), "rejected": .integer(log.rejected),
      "isolation": log.isolation.json, "bytes": .integer(log.bytes), "log": log.json, "title": JSON(title),
      "mounted_at": .string(Timestamp.text(mountedAt)),
      "updated_at": .string(Timestamp.text(updatedAt)),
    ]
  }

  /// Every node that somebody listens to, in document order, and who listens to the view.
  ///
  /// `total` counts for the nodes: a client that looks at the whole view is nobody's subscriber.
  func subscribersJSON(heardBy audience: Audience.Count) -> JSON {
    let counts = observers.publishers.counts()
    let nodes = document.inDocumentOrder(Set(counts.keys))
    return [
      "total": .integer(nodes.reduce(0) { $0 + (counts[$1]?.total ?? 0) }),
      "observers": .integer(nodes.reduce(0) { $0 + (counts[$1]?.observers ?? 0) }),
      "clients": .integer(audience.clients), "subscriptions": .integer(audience.subscriptions),
      "nodes": .array(
        nodes.map { node in
          let count = counts[node] ?? .init()
          return [
            "node": node.json, "subscribers": .integer(count.total), "observers": .integer(count.observers),
            "clients": .integer(count.clients), "subscriptions": .integer(count.subscriptions),
          ]
        }),
    ]
  }

  /// One node: what it is, where it stands, who listens, and its biography. Also for a node that is gone; `nil` for one
  /// that never was.
  package func nodeJSON(_ node: NodeRef) -> JSON? {
    let biography = Biography(of: node, in: log).events
    guard document.contains(node) || !biography.isEmpty else { return nil }
    let count = observers.publishers.count(of: node)
    let path = document.path(to: node)
    return .object(
      (document.contains(node)
        ? TreeJSON(document, observedBy: self).members(of: node)
        : [("node", node.json), ("kind", "gone"), ("subscribers", 0)])
        + [
          ("view", .string(id)), ("epoch", .integer(epoch)), ("version", .integer(version)),
          ("live", .bool(document.contains(node))),
          (
            "path",
            .array(
              path.map { step in
                ["node": step.json, "tag": JSON(document.content(of: step)?.element?.tag)]
              })
          ),
          ("children", .array(document.children(of: node).map(\.json))),
          ("observers", .integer(count.observers)), ("clients", .integer(count.clients)),
          ("subscriptions", .integer(count.subscriptions)),
          (
            "biography",
            .array(biography.map { ["version": .integer($0.record.version), "did": .string($0.change.verb)] })
          ), ("first_version", .integer(firstVersion)),
        ])
  }
}

extension ChangeLog {
  /// How much of it is kept.
  fileprivate var json: JSON {
    [
      "entries": .integer(keptEntries), "bytes": .integer(keptBytes), "first": JSON(first?.description),
      "evicted": .integer(evicted),
    ]
  }
}

extension Change {
  fileprivate var verb: String {
    switch self {
    case .text: "text"
    case .attributes: "attributes"
    case .add: "add"
    case .remove: "remove"
    case .move: "move"
    }
  }
}
