import MirrorAnalysis
import RecordingFixtures
import Testing

@testable import MirrorInspector

/// JSON, text and page show the same facts. Each recording is fed to a mirror as a browser feeds
/// it, and each fact is read from the JSON and from the other forms that have it.
///
/// The name of a fact is the one in the JSON. A dash is a form that the resource does not have.
///
/// | resource | facts | JSON | text | page |
/// |---|---|---|---|---|
/// | view | id, title, address, status, parent, page, dialect, epoch, version, times, nodes, diffs, rejected, bytes, kept log, observers, clients, subscriptions, avoided re-renders | `/views/{view}` | – | `?tab=view`, `?tab=subscribers` |
/// | list of views | title, address, status, dialect, nodes, diffs, rejected, bytes, observers, subscriptions, findings, epoch | `/views` | – | `/` |
/// | log | version, cause, bytes, numbers of changes, waste, diagnostics; of a rejection the reason, place and kept version | `…/log` | `…/log` | the timeline |
/// | diff | cause, latency, bytes, changes (sign, node, kind, old → new, place, slots), observers, wasted bytes and slots, lists that were sent again, diagnostics, title, events, reply, parts (path, bytes, summary, value, nodes, waste), subscriber calls, evaluations, path, time | `…/log/{version}?explain=true` | the same | `?version=&tab=diff` |
/// | diff | value of the cause, time of the update and of each stage, notified nodes, ended subscriptions, title of the version and the one before | the same | – | the same |
/// | tree | level, tag, attributes, text, subscribers (of an older version the notified nodes), component, source | `…/tree?version=` | – | `?version=&show=tree` |
/// | node | content, path, source, subscribers, history with causes | `…/nodes/{node}` | – | `?node=` |
/// | node | versions that changed or notified it | `…/log?node=` | `…/log?node=` | among those of the history |
/// | observers | node, observers, clients, subscriptions; notified observers by version | `…/subscribers`, `…/log` | – | `?tab=subscribers` |
/// | waste | totals; of each slot and list all numbers, source and advice | `…/waste` | `…/waste` | – |
/// | totals | sentence; of each row key, numbers, latencies and source | `…/totals?by=` | the same | `?tab=cost&by=` |
/// | insights | code, message, advice, bytes, versions | `…/insights` | the same | `?tab=cost` |
/// | findings | code, message, versions, diffs, state, nodes | `…/diagnostics` | `…/diagnostics` | `?tab=diagnostics` |
/// | comparison | versions, changes | `…/compare` | `…/compare` | `?show=compare&blank=1`: marked nodes, texts, unshown changes |
///
/// A page shows at most some hundred nodes of a tree, 200 changes, 50 evaluations and 8 notified
/// nodes. These are compared with the same ones of the JSON, and the number of the others too.
///
/// Other suites compare the marks in the tree with the log (`ViewPageTests`) and the mirror page
/// with the document (`DocumentPageTests`).
@Suite struct SameFactsTests {
  @Test(arguments: Recording.committed)
  func `the log has the same entries`(recording: Recording) throws {
    for mirror in try RecordedMirror.all(of: recording) {
      let entries = mirror.entries
      let text = TerminalEntry.entries(try mirror.text("log?limit=1000"), of: mirror.view)
      let page = try mirror.page("show=mirror&tab=view&filter=")
      let items = page.elements("li", class: "diff").map(\.place)
      #expect(text.count == entries.count && items.count == entries.count)
      for (place, entry) in entries.enumerated() {
        expectSame(Facts(text[place]), Facts(entry: entry, as: .text), "\(mirror), text, entry \(place)")
        expectSame(
          try Facts(item: items[items.count - 1 - place], of: page) { try mirror.page("rejected=\($0)") },
          Facts(entry: entry, as: .page),
          "\(mirror), page, entry \(place)")
      }
    }
  }

  @Test(arguments: Recording.committed)
  func `a diff has the same cause, changes, reach, waste, parts, subscriber calls and timings`(recording: Recording)
    throws
  {
    for mirror in try RecordedMirror.all(of: recording) {
      for version in try mirror.versions() {
        let path = "log/\(version)?explain=true"
        let json = try mirror.json(path)
        let text = TerminalEntry.entries(try mirror.text(path), of: mirror.view)
        expectSame(
          Facts(diff: try #require(text.first)), Facts(diff: json, as: .text), "\(mirror), text, version \(version)")
        let page = try mirror.page("version=\(version)&show=mirror&tab=diff")
        var expected = Facts(diff: json, as: .page)
        expected.add(titlesAt: version, in: mirror.entries, of: try mirror.json())
        expectSame(Facts(diff: page), expected, "\(mirror), page, version \(version)")
      }
    }
  }

  // MARK: - The view

  @Test(arguments: Recording.committed)
  func `a view has the same summary`(recording: Recording) throws {
    for mirror in try RecordedMirror.all(of: recording) {
      let facts = Facts(
        view: try mirror.page("tab=view&show=mirror"), observers: try mirror.page("tab=subscribers&show=mirror"))
      // The page has the times at which the browser received the updates, as the log has them.
      // `mounted_at` and `updated_at` of the JSON are those at which the mirror did.
      var expected = Facts(view: try mirror.json())
      expected.add("mounted", try mirror.json("log/0")["at"].string)
      expected.add("updated", try mirror.json("log/\(expected["version"] ?? "")")["at"].string)
      expectSame(facts, expected, "\(mirror), page")
    }
  }

  @Test(arguments: Recording.committed)
  func `the list of views has the same views`(recording: Recording) throws {
    let mirror = try RecordedMirror.main(of: recording)
    let (json, page) = try mirror.index()
    let views = json["views"].array
    #expect(page.elements("li", class: "view").count == views.count)
    for view in views {
      let id = try #require(view["view"].string)
      let item = try #require(page.element(id: "view-\(id)"), "\(id)")
      let findings = try mirror.json("diagnostics", of: id)["diagnostics"].array.count
      expectSame(
        Facts(listed: item, on: page, hasTitle: !view["title"].isNull), Facts(listed: view, findings: findings), id)
    }
  }

  @Test(arguments: Recording.committed)
  func `the observers have the same nodes and the same trend`(recording: Recording) throws {
    let mirror = try RecordedMirror.main(of: recording)
    let json = try mirror.json("subscribers")
    for name in ["observers", "clients", "subscriptions"] {
      let sum = json["nodes"].array.reduce(0) { $0 + ($1[name].int ?? -1) }
      #expect(sum == (name == "clients" ? 0 : json[name].int), "\(name)")
    }
    // The trend has a row for each of the last 20 versions up to the shown one.
    let version = try #require(try mirror.json()["version"].int)
    for shown in [version, version / 2] {
      let page = try mirror.page("version=\(shown)&tab=subscribers&show=mirror")
      let entries = mirror.entries.filter { (shown - 19...shown).contains($0["version"].int ?? -1) }
      expectSame(Facts(subscribers: page), Facts(subscribers: json, entries: entries), "page, version \(shown)")
    }
  }

  // MARK: - Nodes

  @Test(arguments: Recording.committed)
  func `the tree has the same nodes at the newest and at an older version`(recording: Recording) throws {
    for mirror in try RecordedMirror.all(of: recording) {
      let last = try #require(try mirror.json()["version"].int)
      for version in [last, last / 2] {
        let isNewest = version == last && mirror.epoch == nil
        let notified = isNewest ? nil : Set(try mirror.json("log/\(version)")["notified"].array.compactMap(\.int))
        let nodes = TreeFacts.lines(of: try mirror.json("tree?version=\(version)")["root"], notified: notified)
        let (lines, left) = TreeFacts.lines(
          on: try mirror.page("version=\(version)&tab=view"), isNewest: isNewest)
        #expect(lines.count + left == nodes.count, "version \(version)")
        #expect(lines.count > 45 || left == 0, "version \(version)")
        // The nodes that a page of a large document shows are in the same order, with the same
        // values.
        let shown = Set(lines.map(\.node))
        let expected = nodes.filter { shown.contains($0.node) }
        #expect(lines.map(\.node) == expected.map(\.node), "version \(version)")
        for (line, node) in zip(lines, expected) where line.line != node.line {
          Issue.record("version \(version), node \(node.node): \(line.line), and in JSON \(node.line)")
        }
      }
    }
  }

  @Test(arguments: Recording.committed)
  func `a node has the same content, subscribers and history`(recording: Recording) throws {
    for mirror in try RecordedMirror.all(of: recording) {
      for node in try mirror.nodes() {
        let json = try mirror.json("nodes/\(node)")
        let expected = Facts(node: json, entries: mirror.entries)
        // The log of a node has the entries that changed it, and those that only notified its
        // subscribers.
        let entries = try mirror.json("log?limit=1000&node=\(node)")["entries"].array
        let text = TerminalEntry.entries(try mirror.text("log?limit=1000&node=\(node)"), of: mirror.view)
        #expect(text.map(\.version) == entries.map { $0["version"].int }, "node \(node)")
        let page = try mirror.page("node=\(node)&show=mirror&blank=1")
        guard let listed = page.historyVersions else { continue }
        expectSame(Facts(node: page), expected, "\(mirror), page, node \(node)")
        // The history also has the versions that changed something below the node.
        #expect(listed.isSuperset(of: entries.compactMap { $0["version"].int }), "node \(node)")
      }
    }
  }

  // MARK: - Costs, findings, comparisons

  @Test(arguments: Recording.committed)
  func `the waste has the same totals, slots and lists`(recording: Recording) throws {
    for mirror in try RecordedMirror.all(of: recording) {
      let json = try mirror.json("waste")
      expectSame(Facts(waste: try mirror.text("waste")), Facts(waste: json), "\(mirror), text")
    }
  }

  @Test(arguments: Recording.committed)
  func `the totals and the insights have the same numbers, sentences and versions`(recording: Recording) throws {
    for mirror in try RecordedMirror.all(of: recording) {
      for grouping in CostTotals.Grouping.allCases {
        let json = try mirror.json("totals?by=\(grouping)")
        let text = try mirror.text("totals?by=\(grouping)")
        expectSame(Facts(totals: text), Facts(totals: json, as: .text), "\(mirror), text, \(grouping)")
        if json["diffs"].int == 0 { continue }
        let page = try mirror.page("tab=cost&by=\(grouping)&show=mirror")
        expectSame(Facts(totals: page), Facts(totals: json, as: .page), "\(mirror), page, \(grouping)")
      }
      let json = try mirror.json("insights")
      expectSame(Facts(insights: try mirror.text("insights")), Facts(insights: json, as: .text), "\(mirror), text")
      if try mirror.json()["diffs"].int == 0 { continue }
      let page = try mirror.page("tab=cost&show=mirror")
      expectSame(Facts(insights: page), Facts(insights: json, as: .page), "\(mirror), page")
    }
  }

  @Test(arguments: Recording.committed)
  func `the findings have the same codes, places and versions`(recording: Recording) throws {
    for mirror in try RecordedMirror.all(of: recording) {
      let json = try mirror.json("diagnostics")
      let findings = json["diagnostics"].array
      // The diff that was rejected.
      #expect(!mirror.isMain || findings.contains { $0["code"].string == "rejected-diff" })
      let text = try mirror.text("diagnostics").filter { !$0.isEmpty }
      let count = "\(findings.count) finding\(findings.count == 1 ? "" : "s")"
      #expect(text.first == "\(mirror.view) v\(json["version"].int ?? -1)  \(count)")
      #expect(text.dropFirst().map(FindingFacts.line) == FindingFacts.lines(of: findings, as: .text))
      let page = try mirror.page("tab=diagnostics&show=mirror")
      let items = page.elements("li", class: "finding").map { FindingFacts.line(of: $0.place, on: page) }
      #expect(items == FindingFacts.lines(of: findings, as: .page))
    }
  }

  @Test(arguments: Recording.committed)
  func `a comparison has the same versions and changes`(recording: Recording) throws {
    for mirror in try RecordedMirror.all(of: recording) {
      let view = try mirror.json()
      let last = try #require(view["version"].int)
      // Comparing large documents takes long.
      let others = view["nodes"].int ?? 0 > 1_000 ? [] : [(last / 2, last), (max(0, last - 1), last)]
      for (from, to) in [(0, last)] + others {
        let path = "compare?from=\(from)&to=\(to)"
        let json = try mirror.json(path)
        expectSame(Facts(comparison: try mirror.text(path)), Facts(comparison: json), "\(mirror), text, \(path)")
        let rows = ComparisonRows(
          try mirror.page("version=\(to)&with=\(from)&show=compare&form=tree&tab=view&blank=1"))
        let changes = json["changes"].array
        #expect([rows.from, rows.to, rows.count] == [from, to, changes.count], "\(path)")
        let own = Set(changes.filter { Facts.sign($0) == "~" }.compactMap { $0["node"].int })
        var unshown: [String] = []
        for change in changes {
          let (sign, node) = (Facts.sign(change), change["node"].int ?? -1)
          // A node that moved and changed has the sign of a change on both sides.
          let isShown = [sign, sign == "⇄" && own.contains(node) ? "~" : sign].contains {
            rows.nodes[$0]?.contains(node) == true
          }
          guard isShown else {
            unshown.append("\(sign) \(node)")
            continue
          }
          guard let row = rows.changed[node], change["op"].string == "text" else { continue }
          // A long line begins shortly before the first difference.
          guard !(row.before + row.after).contains("…") else { continue }
          #expect(row.before == ComparisonRows.line(of: change["before"]), "\(path), node \(node)")
          #expect(row.after == ComparisonRows.line(of: change["after"]), "\(path), node \(node)")
        }
        #expect(rows.unshown == unshown.count, "\(path): \(unshown)")
        // No row has a mark without a change. Rows of added and removed nodes have those below
        // them, too.
        #expect(rows.nodes["~", default: []].isSubset(of: own), "\(path)")
        let moved = Set(changes.filter { Facts.sign($0) == "⇄" }.compactMap { $0["node"].int })
        #expect(rows.nodes["⇄", default: []].isSubset(of: moved), "\(path)")
      }
    }
  }

  /// Compares the facts of a form with those of the JSON, written as in the form.
  private func expectSame(_ form: Facts, _ json: Facts, _ place: String, at location: SourceLocation = #_sourceLocation)
  {
    let differences = form.differences(from: json)
    if differences.isEmpty { return }
    Issue.record("\(place): \(differences.joined(separator: "\n"))", sourceLocation: location)
  }
}
