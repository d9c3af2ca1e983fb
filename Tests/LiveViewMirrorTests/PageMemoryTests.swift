import MarkupDocument
import Testing

@testable import LiveViewMirror
import MirrorAnalysis

/// All pages share one memory limit.
@Suite struct PageMemoryTests {
  @Test
  func `the least recently updated view is evicted when pages exceed the memory limit`() throws {
    let views = LiveViews(options: UpdateOptions().withAnalyses, limits: MirrorLimits(pageBytes: 12 << 20))
    let text = String(repeating: "x", count: 700_000)
    for id in ["a", "b"] {
      _ = try views.mount(id, Array(#"{"0":"\#(text)","s":["<p>","</p>"]}"#.utf8), dialect: .html)
    }
    _ = try views.mount("small", Array(#"{"0":"","s":["<p>","</p>"]}"#.utf8), dialect: .html)
    _ = try views.update("a", Array(#"{"0":"\#(text)"}"#.utf8))
    #expect(["a", "b", "small"].map { views[$0] != nil } == [true, true, true])
    // A page that grows by a diff counts like a mounted one.
    _ = try views.update("small", Array(#"{"0":"\#(text)\#(text)"}"#.utf8))
    #expect(["a", "b", "small"].map { views[$0] != nil } == [true, false, true])
    #expect(views.usage.evictedViews == 1)
    // A single page may take more than the limit.
    let large = Array(#"{"0":"\#(text)\#(text)\#(text)\#(text)","s":["<p>","</p>"]}"#.utf8)
    _ = try views.mount("large", large, dialect: .html)
    #expect(["a", "small", "large"].map { views[$0] != nil } == [false, false, true])
  }

  @Test
  func `the oldest kept version counts with its own size, however much smaller the page is now`() throws {
    let view = LiveViewCoordinator(id: "main", options: UpdateOptions().withAnalyses, limits: MirrorLimits(versions: 1))
    let rows = (0..<600).map { #"["\#($0)"]"# }.joined(separator: ",")
    try view.mount(
      Array(#"{"0":"","1":{"s":["<p>","</p>"],"d":[\#(rows)]},"s":["<main>","","</main>"]}"#.utf8), dialect: .html)
    let mounted = view.pageMemory
    let slots = Array(repeating: "\"\"", count: 1_000).joined(separator: ",")
    let empty = Array(repeating: "[\(slots)]", count: 50).joined(separator: ",")
    // The page shows no node, and its tree takes more memory than that of the mount.
    try view.update(Array(#"{"1":{"s":["",\#(slots)],"d":[\#(empty)]}}"#.utf8))
    let updated = view.pageMemory
    #expect(updated > mounted && updated < 10 * mounted, "\(mounted) bytes before, \(updated) after")
    // Now it is the oldest kept version as well.
    try view.update(Array(#"{"0":"x"}"#.utf8))
    #expect(view.pageMemory < 3 * updated)
  }

  @Test
  func `the memory of a page includes its oldest kept version and its drawn views`() throws {
    let rows = (0..<1_000).map { #""\#($0)":{"0":"\#($0)"}"# }.joined(separator: ",")
    let page = #"{"0":{"s":["<li>","</li>"],"k":{\#(rows),"kc":1000}},"s":["<ul>","</ul>"]}"#
    let view = LiveViewCoordinator(
      id: "main", options: UpdateOptions(drawsPage: true).withAnalyses, limits: MirrorLimits(versions: 1))
    try view.mount(Array(page.utf8), dialect: .html)
    let mounted = view.pageMemory
    #expect(mounted > 2_000 * 300)
    // The mount is evicted from the log, and its result is kept as the oldest version.
    try view.update(Array("{}".utf8))
    try view.update(Array(#"{"0":{"k":{"0":{"0":"x"},"kc":1000}}}"#.utf8))
    let updated = view.pageMemory
    #expect(updated > 2 * mounted - mounted / 10)
    // Every row is notified, and therefore has a view.
    let all = (0..<1_000).map { #""\#($0)":{"0":"y\#($0)"}"# }.joined(separator: ",")
    try view.update(Array(#"{"0":{"k":{\#(all),"kc":1000}}}"#.utf8))
    #expect(view.pageMemory > updated + 900 * 700)
  }

  private static func text(_ bytes: Int) -> [UInt8] { Array(#"{"0":"\#(String(repeating: "x", count: bytes))"}"#.utf8) }

  private static let paragraph = Array(#"{"s":["<p>","</p>"],"0":"a"}"#.utf8)

  /// A list of elements, about 300 bytes of memory each.
  private static func elements(_ count: Int) -> [UInt8] {
    Array(#"{"s":["\#(String(repeating: "<br>", count: count))"]}"#.utf8)
  }

  @Test
  func `many small views that grow by diffs stay within the limit`() throws {
    let limit = 8 << 20
    let views = LiveViews(options: UpdateOptions().withAnalyses, limits: MirrorLimits(pageBytes: limit))
    for id in 0..<200 { _ = try views.mount("v\(id)", Self.paragraph, dialect: .html) }
    #expect(views.usage.evictedViews == 0)
    for id in 0..<200 {
      guard views["v\(id)"] != nil else { continue }
      _ = try views.update("v\(id)", Self.text(60_000))
      #expect(views.usage.pageBytes <= limit)
    }
    #expect(views.usage.evictedViews > 100 && views.usage.views > 10)
    #expect(views.usage.pageBytes == views.pageBudget.bytes)
  }

  @Test
  func `the newest entries of logs are bounded by removing views`() throws {
    let limit = 4 << 20
    let views = LiveViews(
      options: UpdateOptions().withAnalyses, limits: MirrorLimits(logBytes: limit, pageBytes: limit))
    for id in 0..<200 {
      _ = try views.mount("v\(id)", Self.paragraph, dialect: .html)
      // An unknown key is in the entry's input, and nowhere else.
      _ = try views.update("v\(id)", Array(#"{"0":"c","zz":"\#(String(repeating: "x", count: 100_000))"}"#.utf8))
      #expect(views.usage.logBytes + views.usage.pageBytes <= 2 * limit + limit / 8)
    }
    #expect(views.usage.evictedViews > 50 && views.usage.views > 50)
  }

  @Test
  func `updates that replace a text do not make the page larger`() throws {
    let views = LiveViews(options: UpdateOptions().withAnalyses, limits: MirrorLimits(pageBytes: 8 << 20))
    for id in 0..<20 { _ = try views.mount("idle\(id)", Self.elements(100), dialect: .html) }
    for id in 0..<5 {
      _ = try views.mount("chart\(id)", Array(#"{"s":["<svg d='","'></svg>"],"0":""}"#.utf8), dialect: .html)
    }
    for _ in 0..<300 { for id in 0..<5 { _ = try views.update("chart\(id)", Self.text(17_000)) } }
    // Pages that are rendered again in parts.
    let rows = { (text: String) in
      #"{"0":{"k":{\#((0..<40).map { #""\#($0)":{"0":"\#(text)","1":"\#($0)"}"# }.joined(separator: ",")),"kc":40}"#
    }
    let list = #","s":["<li>","</li><li>","</li>"]},"s":["<ul>","</ul>"]}"#
    for id in 0..<5 { _ = try views.mount("list\(id)", Array((rows("a") + list).utf8), dialect: .html) }
    for number in 0..<300 {
      for id in 0..<5 { _ = try views.update("list\(id)", Array((rows("a\(number)") + "}}").utf8)) }
    }
    #expect(views.usage.evictedViews == 0)
  }

  @Test
  func `small views stay when large ones need memory`() throws {
    let size = try { () throws(UpdateError) in
      let view = LiveViewCoordinator(id: "one", options: UpdateOptions().withAnalyses)
      try view.mount(Self.elements(6_000), dialect: .html)
      return view.pageMemory
    }()
    let views = LiveViews(options: UpdateOptions().withAnalyses, limits: MirrorLimits(pageBytes: size + size / 2))
    for id in 0..<5 { _ = try views.mount("small\(id)", Self.elements(20), dialect: .html) }
    for id in 0..<3 { _ = try views.mount("large\(id)", Self.elements(6_000), dialect: .html) }
    #expect(views.all.map(\.id).sorted() == ["large2", "small0", "small1", "small2", "small3", "small4"])
    // A page that is larger than the limit leaves an eighth of it for the others.
    _ = try views.mount("huge", Self.elements(12_000), dialect: .html)
    #expect(views.all.map(\.id).sorted() == ["huge", "small0", "small1", "small2", "small3", "small4"])
  }

  @Test
  func `components that no page shows are counted, and refused when they take too much`() throws {
    let view = LiveViewCoordinator(id: "main", options: UpdateOptions().withAnalyses)
    try view.mount(Self.paragraph, dialect: .html)
    let text = String(repeating: "x", count: 4 << 20)
    var rejected: UpdateError?
    for cid in 1...40 {
      do throws(UpdateError) {
        try view.update(Array(#"{"c":{"\#(cid)":{"s":["<i>","</i>"],"0":"\#(text)"}}}"#.utf8))
        #expect(view.pageMemory > cid * text.utf8.count)
      } catch {
        rejected = error
        break
      }
    }
    #expect(rejected?.kind == .unfitting)
    #expect(rejected?.reason.contains("cids_destroyed") == true)
    // The view is as before.
    try view.update(Array(#"{"0":"b"}"#.utf8))
  }

  @Test
  func `components that the server has destroyed are not counted any more`() throws {
    let views = LiveViews(options: UpdateOptions().withAnalyses)
    let join = #"["1","1","lv:a","phx_reply",{"status":"ok","response":{"rendered":{"0":"a","s":["<p>","</p>"]}}}]"#
    _ = try views.receive(frames: Array(join.utf8), dialect: .html)
    let before = views.pageMemory(of: "lv:a")
    let text = String(repeating: "x", count: 1 << 20)
    let diff = #"["1",null,"lv:a","diff",{"c":{"1":{"s":["<i>","</i>"],"0":"\#(text)"}}}]"#
    _ = try views.receive(frames: Array(diff.utf8), dialect: .html)
    #expect(views.pageMemory(of: "lv:a") > before + text.utf8.count)
    let destroyed =
      #"["1","2","lv:a","cids_destroyed",{"cids":[1]}]"# + "\n"
      + #"["1","2","lv:a","phx_reply",{"status":"ok","response":{"cids":[1]}}]"#
    let report = try views.receive(frames: Array(destroyed.utf8), dialect: .html)
    #expect(report.destroyedComponents == 1)
    #expect(views.pageMemory(of: "lv:a") < before + 64 << 10)
    #expect(views.usage.pageBytes == views.pageMemory(of: "lv:a"))
  }

  /// A text of no bytes takes a slot. 520,000 of them once counted as 100 kB, and took 21 MB.
  @Test
  func `empty texts are counted`() throws {
    let view = LiveViewCoordinator(id: "main", options: UpdateOptions().withAnalyses)
    let texts = Array(repeating: "\"\"", count: 1_000).joined(separator: ",")
    let entries = Array(repeating: "[\(texts)]", count: 20).joined(separator: ",")
    try view.mount(Array(#"{"s":["<p>","</p>"],"0":{"s":["",\#(texts)],"d":[\#(entries)]}}"#.utf8), dialect: .html)
    #expect(view.pageMemory > 20_000 * 16)
  }
}
