import LiveViewMirror
import MarkupDocument
import MirrorViews
import RecordingFixtures
import Testing

@testable import MirrorInspector

@Suite struct ViewPageTests {
  private static let small = Recording.all.filter { !$0.name.hasSuffix("big_table") }
  private static let bigTable = Recording.all.first { $0.name == "1.2.10/13_big_table" }

  // MARK: - The tree

  @Test(
    arguments: small + [bigTable].compactMap { $0 })
  func `the marks in the tree and the entry in the log show the changes of the record`(recording: Recording) throws {
    let view = try SampleView.recorded(recording)
    for version in stride(from: 0, through: view.version, by: max(1, view.version / 3)) {
      let record = try #require(view.log.record(of: version))
      let page = ParsedPage(try view.page(.init(version: version, showsBlanks: true)))
      var expected: [Int: Set<String>] = [:]
      var lines: [String] = []
      for change in record.changeSet.changes {
        let sign =
          switch change {
          case .text, .attributes: "~"
          case .add: "+"
          case .remove: "-"
          case .move: "⇄"
          }
        lines.append("\(sign) \(change.node.number)")
        if sign != "-" { expected[Int(change.node.number), default: []].insert(sign) }
      }
      let shown = page.shownNodes
      // With very many changes, the page shows only some of them, but never a mark without a
      // change.
      #expect(page.marks == expected.filter { shown[$0.key] != nil }, "version \(version)")
      if expected.count < 100 { #expect(expected.keys.allSatisfy { shown[$0] != nil }, "version \(version)") }
      #expect(page.changeLines == Array(lines.prefix(200)), "version \(version)")
    }
  }

  @Test(arguments: small)
  func `every node of a small document is shown once, in order, under its parent`(recording: Recording) throws {
    let view = try SampleView.recorded(recording)
    guard view.document.count <= 400 else { return }
    let page = ParsedPage(try view.page(.init(showsBlanks: true)))
    let shown = page.elements.compactMap { $0.element.id.flatMap { $0.hasPrefix("n") ? Int($0.dropFirst()) : nil } }
    #expect(shown == view.document.nodes(from: view.document.root).map { Int($0.number) })
    for (number, place) in page.shownNodes {
      let node = NodeRef(epoch: view.document.epoch, number: number)
      #expect(page.parentNode(of: place) == view.document.parent(of: node).map { Int($0.number) })
    }
  }

  @Test
  func `the page of 60,000 nodes is small, and counts and links the nodes that it leaves out`() throws {
    let rows = (0..<10_000).map { "<tr><td>\($0)</td><td>x</td></tr>" }.joined()
    let view = try SampleView.page("<table><tbody>\(rows)</tbody></table>")
    #expect(view.document.count > 50_000)
    let html = try view.page()
    let page = ParsedPage(html)
    #expect(page.shownNodes.count <= 60 && page.shownNodes.count > 45)
    #expect(html.bytes.count < 250_000)
    #expect(
      page.text().contains(
        "\(HTML.count(page.shownNodes.count).text) of \(HTML.count(view.document.count, "node").text)"))
    let gaps = page.elements("li", class: "gap")
    let left = gaps.reduce(0) { $0 + (Int(page.text(of: $1.place).filter(\.isNumber)) ?? 0) }
    #expect(left + page.shownNodes.count == view.document.count)
    let last = try #require(gaps.last)
    let targets = page.tree.children(of: last.place).compactMap { page.tree[$0].element?["href"] }
    let target = try #require(targets.first)
    #expect(target.hasPrefix("/views/main?under=3&from=") && target.hasSuffix("#page"))
    // The linked page shows the next rows, and a link back.
    let query = Self.query(of: target)
    let next = ParsedPage(try view.page(query))
    #expect(next.shownNodes.count <= 500)
    #expect(Set(next.shownNodes.keys).subtracting(page.shownNodes.keys).count > 400)
    #expect(next.links.contains("/views/main#page"))
  }

  // MARK: - Versions and nodes

  @Test
  func `links between versions keep the selected node, and the link to the newest one has no version`() throws {
    let view = try SampleView.counter(diffs: [#"{"0":"1"}"#, #"{"0":"2"}"#])
    let middle = ParsedPage(try view.page(.init(version: 1, node: 3)))
    let steps = middle.elements("nav", class: "versions").flatMap { nav in
      middle.tree.children(of: nav.place).compactMap { middle.tree[$0].element?["href"] }
    }
    #expect(
      steps == [
        "/views/main?version=0&epoch=1&node=3&tab=diff", "/views/main?version=1&epoch=1&node=3",
        "/views/main?version=2&epoch=1&node=3&tab=diff",
        "/views/main?node=3",
      ])
    #expect(middle.elements("a", class: "newest").map { middle.text(of: $0.place) } == ["newest: v2"])
    #expect(middle.links.contains("/views/main?version=1&epoch=1&node=2#details"))
    let newest = ParsedPage(try view.page())
    #expect(
      newest.elements("a", class: "newest").isEmpty && newest.elements("a").contains { $0.element["rel"] == "prev" })
    #expect(!newest.elements("a").contains { $0.element["rel"] == "next" })
    #expect(newest.links.contains("/views/main?node=2#details"))
  }

  @Test
  func `a version shows its own title, and the diff that sets another one shows both`() throws {
    let view = try SampleView.mounted(
      #"{"0":"3","s":["<p>","</p>"],"t":"Cart (3)"}"#, diffs: [#"{"0":"4","t":"Cart (4)"}"#, #"{"0":"5"}"#])
    func page(_ version: Int?) throws -> ParsedPage { ParsedPage(try view.page(.init(version: version))) }
    func name(_ page: ParsedPage) throws -> String {
      page.text(of: try #require(page.elements("h1").first).place)
    }
    #expect(try (0...2).map { try name(page($0)) } == ["Cart (3)", "Cart (4)", "Cart (4)"])
    #expect(try page(1).text().contains("set the page’s title to"))
    let changed = try page(1)
    let notice = try #require(changed.elements("p", class: "notice").first)
    #expect(changed.text(of: notice.place) == "Page title: Cart (3) → Cart (4)")
    #expect(try !page(2).text().contains("the title"))
  }

  @Test
  func `the tree of the newest version has the current subscribers, and that of an older one those that were notified`()
    throws
  {
    let view = try SampleView.mounted(
      #"{"0":"a","1":"x","s":["<p>","</p><b>","</b>"]}"#, diffs: [#"{"0":"b"}"#, #"{"1":"y"}"#])
    func marks(_ version: Int?) throws -> [String] {
      ParsedPage(try view.page(.init(version: version))).elements("span", class: "listeners").compactMap {
        $0.element["aria-label"]
      }
    }
    let now = try marks(nil)
    #expect(Set(now) == ["1 view", "notified, 1 view"])
    #expect(try marks(1) == ["notified"])
  }

  @Test
  func `an earlier version says which version its numbers are of`() throws {
    let view = try SampleView.mounted(
      #"{"s":["<ul>\n","</ul>"],"0":{"s":["<li id=\"a\">","</li>"],"k":{"0":{"0":"x"},"kc":1}}}"#,
      diffs: [#"{"0":{"k":{"0":{"0":"y"},"kc":1}}}"#, #"{"0":{"k":{"kc":0}}}"#])
    func words(_ tab: ViewPage.Tab, _ version: Int, node: Int? = nil) throws -> String {
      let page = ParsedPage(try view.page(.init(version: version, node: node, tab: tab)))
      return page.words(of: page.element(id: "facts"))
    }
    let node = try #require(
      view.document(at: 1).flatMap { page in
        page.nodes(from: page.root).first { page.content(of: $0)?.element?.tag == "li" }
      })
    let gone = try words(.node, 1, node: Int(node.number))
    #expect(
      gone.contains(
        "The newest version, v2, does not have this node any more, so its publisher has no subscribers now."))
    #expect(gone.contains("v1 notified its subscribers alone."))
    let list = try words(.node, 1, node: 2)
    #expect(list.contains("in the newest version, v2") && !list.contains("Subscribers now"))
    #expect(try words(.node, 2, node: 2).contains("Subscribers now"))
    let facts = try words(.view, 1)
    #expect(facts.contains("5 in v1, with 1 of white space and comments"))
    #expect(facts.contains("in v2 nodes"), "the time of the update")
    #expect(try #require(facts.firstMatch(of: /subscribers\s?(\d+) in v2/)).1 != "0")
  }

  @Test
  func `the attributes of LiveView's client are hidden like white space, unless the version changed them`() throws {
    let view = try SampleView.mounted(
      #"{"s":["<p data-phx-loc=\"7\" data-phx-x=\"","\" title=\"","\"></p>"],"0":"a","1":"b"}"#,
      diffs: [#"{"0":"c"}"#, #"{"1":"a title that is longer than a line"}"#])
    func attributes(_ version: Int, showsBlanks: Bool = false) throws -> [String] {
      let page = ParsedPage(try view.page(.init(version: version, showsBlanks: showsBlanks)))
      return page.all("bdi", "attribute", in: try #require(page.element(id: "nodes"))).map {
        "\(page.words(of: $0))\(page.attribute("title", of: $0).map { " (\($0))" } ?? "")"
      }
    }
    #expect(try attributes(0) == ["title=b"])
    #expect(try attributes(1) == ["data-phx-x=c", "title=b"])
    #expect(try attributes(2) == ["title=a title that is longer than a line (a title that is longer than a line)"])
    #expect(try attributes(0, showsBlanks: true) == ["data-phx-loc=7", "data-phx-x=a", "title=b"])
  }

  @Test
  func `every link of a page leads to an existing version, node or fragment`() throws {
    let view = try SampleView.recorded(try #require(Recording.all.first { $0.name == "1.2.10/03_todo" }))
    let page = ParsedPage(try view.page(.init(version: 3, node: 7)))
    let own = page.links.filter { $0.hasPrefix("/views/\(view.id)?") }
    #expect(own.count > 100)
    for link in own {
      let query = Self.query(of: link)
      #expect(view.document(at: query.version ?? view.version) != nil, "\(link)")
      if let node = query.node {
        #expect(!NodeHistory(of: NodeRef(epoch: 1, number: node), in: view.log).events.isEmpty || node == 1)
      }
    }
    // Every fragment that the page links to is on the page.
    for link in page.links where link.hasPrefix("#") {
      #expect(page.element(id: String(link.dropFirst())) != nil, "\(link)")
    }
  }

  // MARK: - Details

  @Test
  func `the words of the page are those of the field`() throws {
    let view = try SampleView.mounted(
      #"{"0":"a","1":"","s":["<!-- <A.render> lib/a.ex:2 (a) --><p>","</p>\n<b>x</b>","<i></i></div>"]}"#,
      diffs: [#"{"0":"b"}"#, #"{"1":"<u></u>\n"}"#])
    for tab in ViewPage.Tab.allCases {
      for version in 0...view.version {
        let text = ParsedPage(try view.page(.init(version: version, node: 2, tab: tab))).text()
        for word in ["folded", "Isolation", "Biography", "biography", "not read again"] {
          #expect(!text.contains(word), "\(word), v\(version), \(tab)")
        }
      }
    }
    let page = ParsedPage(try view.page(.init(version: 1, node: 3, tab: .node))).text()
    #expect(
      page.contains("hidden: white space and comments") && page.contains("History of this element and its content"))
    #expect(ParsedPage(try view.page(.init(version: 1))).text().contains("Updating everything: "))
    #expect(
      ParsedPage(try view.page(.init(version: 1, showsBlanks: true))).text().contains("hide white space and comments"))
  }

  @Test
  func `the details have the biography of a node, even before it is added and after it is removed`() throws {
    let view = try SampleView.mounted(
      #"{"s":["<ul>","</ul>"],"0":""}"#,
      diffs: [#"{"0":"<li id=\"a\">one</li>"}"#, #"{"0":"<li id=\"a\">two</li>"}"#, #"{"0":""}"#])
    let item = try #require(view.log.record(of: 1)?.changeSet.changes.first?.node)
    let number = Int(item.number)
    for (version, words) in [
      (0, "Version 1 adds this node."), (3, "Version 3 removed this node; it was last in version 2."),
    ] {
      let page = ParsedPage(try view.page(.init(version: version, node: number)))
      let details = page.text(of: try #require(page.element(id: "details")))
      #expect(details.contains("Node \(number) <li#a>"))
      #expect(details.contains(words))
      // The text is below the element.
      #expect(page.story == ["v3-", "v2~", "v1+"])
    }
    let text = ParsedPage(try view.page(.init(version: 2, node: number + 1)))
    #expect(text.story == ["v3-", "v2~", "v1+"])
    #expect(
      ParsedPage(try view.page(.init(node: 999))).text().contains("No stored version has a node with this number."))
    #expect(ParsedPage(try view.page(.init(node: .max))).story == [])
  }

  private static func query(of link: String) -> ViewPage.Query {
    let parameters = link.prefix { $0 != "#" }.drop { $0 != "?" }.dropFirst().split(separator: "&").map {
      $0.split(separator: "=", maxSplits: 1).map(String.init)
    }
    func value(_ name: String) -> String? { parameters.first { $0.first == name }?.last }
    func number(_ name: String) -> Int? { value(name).flatMap { Int($0) } }
    return ViewPage.Query(
      version: number("version"), node: number("node"), under: number("under"), from: number("from"),
      after: value("after"))
  }
}

extension ParsedPage {
  /// The sign and the node of each change of the shown version.
  fileprivate var changeLines: [String] {
    let list = elements("ul", class: "changes").first { !$0.element.classes.contains("evaluations") }
    return list.map { tree.children(of: $0.place).compactMap(line) } ?? []
  }

  private func line(_ item: NodeTree.Index) -> String? {
    let parts = tree.preorder(from: item)
    guard let mark = parts.first(where: { tree[$0].element?.classes.contains("mark") == true }),
      let node = parts.lazy.compactMap({ tree[$0].element?["data-node"] }).first
    else { return nil }
    return "\(text(of: mark)) \(node)"
  }

  /// The version and the sign of each line of the biography.
  fileprivate var story: [String] {
    elements("ol", class: "biography").flatMap { list in
      tree.children(of: list.place).compactMap { item -> String? in
        let parts = tree.preorder(from: item).filter {
          tree[$0].element.map { !$0.classes.isDisjoint(with: ["version", "mark"]) } ?? false
        }
        return parts.isEmpty ? nil : parts.map { text(of: $0) }.joined()
      }
    }
  }

  /// The node of the enclosing item of the tree: the nearest one before it with a smaller level, or
  /// the item around an inner text.
  fileprivate func parentNode(of place: NodeTree.Index) -> Int? {
    guard let level = self.level(of: place) else {
      var step = tree.parent(of: place)
      while let around = step, level(of: around) == nil { step = tree.parent(of: around) }
      return step.flatMap(nodeNumber)
    }
    var step = tree.previous(of: place)
    while let before = step, self.level(of: before).map({ $0 >= level }) ?? true { step = tree.previous(of: before) }
    return step.flatMap(nodeNumber)
  }

  private func level(of place: NodeTree.Index) -> Int? { tree[place].element?["aria-level"].flatMap { Int($0) } }

  private func nodeNumber(of place: NodeTree.Index) -> Int? { tree[place].element?.id.flatMap { Int($0.dropFirst()) } }
}
