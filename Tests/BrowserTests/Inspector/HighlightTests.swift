import Foundation
import Testing

extension BrowserSuite.InspectorTests {
  @Suite struct HighlightTests {
    @Test func `a change in the details highlights its node, and the reverse`() throws {
      let page = try InspectorPage("1.2.10/03_todo", "?version=9")
      let node = try #require(
        try page.value("document.querySelector('#details .changes [data-node]').dataset.node").string)
      try page.tab.hover("#details .changes [data-node='\(node)']")
      try page.expect("document.querySelector('#nodes #n\(node)[data-lit]')")
      try page.tab.hover("header h1")
      try page.expect("!document.querySelector('#nodes [data-lit]')")
      try page.tab.hover("#nodes #n\(node) .node")
      try page.expect("document.querySelector('#details .changes [data-node=\"\(node)\"][data-lit]')")
      page.expectNoComplaint()
    }

    /// The pointer over a part of the explained diff highlights all nodes that the part has
    /// changed.
    @Test func `a slot of the diff highlights its nodes, and the reverse`() throws {
      let page = try InspectorPage("1.2.10/03_todo", "?version=9")
      _ = try page.value("document.querySelectorAll('#details details').forEach((details) => (details.open = true))")
      let part = "#details [data-nodes]:not([data-nodes=''])"
      #expect(try page.count(part) ?? 0 > 0)
      let nodes = try page.value("[...document.querySelectorAll(\(Tab.quoted(part)))].at(-1).dataset.nodes.split(' ')")
        .array
        .compactMap(\.string)
      _ = try page.value("[...document.querySelectorAll(\(Tab.quoted(part)))].at(-1).id = 'hovered'")
      try page.tab.hover("#hovered")
      for node in nodes {
        try page.expect("!document.getElementById('n\(node)') || document.querySelector('#n\(node)[data-lit]')")
      }
      try page.tab.hover("header h1")
      let shown = try #require(nodes.first)
      try page.tab.hover("#n\(shown) .node, #n\(shown)")
      try page.expect("document.querySelector('#details [data-nodes~=\"\(shown)\"][data-lit]')")
      page.expectNoComplaint()
    }
  }

  @Suite struct HeatTests {
    /// The last version up to the shown one that changed each node, from the JSON of the log.
    private static func lastChanges(_ log: [[String: Any]], upTo shown: Int) -> [Int: Int] {
      var last: [Int: Int] = [:]
      for entry in log {
        guard let version = entry["version"] as? Int, version > 0, version <= shown else { continue }
        for change in entry["changes"] as? [[String: Any]] ?? [] where change["op"] as? String != "remove" {
          if let node = change["node"] as? Int { last[node] = version }
        }
      }
      return last
    }

    /// The level of each line, and the nodes on it.
    private static let lines = """
      [...document.querySelectorAll("#nodes > li[id^=n]")].map((line) => ({
        nodes: [line, ...line.querySelectorAll("[id]")].map(({ id }) => Number(id.slice(1))),
        heat: Number(line.className.match(/heat-(\\d)/)?.[1] ?? 0),
      }))
      """

    private func expectAgreement(_ page: InspectorPage, at version: Int) throws {
      let last = Self.lastChanges(try page.log(), upTo: version)
      var newest: [Int: Int] = [:]
      for line in try page.value(Self.lines).array {
        let nodes = line["nodes"].array.compactMap(\.int)
        let (heat, changed) = (line["heat"].int ?? -1, nodes.compactMap { last[$0] }.max())
        let age = changed.map { version - $0 }
        let expected = age.map { $0 == 0 ? 4 : $0 < 5 ? 3 : $0 < 10 ? 2 : $0 < 20 ? 1 : 0 } ?? 0
        #expect(heat == expected, "v\(version), node \(nodes), changed in \(changed.map(String.init) ?? "–")")
        newest[heat, default: 0] += 1
      }
      #expect(newest[4, default: 0] > 0 || version == 0)
    }

    @Test func `heat agrees with the log at every version`() throws {
      let page = try InspectorPage()
      for version in [0, 1, 5, 8, 14, 16, 18, 22] {
        try page.open("?version=\(version)&blank=1")
        if [0, 17].contains(version) == false { try expectAgreement(page, at: version) }
      }
      page.expectNoComplaint()
    }

    @Test func `heat agrees with the log after diffs that arrive`() throws {
      let page = try InspectorPage("1.2.10/03_todo", "?blank=1")
      for number in 23...30 {
        try page.post(#"{"\#(number % 2 == 0 ? 0 : 2)":"\#(number)"}"#)
        try page.expectVersion(number)
      }
      try expectAgreement(page, at: 30)
      page.expectNoComplaint()
    }
  }
}
