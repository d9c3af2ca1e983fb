import RecordingFixtures
import RenderedTree
import Testing

/// Compares a merge in place with a merge into a copy, and tests undoing it.
@Suite struct InPlaceMergeTests {
  private let decoder = WireDecoder()

  private func decode(_ diff: String) throws -> Diff {
    guard case .diff(let diff) = try decoder.decode(Array(diff.utf8), as: .diff)[0].get().content else {
      throw WireError.wrongShape(at: SlotPath(), reason: "no diff")
    }
    return diff
  }

  private func mount(_ json: String) throws -> Rendered {
    guard case .rendered(let diff) = try decoder.decode(Array(json.utf8), as: .rendered)[0].get().content else {
      throw WireError.wrongShape(at: SlotPath(), reason: "no mount")
    }
    return try Rendered(mounting: diff)
  }

  /// Merges in place, undoes the merge, and merges again. After an error, the tree must be
  /// unchanged.
  ///
  /// - Returns: a violated condition, or `nil`; and whether the diff could be merged.
  private func fault(merging json: String, into tree: inout Rendered) throws -> (fault: String?, isMerged: Bool) {
    let diff = try decode(json)
    let sites = tree.placeEverything()
    let all = Set(tree.places.map(\.site.depth))
    let before = tree.everything
    let copied = Result { () throws(MergeError) in try tree.merging(diff) }
    if let line = difference(before, tree.everything) { return ("a merge into a copy changes the tree: \(line)", true) }
    let merge: Rendered.Merge
    do throws(MergeError) { merge = try tree.merge(diff) } catch {
      guard case .failure(error) = copied else { return ("there is an error only in place: \(error)", false) }
      return (difference(before, tree.everything).map { "an error leaves \($0)" }, false)
    }
    guard case .success(let copy) = copied else { return ("there is an error only in the copy", true) }
    let after = tree.everything
    if let line = difference(copy.rendered.everything, after) { return ("in place, the tree has \(line)", true) }
    if copy.touched.lines != merge.touched.lines {
      return ("other slots are touched", true)
    }
    var met: Set<Int> = []
    for (site, serial) in tree.places {
      guard all.contains(site.depth) else { return ("a new place was made", true) }
      guard met.insert(site.depth).inserted else { return ("a place is used twice", true) }
      if let serial, sites[serial]?.depth != site.depth {
        return ("entry \(serial) has the place of another entry", true)
      }
    }
    tree.undo(merge)
    if let line = difference(before, tree.everything) { return ("after undoing, the tree has \(line)", true) }
    // The second merge must give the same identities.
    let again = try tree.merge(diff)
    if let line = difference(after, tree.everything) { return ("merged again, the tree has \(line)", true) }
    var whole = tree
    // Components without a place in the document keep their stream entries.
    whole.forgetStreamEntries(in: Set(whole.components.filter { $1.site != nil }.keys))
    tree.forgetStreamEntries(of: again)
    if let line = difference(whole.everything, tree.everything) {
      return ("after forgetting stream entries, the tree has \(line)", true)
    }
    tree.forgetStreamEntries()
    return (nil, true)
  }

  private func difference(_ wanted: [String], _ found: [String]) -> String? {
    if wanted == found { return nil }
    let line =
      (0..<max(wanted.count, found.count)).first { wanted.dropFirst($0).first != found.dropFirst($0).first } ?? 0
    return "\(found.dropFirst(line).first ?? "nothing") for \(wanted.dropFirst(line).first ?? "nothing")"
  }

  // MARK: - Random diffs

  @Test(arguments: 0..<60)
  func `a random merge in place equals a merge into a copy and can be undone`(seed: UInt64) throws {
    var diffs = RandomDiffs(seed: seed)
    var tree = try mount(diffs.mount())
    tree.forgetStreamEntries()
    var (merged, refused) = (0, 0)
    for _ in 0..<40 {
      let json = diffs.diff(for: tree)
      let (fault, isMerged) = try fault(merging: json, into: &tree)
      #expect(fault == nil, "\(json) into \(tree.json.text)")
      if fault != nil { return }
      if isMerged { merged += 1 } else { refused += 1 }
    }
    #expect(merged > 10)
    #expect(merged + refused == 40)
  }

  // MARK: - Named cases

  /// The slots: a text, a list of four entries, a list of LiveView 1.0, component 1 with a list, a
  /// fragment, and component 2.
  static let page = #"""
    {"0":"t","1":{"k":{"0":{"0":"a","1":{"k":{"0":{"0":"x"},"1":{"0":"y"},"kc":2},"s":["<",">"]}},
     "1":{"0":"b","1":""},"2":{"0":"c","1":""},"3":{"0":"d","1":""},"kc":4},"s":["[","","]"]},
     "2":{"d":[["p"],["q"]],"s":["(",")"]},"3":1,"4":{"0":"f","s":["{","}"]},"5":2,"s":["","","","","","",""],
     "c":{"1":{"0":"one","1":{"k":{"0":{"0":"u"},"1":{"0":"v"},"kc":2},"s":["/",""]},"s":["<i>","","</i>"]},
          "2":{"0":"two","s":["<b>","</b>"]}}}
    """#

  static let cases: [(name: String, diff: String, markup: String)] = [
    ("nothing", "{}", "t[a<x><y>][b][c][d](p)(q)<i>one/u/v</i>{f}<b>two</b>"),
    ("a text", #"{"0":"T"}"#, "T[a<x><y>][b][c][d](p)(q)<i>one/u/v</i>{f}<b>two</b>"),
    (
      "entries that swap", #"{"1":{"k":{"0":1,"1":0,"kc":4}}}"#, "t[b][a<x><y>][c][d](p)(q)<i>one/u/v</i>{f}<b>two</b>"
    ),
    (
      "all entries moved", #"{"1":{"k":{"0":3,"1":2,"2":1,"3":0,"kc":4}}}"#,
      "t[d][c][b][a<x><y>](p)(q)<i>one/u/v</i>{f}<b>two</b>"
    ),
    ("a list cut off", #"{"1":{"k":{"kc":1}}}"#, "t[a<x><y>](p)(q)<i>one/u/v</i>{f}<b>two</b>"),
    ("a list emptied", #"{"1":{"k":{"kc":0}}}"#, "t(p)(q)<i>one/u/v</i>{f}<b>two</b>"),
    ("a list moved up and cut off", #"{"1":{"k":{"0":3,"kc":1}}}"#, "t[d](p)(q)<i>one/u/v</i>{f}<b>two</b>"),
    (
      "a list that grows", #"{"1":{"k":{"4":{"0":"e","1":""},"kc":5}}}"#,
      "t[a<x><y>][b][c][d][e](p)(q)<i>one/u/v</i>{f}<b>two</b>"
    ),
    (
      "an entry before all others", #"{"1":{"k":{"0":{"0":"n","1":""},"1":0,"2":1,"3":2,"4":3,"kc":5}}}"#,
      "t[n][a<x><y>][b][c][d](p)(q)<i>one/u/v</i>{f}<b>two</b>"
    ),
    (
      "moved and changed, in its own list too",
      #"{"1":{"k":{"0":1,"1":[0,{"0":"A","1":{"k":{"0":1,"1":[0,{"0":"X"}],"kc":2}}}],"kc":4}}}"#,
      "t[b][A<y><X>][c][d](p)(q)<i>one/u/v</i>{f}<b>two</b>"
    ),
    (
      "a new entry over the one that moved away", #"{"1":{"k":{"0":{"0":"n"},"4":0,"kc":5}}}"#,
      "t[n<x><y>][b][c][d][a<x><y>](p)(q)<i>one/u/v</i>{f}<b>two</b>"
    ),
    ("1.0: a row changed", #"{"2":{"d":[["p"],["Q"]]}}"#, "t[a<x><y>][b][c][d](p)(Q)<i>one/u/v</i>{f}<b>two</b>"),
    ("1.0: a row more", #"{"2":{"d":[["p"],["q"],["r"]]}}"#, "t[a<x><y>][b][c][d](p)(q)(r)<i>one/u/v</i>{f}<b>two</b>"),
    ("1.0: rows cut off", #"{"2":{"d":[]}}"#, "t[a<x><y>][b][c][d]<i>one/u/v</i>{f}<b>two</b>"),
    (
      "1.0: a list that gets keys", #"{"2":{"k":{"0":1,"1":0,"kc":2}}}"#,
      "t[a<x><y>][b][c][d](q)(p)<i>one/u/v</i>{f}<b>two</b>"
    ),
    ("a fragment's slot", #"{"4":{"0":"F"}}"#, "t[a<x><y>][b][c][d](p)(q)<i>one/u/v</i>{F}<b>two</b>"),
    ("a fragment exchanged", #"{"4":{"s":["!"]}}"#, "t[a<x><y>][b][c][d](p)(q)<i>one/u/v</i>!<b>two</b>"),
    ("a list exchanged for a text", #"{"1":"-"}"#, "t-(p)(q)<i>one/u/v</i>{f}<b>two</b>"),
    (
      "a component's slot and list", #"{"c":{"1":{"0":"ONE","1":{"k":{"0":1,"1":0,"kc":2}}}}}"#,
      "t[a<x><y>][b][c][d](p)(q)<i>ONE/v/u</i>{f}<b>two</b>"
    ),
    ("a component exchanged", #"{"c":{"2":{"s":["<u></u>"]}}}"#, "t[a<x><y>][b][c][d](p)(q)<i>one/u/v</i>{f}<u></u>"),
    ("a new component", #"{"0":3,"c":{"3":{"s":["3"]}}}"#, "3[a<x><y>][b][c][d](p)(q)<i>one/u/v</i>{f}<b>two</b>"),
    (
      "a copy of a component before the update", #"{"c":{"1":{"0":"new"},"2":{"0":"copy","s":-1}}}"#,
      "t[a<x><y>][b][c][d](p)(q)<i>new/u/v</i>{f}<i>copy/u/v</i>"
    ),
    (
      "a copy of a component after the update", #"{"c":{"1":{"1":{"k":{"kc":1}}},"2":{"0":"copy","s":1}}}"#,
      "t[a<x><y>][b][c][d](p)(q)<i>one/u</i>{f}<i>copy/u</i>"
    ),
    (
      "changes of every kind before an error",
      #"{"0":"T","1":{"k":{"0":1,"1":[0,{"0":"A"}],"kc":2}},"2":{"d":[["P"]]},"4":{"0":"F"},"c":{"1":{"0":"x"},"2":{"s":["<u></u>"]},"9":{"0":""}}}"#,
      "t[a<x><y>][b][c][d](p)(q)<i>one/u/v</i>{f}<b>two</b>"
    ),
  ]

  @Test(arguments: cases.map(\.name))
  func `a merge in place equals a merge into a copy and can be undone`(name: String) throws {
    let change = try #require(Self.cases.first { $0.name == name })
    var tree = try mount(Self.page)
    let (fault, isMerged) = try fault(merging: change.diff, into: &tree)
    #expect(fault == nil)
    #expect(isMerged == !name.contains("error"))
    #expect(String(decoding: try tree.render().markup, as: UTF8.self) == change.markup)
  }

  @Test
  func `a new entry and a copied component have no places yet`() throws {
    var tree = try mount(Self.page)
    tree.placeEverything()
    _ = try tree.merge(decode(#"{"1":{"k":{"0":{"0":"n"},"4":0,"kc":5}},"c":{"2":{"0":"c","s":-1}}}"#))
    guard case .comprehension(let list) = tree.root.slots[1], case .comprehension(let inner) = list.entries[0].slots[1],
      let copy = tree.components[2], case .comprehension(let copied) = copy.slots[1]
    else { throw WireError.wrongShape(at: SlotPath(), reason: "other slots") }
    #expect(list.entries.map { $0.site != nil } == [false, true, true, true, true])
    #expect(inner.entries.allSatisfy { $0.site == nil })
    #expect(copy.site == nil && copied.entries.allSatisfy { $0.site == nil })
    #expect(tree.components[1]?.site != nil)
  }

  @Test(arguments: ["0", "1", "2", "3", "4", "5"])
  func `an error is the same in place and leaves the tree unchanged`(slot: String) throws {
    var tree = try mount(Self.page)
    for bad in [#"{"9":"x"}"#, #"{"k":{"7":{},"kc":9}}"#, #"{"d":[["1","2","3"]]}"#, #"{"s":[]}"#] {
      let (fault, isMerged) = try fault(merging: #"{"\#(slot)":\#(bad),"c":{"1":{"0":"x"}}}"#, into: &tree)
      #expect(fault == nil)
      #expect(!isMerged)
    }
  }

  @Test
  func `a list of LiveView 1.0 is unchanged if keyed entries do not fit`() throws {
    var tree = try mount(#"{"0":{"d":[["a"],["b"]],"s":["<li>","</li>"]},"s":["<ul>","</ul>"]}"#)
    #expect(throws: MergeError.self) { try tree.merge(decode(#"{"0":{"k":{"7":{"0":"x"},"kc":8}}}"#)) }
    guard case .comprehension(let list) = tree.root.slots[0] else {
      Issue.record("no list")
      return
    }
    #expect(!list.isKeyed)
    #expect(list.entries.count == 2)
  }

  /// The undo log stores nearby edits under their common path.
  @Test(arguments: [1, 7, 8, 9, 30])
  func `changes with a common path of any depth are undone`(depth: Int) throws {
    func nested(_ inner: String, _ statics: String) -> String {
      (0..<depth).reduce(inner) { inner, _ in "{\(statics)\"0\":\(inner),\"1\":\"x\"}" }
    }
    let row = #"{"s":["<b>","</b>"],"0":{"s":["<i>","</i>"],"0":"a"}}"#
    let rows = #"{"s":["<li>","</li>"],"k":{"0":{"0":\#(row)},"1":{"0":\#(row)},"2":{"0":"c"},"kc":3}}"#
    let page = nested(rows, #""s":["<p>","","</p>"],"#)
    var tree = try mount(#"{"s":["",""],"0":\#(page),"c":{"1":{"s":["",""],"0":"c"}}}"#)
    let before = tree.everything
    let moves = #""1":[2,{"0":"d"}],"2":[1,{"0":{"0":{"0":"e"}}}]"#
    let changes = #"{"k":{"0":{"0":{"0":{"0":"b"}}},\#(moves),"3":{"0":"f"},"kc":4}}"#
    let merge = try tree.merge(decode(#"{"0":\#(nested(changes, "")),"c":{"1":{"0":"d"}}}"#))
    #expect(difference(before, tree.everything) != nil)
    tree.undo(merge)
    #expect(difference(before, tree.everything) == nil)
  }

  @Test
  func `undoing a stream operation keeps an earlier operation that is not rendered`() throws {
    let mounted =
      #"{"0":"","c":{"1":{"0":{"k":{"0":{"0":"a"},"kc":1},"s":["<li id=\"","\"></li>"],"stream":["s",[["a",-1,null]],[]]},"s":["<ul>","</ul>"]}},"s":["",""]}"#
    var tree = try mount(mounted)
    func inserts(_ tree: Rendered) -> [String] {
      guard case .comprehension(let list)? = tree.components[1]?.slots[0] else { return [] }
      return list.stream?.inserts.map(\.id) ?? []
    }
    #expect(inserts(tree) == ["a"])
    let bad = #"{"c":{"1":{"0":{"k":{"9":{"0":"x"},"kc":10},"stream":["s",[["x",-1,null]],[]]}}}}"#
    #expect(throws: MergeError.self) { try tree.merge(decode(bad)) }
    #expect(inserts(tree) == ["a"])
    let good = #"{"c":{"1":{"0":{"k":{"0":{"0":"b"},"kc":1},"stream":["s",[["b",-1,null]],[]]}}}}"#
    let merge = try tree.merge(decode(good))
    #expect(inserts(tree) == ["b"])
    tree.undo(merge)
    #expect(inserts(tree) == ["a"])
  }
}

extension TouchedSlots {
  fileprivate var lines: [String] {
    slots.indices.map { "\(path(of: $0)) \(slots[$0].isChanged) \(slots[$0].bytes)" }
  }
}
