internal import MirrorAnalysis
internal import LiveViewMirror
internal import MarkupDocument
internal import MirrorSupport
internal import NodeObservation

// The forms for a terminal: a heading, then a line for each item. `ViewRoutes` and `NodeRoutes`
// respond with them if the client prefers `text/plain`. Text of the LiveView must be escaped, so
// that it cannot move the cursor.

extension ViewSummary {
  /// A line for each view:
  ///
  ///     view  epoch  version  status  nodes  observers  diffs  bytes  title
  ///     main  1      3        joined  12     12         3      140    Counter
  ///
  /// - Complexity: O(*views*).
  static func text(of views: [ViewSummary], _ reports: [LiveViews.ViewReport]) -> String {
    TextTable(
      head: ["view", "epoch", "version", "status", "nodes", "observers", "diffs", "bytes", "title"],
      rows: zip(views, reports).map { view, report in
        [
          view.id, "\(view.epoch)", "\(view.version)", report.life.shownStatus, "\(view.nodes)", "\(view.observers)",
          "\(view.log.diffCount)", "\(view.log.bytes)", Terminal.line(view.title ?? ""),
        ]
      }
    ).text()
  }

  /// A heading, and a line for each known fact about the view:
  ///
  ///     main v3 of epoch 1
  ///     title    Counter
  ///     status   joined
  func text(_ audience: Audience.Count, _ report: LiveViews.ViewReport) -> String {
    let facts: KeyValuePairs<String, String?> = [
      "title": title, "address": report.life.url, "status": report.life.shownStatus, "refusal": report.life.refusal,
      "page": report.life.page, "parent": report.parent, "module": module, "dialect": dialect.rawValue,
      "client": versions.client.rawValue, "server": versions.server, "mounted": Timestamp.text(mountedAt),
      "updated": Timestamp.text(updatedAt), "nodes": "\(nodes)", "diffs": "\(log.diffCount)",
      "rejected": "\(log.rejectionCount)",
      "bytes": "\(log.bytes)", "kept": "versions \(firstVersion) to \(version)",
      "epochs": epochs.map { "\($0.epoch)" }.joined(separator: ", "), "observers": "\(observers)",
      "event clients": "\(audience.clients)", "subscriptions": "\(audience.subscriptions)",
    ]
    let known = facts.compactMap { name, value in value.map { [name, Terminal.line($0)] } }
    return "\(id) v\(version) of epoch \(epoch)\n" + TextTable(head: known[0], rows: Array(known.dropFirst())).text()
  }
}

extension ViewState {
  /// A line for each node below `top`, indented by its level, and the number of children that were
  /// cut off:
  ///
  ///     node  subscribers  content
  ///     1     1            document
  ///     2     1              <p id="count">
  ///     3     0                "7"
  ///
  /// - Complexity: O(*nodes*).
  func treeText(of document: Document, under top: NodeRef, depth: Int?) -> String {
    let totals = observers.publishers.totals()
    let most = min(depth ?? TreeJSON.deepest, TreeJSON.deepest)
    var rows: [[String]] = []
    // A stack instead of recursion. The last node is the next one.
    var waiting = [(node: top, level: 0)]
    while let (node, level) = waiting.popLast() {
      rows.append([
        "\(node)", "\(totals[node])", Terminal.indentation(level) + (document.content(of: node)?.line ?? ""),
      ])
      let children = document.children(of: node)
      if level < most {
        waiting += children.reversed().map { ($0, level + 1) }
      } else if !children.isEmpty {
        rows.append(["", "", "\(Terminal.indentation(level + 1))… \(children.count) more"])
      }
    }
    return TextTable(head: ["node", "subscribers", "content"], rows: rows).text()
  }

  /// A line for each element, with the line of its template, and the number of elements that are
  /// not listed:
  ///
  ///     node  subscribers  source               element
  ///     9     1            lib/live/list.ex:12  <li id="a">
  func nodesText(of document: Document, _ nodes: ArraySlice<NodeRef>, of total: Int) -> String {
    let totals = observers.publishers.totals()
    let sources = document.sources()
    let rows = nodes.map { node in
      [
        "\(node)", "\(totals[node])",
        sources[node].map { Terminal.line("\($0.location.file):\($0.location.line)") } ?? "",
        document.content(of: node)?.line ?? "",
      ]
    }
    return TextTable(head: ["node", "subscribers", "source", "element"], rows: rows).text()
      + (nodes.count < total ? "… \(total - nodes.count) more\n" : "")
  }

  /// A line for each node with subscribers, in document order, and the sums:
  ///
  ///     node   subscribers  observers  clients  subscriptions  content
  ///     1      2            1          1        0              document
  ///     total  2            1          1        0
  func subscribersText(audience: Audience.Count) -> String {
    let counts = observers.publishers.counts()
    let nodes = document.inDocumentOrder(Set(counts.keys))
    func cells(_ count: NodePublishers.Count) -> [String] {
      [count.total, count.observers, count.clients, count.subscriptions].map { "\($0)" }
    }
    let rows = nodes.map { ["\($0)"] + cells(counts[$0] ?? .init()) + [document.content(of: $0)?.line ?? ""] }
    let sum = counts.values.reduce(into: NodePublishers.Count()) { sum, count in
      sum.observers += count.observers
      sum.clients += count.clients
      sum.subscriptions += count.subscriptions
    }
    return TextTable(
      head: ["node", "subscribers", "observers", "clients", "subscriptions", "content"],
      rows: rows + [["total"] + cells(sum) + [""]]
    ).text()
      + "The view has \(Formatted.count(audience.clients, "event client")) and \(Formatted.count(audience.subscriptions, "subscription")).\n"
  }
}
