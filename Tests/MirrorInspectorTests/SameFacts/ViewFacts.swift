import MarkupDocument

@testable import MirrorInspector

/// The summary of a view, its line in the list of views, and its subscribers.
extension Facts {
  // MARK: - The summary

  /// - Parameter view: `GET /views/{view}`.
  init(view: JSONValue) {
    let names = [
      ("view", "id"), ("title", "title"), ("url", "address"), ("parent", "parent"), ("page", "page"),
      ("dialect", "dialect"),
    ]
    for (name, fact) in names { add(fact, view[name].string.map(ParsedPage.words)) }
    add("status", Self.status(view))
    add("epoch", view["epoch"].int)
    add("version", view["version"].int)
    for name in ["nodes", "diffs", "subscriptions"] { add(name, Form.page.count(view[name].int)) }
    // The client of these tests subscribes to no node.
    add("subscribers", Form.page.count((view["observers"].int ?? 0) + (view["subscriptions"].int ?? 0)))
    add("event clients", Form.page.count(view["clients"].int))
    add("LiveView", view["server"].string)
    add("rejected", view["rejected"].int == 0 ? nil : view["rejected"].int)
    add("received", Form.page.bytes(view["bytes"].int).map { "\($0), with the mount" })
    let log = view["log"]
    let entries = log["entries"].int.map { "\(HTML.count($0, "entry").text)" } ?? "?"
    add(
      "kept",
      "versions \(log["first"].string ?? "?") to \(view["version"].int ?? -1), \(Form.page.bytes(log["bytes"].int) ?? "?") of \(entries)"
    )
    add(epochs: view["epochs"].array)
    let calls = view["isolation"]
    let saved = max(0, (calls["whole"].int ?? 0) - (calls["selective"].int ?? 0))
    if calls["whole"].int != 0 {
      add(
        "avoided",
        "\(HTML.count(calls["whole"].int ?? -1, "call").text), \(HTML.count(calls["whole"].int.map { $0 - saved } ?? -1).text) in \(HTML.count(view["diffs"].int ?? -1, "diff").text)"
      )
    }
  }

  /// - Parameter epochs: `epochs` of a view. A page of a view with one epoch does not list it.
  private mutating func add(epochs: [JSONValue]) {
    if epochs.count < 2 { return }
    for epoch in epochs {
      let times = ["mounted_at", "ended_at"].compactMap { epoch[$0].string }.joined(separator: " ")
      let diffs = Form.page.count(epoch["diffs"].int) ?? "?"
      add("epochs", "\(epoch["epoch"].int ?? -1) from \(times), \(diffs)")
    }
  }

  private static func status(_ view: JSONValue) -> String {
    let status = view["status"].string ?? "?"
    return (status == "crashed" ? "! " : "") + status + (view["refusal"].string.map { ": \($0)" } ?? "")
  }

  /// - Parameters:
  ///   - page: the page with the facts about the view.
  ///   - observers: the page with its observers.
  init(view page: ParsedPage, observers: ParsedPage) {
    if let list = page.first("dl", "facts") {
      for (name, value) in page.definitions(in: list) where !["mounted", "updated", "rejected"].contains(name) {
        // The number, without the version that it is of.
        let isCount = ["nodes", "subscribers", "event clients", "subscriptions"].contains(name)
        add(name, isCount ? value.prefix { $0 != " " }.description : value)
      }
      for row in page.all("div", in: list) {
        let name = page.words(of: page.first("dt", in: row))
        if name == "rejected" { add(name, page.words(of: page.first("dd", in: row)).replacing("✕ ", with: "")) }
        add(name, page.first("time", in: row).flatMap { page.attribute("datetime", of: $0) })
      }
    }
    for item in page.first("ol", "epochs").map({ page.children("li", of: $0) }) ?? [] {
      let times = page.all("time", in: item).compactMap { page.attribute("datetime", of: $0) }.joined(separator: " ")
      let words = page.words(of: item)
      let diffs = words.firstMatch(of: /([\d,]+) diffs?$/).map { String($0.1) } ?? "?"
      let loads = ["first", "second", "third", "fourth"]
      let epoch = words.split(separator: " ").first.flatMap { loads.firstIndex(of: String($0)) }.map { $0 + 1 }
      add("epochs", "\(epoch ?? -1) from \(times), \(diffs)")
    }
    add("version", page.first("a", "version").map { page.words(of: $0).replacing("version ", with: "") })
    let words = observers.words(of: observers.element(id: "details"))
    add(
      "avoided",
      words.firstMatch(of: /([\d,]+ calls?) in ([\d,]+ diffs?); by element: ([\d,]+)/).map {
        "\($0.1), \($0.3) in \($0.2)"
      })
  }

  // MARK: - The list of views

  /// - Parameters:
  ///   - view: an element of `views` in `GET /views`.
  ///   - findings: the number of its findings.
  init(listed view: JSONValue, findings: Int) {
    add("title", view["title"].string.map(ParsedPage.words))
    add("address", view["url"].string?.firstMatch(of: /^\w+:\/\/[^\/]*(\/.*)/).map { String($0.1) })
    add("dialect", view["dialect"].string == "html" ? nil : view["dialect"].string)
    add("status", view["status"].string == "joined" ? nil : Self.status(view))
    for name in ["diffs", "nodes", "observers"] { add(name, Form.page.count(view[name].int)) }
    add("bytes", Form.page.bytes(view["bytes"].int))
    add("rejected", view["rejected"].int == 0 ? nil : Form.page.count(view["rejected"].int))
    add("subscriptions", view["subscriptions"].int == 0 ? nil : Form.page.count(view["subscriptions"].int))
    add("findings", findings == 0 ? nil : Form.page.count(findings))
    add("epoch", view["epoch"].int)
  }

  /// - Parameters:
  ///   - item: an item of the list of views.
  ///   - hasTitle: whether its view has a title. A view without one may have that of its page.
  init(listed item: ParsedPage.Place, on page: ParsedPage, hasTitle: Bool) {
    if hasTitle { add("title", page.first("a", "name", in: item).map { page.words(of: $0) }) }
    add("address", page.first("bdi", "route", in: item).map { page.words(of: $0) })
    for state in page.all("span", "state", in: item) {
      let words = page.words(of: state)
      add(["native", "swiftui"].contains(words) ? "dialect" : "status", words)
    }
    let costs = page.first("p", "costs", in: item) ?? item
    for name in ["diffs", "nodes", "observers"] {
      add(name, page.first("span", name, in: costs).map { page.words(of: $0).prefix { $0 != " " }.description })
    }
    add("bytes", page.first("span", "bytes", in: costs).map { page.words(of: $0) })
    add("rejected", page.first("span", "rejected", in: costs).map { page.words(of: $0).filter(\.isNumber) })
    let more = page.words(of: page.first("p", "more", in: item))
    add("subscriptions", more.firstMatch(of: /([\d,]+) subscriptions?/).map { String($0.1) })
    add("findings", more.firstMatch(of: /\? ([\d,]+) diagnostics?/).map { String($0.1) })
    add("epoch", more.firstMatch(of: /mounted ([\d,]+) times/).map { String($0.1) } ?? "1")
  }

  // MARK: - Subscribers

  private static let listedNodes = 100

  /// - Parameters:
  ///   - subscribers: `GET …/subscribers`.
  ///   - entries: the entries of the log.
  init(subscribers: JSONValue, entries: [JSONValue]) {
    let nodes = subscribers["nodes"].array
    add("subscribed", Form.page.count(nodes.count))
    for node in nodes.prefix(Self.listedNodes) {
      let counts = ["observers", "clients", "subscriptions"].map { node[$0].int ?? -1 }
      add("subscribers", "\(node["node"].int ?? -1) \(counts)")
    }
    for entry in entries.reversed() where entry["rejected"].isNull && entry["version"].int != 0 {
      let (sent, all) = (entry["observers"].int ?? -1, entry["isolation"]["everybody"].int ?? -1)
      add("notified", "v\(entry["version"].int ?? -1) \(sent) \(all)")
    }
  }

  /// - Parameter page: the page with the observers of the view.
  init(subscribers page: ParsedPage) {
    if let table = page.first("table", "subscribed") {
      add("subscribed", page.words(of: page.first("caption", in: table)).prefix { $0 != " " }.description)
    }
    for row in page.rows(ofTable: "subscribed") {
      let counts = row.dropFirst().map { Int($0.filter(\.isNumber)) ?? -1 }
      add("subscribers", "\(row[0].prefix { $0.isNumber }) \(counts)")
    }
    for row in page.rows(ofTable: "trend") {
      add("notified", row.prefix(3).joined(separator: " ").replacing(",", with: ""))
    }
  }
}
