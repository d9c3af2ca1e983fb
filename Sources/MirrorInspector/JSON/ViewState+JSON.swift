package import LiveViewMirror
package import MarkupDocument
internal import MirrorSupport
package import MirrorViews
internal import NodeObservation

extension ViewSummary {
  /// The summary of one view, in `GET /views` and `GET /views/{view}`.
  func json(audience: Audience.Count, _ report: LiveViews.ViewReport) -> JSON {
    .object(members(audience) + report.members)
  }

  private func members(_ audience: Audience.Count) -> [(String, JSON)] {
    let json: KeyValuePairs<String, JSON> = [
      "view": .string(id), "epoch": .integer(epoch), "version": .integer(version),
      "dialect": .string(dialect.rawValue), "nodes": .integer(nodes), "observers": .integer(observers),
      "clients": .integer(audience.clients), "subscriptions": .integer(audience.subscriptions),
      "diffs": .integer(log.diffCount), "rejected": .integer(log.rejectionCount),
      "isolation": log.isolation.json, "bytes": .integer(log.bytes), "log": log.json(in: epoch), "title": JSON(title),
      "client": .string(versions.client.rawValue), "server": JSON(versions.server),
      "module": JSON(module),
      "mounted_at": .string(Timestamp.text(mountedAt)),
      "updated_at": .string(Timestamp.text(updatedAt)), "epochs": .array(epochs.map(\.json)),
    ]
    return json.map { ($0, $1) }
  }
}

extension ViewState {
  /// The body of `GET /views/{view}/subscribers`: the subscribers of every node that has any, in
  /// document order, and the clients of the view.
  ///
  /// `total` counts the subscribers of nodes. An event client of the whole view is not counted.
  func subscribersJSON(audience: Audience.Count) -> [UInt8] {
    let counts = observers.publishers.counts()
    let nodes = document.inDocumentOrder(Set(counts.keys))
    return JSONWriter { json in
      json.member("total", nodes.reduce(0) { $0 + (counts[$1]?.total ?? 0) })
      json.member("observers", nodes.reduce(0) { $0 + (counts[$1]?.observers ?? 0) })
      json.member("clients", audience.clients)
      json.member("subscriptions", audience.subscriptions)
      json.array("nodes", nodes) { json, node in
        let count = counts[node] ?? .init()
        json.object { json in
          json.member("node", node.number)
          json.member("subscribers", count.total)
          json.member("observers", count.observers)
          json.member("clients", count.clients)
          json.member("subscriptions", count.subscriptions)
        }
      }
    }.bytes
  }

  /// The body of `GET /views/{view}/nodes/{node}`: the content, position, subscribers and history
  /// of a node, which may be a removed one; `nil` if neither the log nor the document has it.
  ///
  /// - Parameter page: the views of the page; `nil` if none is drawn, or for an ended epoch.
  package func nodeJSON(_ node: NodeRef, page: ViewTree? = nil) -> [UInt8]? {
    let history = NodeHistory(of: node, in: log)
    let biography = history.events
    guard document.contains(node) || !biography.isEmpty else { return nil }
    let subscribers = NodeSubscribers(of: node, in: self, page: page)
    return JSONWriter { json in
      if document.contains(node) {
        TreeJSON(document, observedBy: self).writeMembers(of: node, to: &json)
      } else {
        json.member("node", node.number)
        json.member("kind", word: "gone")
        json.member("subscribers", 0)
      }
      json.version(version, of: id, epoch: epoch)
      json.member("live", document.contains(node))
      json.objects("path", document.path(to: node)) { json, step in
        json.member("node", step.number)
        json.member("tag", document.content(of: step)?.element?.tag)
      }
      json.array("children", document.children(of: node)) { $0.value($1.number) }
      json.member("observers", subscribers.count.observers)
      json.member("clients", subscribers.count.clients)
      json.member("subscriptions", subscribers.count.subscriptions)
      json.member("summary", subscribers.sentence)
      subscribers.writeViews(to: &json)
      json.objects("biography", biography) { json, event in
        json.member("version", event.record.version)
        json.member("did", event.change.op.rawValue)
      }
      json.object("text_changes") { history.texts.write(to: &$0) }
      json.object("children_changes") { history.children.write(to: &$0) }
      json.member("first_version", firstVersion)
    }.bytes
  }
}

extension NodeHistory.TextChanges {
  fileprivate func write(to json: inout JSONWriter) {
    json.member("count", count)
    json.member("last_version", lastVersion)
    json.objects("recent", recent) { json, change in
      json.member("version", change.version)
      json.member("node", change.node.number)
      json.member("before", change.before)
      json.member("after", change.after)
    }
  }
}

extension NodeHistory.ChildrenChanges {
  fileprivate func write(to json: inout JSONWriter) {
    json.member("count", count)
    json.member("added", added)
    json.member("removed", removed)
    json.member("moved", moved)
    json.member("last_version", lastVersion)
    json.objects("recent", recent) { json, change in
      json.member("version", change.version)
      json.member("did", change.did.rawValue)
      json.member("node", change.node.number)
      change.name.write(to: &json)
    }
  }
}

extension EpochSummary {
  fileprivate var json: JSON {
    [
      "epoch": .integer(epoch), "versions": .integer(versions), "first_version": .integer(firstVersion),
      "mounted_at": .string(Timestamp.text(mountedAt)), "ended_at": JSON(endedAt.map(Timestamp.text)),
      "diffs": .integer(diffs),
    ]
  }
}

extension LogSummary {
  /// `log` of a view's summary: the size of the kept part, and the number of evicted entries.
  fileprivate func json(in epoch: Int) -> JSON {
    [
      "entries": .integer(keptEntryCount), "bytes": .integer(keptBytes),
      "first": JSON(first.map { EventID.positionText($0, in: epoch) }),
      "evicted": .integer(evicted),
    ]
  }
}
