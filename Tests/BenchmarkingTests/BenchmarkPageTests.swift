import Benchmarking
import LiveViewMirror
import MarkupDocument
import MirrorViews
import NodeObservation
import RenderedTree
import Testing

@Suite struct BenchmarkPageTests {
  /// The numbers of the public pages with the same names, so that figures can be compared.
  private static let elements = [
    "a_counter": 12, "b_table1k_cell": 6006, "b_table1k_cell.d": 6006, "c_table1k_delete": 6006,
    "c_table1k_delete.d": 6006, "d_table1k_reverse": 6006, "d_table1k_reverse.d": 6006, "e_table10k_cell": 60_006,
    "f_dashboard": 2121, "g_components": 3003, "h_static": 5003, "s_title_100": 606, "s_title_300": 1806,
    "s_title_1000": 6006, "s_title_3000": 18_006, "s_title_10000": 60_006, "s_cell_100": 606, "s_cell_300": 1806,
    "s_cell_3000": 18_006, "p_page10k": 10_008,
  ]
  /// The large pages take seconds in a debug build, and differ from others only in their number of
  /// rows.
  private static let small = BenchmarkPages.names.filter { elements[$0, default: 0] <= 6006 }

  @Test func `every page is listed with its name and number of elements`() {
    #expect(Set(BenchmarkPages.names) == Set(Self.elements.keys))
    #expect(BenchmarkPages.names.count == Self.elements.count)
    for name in BenchmarkPages.names {
      let page = BenchmarkPages.page(name)
      #expect(page?.name == name && page?.elements == Self.elements[name])
      #expect((page?.format == .positional) == name.hasSuffix(".d"))
    }
    #expect(BenchmarkPages.page("z") == nil)
  }

  @Test(arguments: small)
  func `a page has its stated number of elements, and its diffs lead back to it`(name: String) throws {
    let page = try #require(BenchmarkPages.page(name))
    var rendered = try Self.mounted(page)
    let markup = try rendered.render().markup
    let (tags, ends) = Self.tags(markup)
    #expect((tags, ends) == (page.elements, page.elements))
    for (position, diff) in page.diffs.enumerated() {
      guard case .diff(let diff) = try WireDecoder().decode(diff, as: .diff).first?.get().content else {
        Issue.record("no diff")
        return
      }
      let before = try rendered.render().markup
      rendered = try rendered.merging(diff).rendered
      let after = try rendered.render().markup
      #expect(after != before, "diff \(position) changes nothing")
    }
    #expect(try rendered.render().markup == markup)
  }

  @Test(arguments: ["b_table1k_cell", "c_table1k_delete", "d_table1k_reverse"])
  func `both wire formats give the same page`(name: String) throws {
    let keyed = try Self.mounted(try #require(BenchmarkPages.page(name)))
    let positional = try Self.mounted(try #require(BenchmarkPages.page(name + ".d")))
    #expect(try keyed.render().markup == positional.render().markup)
  }

  @Test(arguments: [
    ("a_counter", 1, 1.0), ("c_table1k_delete", 1, 502.0), ("d_table1k_reverse", nil, 1000.0),
    ("f_dashboard", 10, 10.0),
    ("g_components", 1, 1.0), ("h_static", 1, 1.0), ("s_title_100", 1, 1.0), ("s_cell_100", 1, 1.0),
  ])
  func `a diff has the stated number of values and changes`(name: String, changes: Int?, entries: Double) throws {
    let page = try #require(BenchmarkPages.page(name))
    #expect(page.entries == entries)
    let view = LiveViewCoordinator(id: "main")
    try view.mount(page.mount, dialect: .html)
    for diff in page.diffs {
      let record = try view.update(diff)
      #expect(changes == nil || record.changeSet.changes.count == changes)
      #expect(!record.changeSet.isEmpty)
    }
  }

  @Test func `the diffs of a series are equally large, whatever the page's size`() throws {
    for series in BenchmarkPages.series {
      let sizes = try series.pages.map { try #require(BenchmarkPages.page($0.name)).diffBytes }
      #expect(try #require(sizes.max()) - #require(sizes.min()) < 8)
    }
  }

  private static func mounted(_ page: BenchmarkPage) throws -> Rendered {
    guard case .rendered(let rendered) = try WireDecoder().decode(page.mount, as: .rendered).first?.get().content else {
      throw UnexpectedMessage()
    }
    return try Rendered(mounting: rendered)
  }

  private struct UnexpectedMessage: Error {}

  /// The number of start and end tags of elements with this name.
  private static func tags(_ markup: [UInt8]) -> (starts: Int, ends: Int) {
    let brackets = markup.indices.filter { markup[$0] == UInt8(ascii: "<") }
    let ends = brackets.count { $0 + 1 < markup.count && markup[$0 + 1] == UInt8(ascii: "/") }
    return (brackets.count - ends, ends)
  }
}

/// The isolation report of the public pages.
@Suite struct IsolationTests {
  @Test(arguments: [("f_dashboard", 10, 2_000), ("s_cell_100", 1, 600), ("e_table10k_cell", 1, 60_000)])
  func `as many views are evaluated as texts change`(name: String, changed: Int, everybody: Int) throws {
    let page = try #require(BenchmarkPages.page(name))
    let view = LiveViewCoordinator(id: name, options: UpdateOptions(drawsPage: true))
    try view.mount(page.mount, dialect: .html)
    for diff in page.diffs.prefix(2) {
      let record = try view.update(diff)
      let isolation = record.isolation
      #expect(isolation.views?.evaluations.count == changed)
      #expect(isolation.views?.forNothing == 0)
      #expect(isolation.selective == .init(coalesced: changed, uncoalesced: changed))
      #expect(isolation.whole.coalesced > everybody)
      #expect(isolation.filtered.coalesced == changed * isolation.whole.coalesced)
    }
  }
}
