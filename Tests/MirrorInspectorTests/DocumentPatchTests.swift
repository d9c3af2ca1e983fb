import LiveViewMirror
import MarkupDocument
import RecordingFixtures
import Testing

@testable import MirrorInspector

/// `GET /views/{view}/page/patch`.
@Suite struct DocumentPatchTests {
  private func patch(_ view: ViewState, from: Int, to: Int) throws -> DocumentPatch {
    try DocumentPatch(of: view, epoch: view.epoch, from: from, to: to, try #require(view.document(at: to)))
  }

  /// Applies the patch between two versions to the page of the first, and compares with the page of
  /// the second.
  ///
  /// - Returns: whether there is a patch and the page has the structure that it expects.
  private func check(_ view: ViewState, from: Int, to: Int, _ name: String) throws -> Bool {
    let expected = PatchedTree(try #require(view.document(at: to))).markup
    var page = PatchedTree(try #require(view.document(at: from)))
    do {
      try page.apply(patch(view, from: from, to: to))
    } catch let error where error is PatchedTree.Mismatch || error as? DocumentPatch.Refusal == .size {
      return false
    }
    #expect(page.markup == expected, "\(name) v\(from) → v\(to)")
    return true
  }

  @Test(arguments: Recording.all.filter { !$0.isNative })
  func `a patch gives the page of the other version, for each diff, backwards, and for random pairs`(
    recording: Recording
  ) throws {
    let view = try SampleView.recorded(recording)
    var pairs: [(Int, Int)] = []
    for version in 0..<view.version { pairs += [(version, version + 1), (version + 1, version)] }
    var random = SplitMix(state: 16)
    for _ in 0..<(view.version > 1 ? TestEffort.count(10, long: 100) : 0) {
      pairs.append((random.below(view.version + 1), random.below(view.version + 1)))
    }
    var patched = 0
    for (from, to) in pairs where try check(view, from: from, to: to, recording.name) { patched += 1 }
    #expect(patched == pairs.count, "\(recording.name)")
  }

  private static let list =
    #"{"s":["<p>","</p><ul>","</ul>"],"0":"0","1":{"s":["<li>","</li>\n"],"k":{"0":{"0":"a"},"1":{"0":"b"},"2":{"0":"c"},"kc":3}}}"#

  @Test func `a text is one run, and an attribute has its new value`() throws {
    let view = try SampleView.mounted(
      #"{"s":["<p class='","'>x <b>y</b> ","</p>"],"0":"a","1":"0"}"#, diffs: [#"{"1":"1"}"#, #"{"0":"b","1":"2"}"#])
    let patch = try patch(view, from: 0, to: 2)
    let paragraph = view.document.children(of: view.document.root)[0].number
    let bold = view.document.children(of: view.document.children(of: view.document.root)[0])[1].number
    #expect(patch.attributes.map(\.node) == [paragraph])
    #expect(patch.attributes.first?.changes.map(\.value) == ["b"])
    #expect(patch.runs.count == 1 && patch.runs[0].parent == paragraph)
    #expect((patch.runs[0].after, patch.runs[0].before) == (bold, nil))
    guard case .text(" 2") = patch.runs[0].content.first else {
      Issue.record("\(patch.runs)")
      return
    }
  }

  @Test func `a moved entry is named by its number, and its neighbours are not sent`() throws {
    let view = try SampleView.mounted(Self.list, diffs: [#"{"1":{"k":{"0":2,"1":0,"2":1,"kc":3}}}"#])
    let json = String(decoding: try patch(view, from: 0, to: 1).json, as: UTF8.self)
    #expect(!json.contains("markup"))
    #expect(try check(view, from: 0, to: 1, "moved") && check(view, from: 1, to: 0, "moved back"))
  }

  /// Random lists of texts, comments and elements: between each pair of versions, the patch gives
  /// the same page.
  @Test func `a patch of random pages gives the same page`() throws {
    var random = SplitMix(state: 8)
    for round in 0..<TestEffort.count(60, long: 1_000) {
      let pages = (0..<8).map { _ in Self.randomPage(&random) }
      let view = try SampleView.mounted(
        #"{"s":["","<i>z</i>"],"0":\#(Self.quoted(pages[0]))}"#,
        diffs: pages.dropFirst().map { #"{"0":\#(Self.quoted($0))}"# })
      try #require(view.version == 7)
      for _ in 0..<20 {
        let (from, to) = (random.below(8), random.below(8))
        #expect(try check(view, from: from, to: to, "\(round)"))
      }
    }
  }

  private static func quoted(_ text: String) -> String { "\"\(text.replacing("\"", with: "\\\""))\"" }

  private static func randomPage(_ random: inout SplitMix, depth: Int = 0) -> String {
    var ids = Array(0..<8)
    return (0..<random.below(7)).map { _ in
      switch random.below(5) {
      case 0: "text \(random.below(3))"
      case 1: "<!--\(random.below(3))-->"
      case 2: "<b>\(random.below(3))</b> "
      default:
        if ids.isEmpty || depth > 2 {
          "<u title=\(random.below(2))></u>"
        } else {
          "<div id=\(depth)-\(ids.remove(at: random.below(ids.count))) class=\(random.below(2))>\(randomPage(&random, depth: depth + 1))</div>"
        }
      }
    }.joined()
  }

  @Test func `the size of a patch depends on the changes and not on the page`() throws {
    let rows = (0..<5_000).map { #""\#($0)":{"0":"\#($0)"}"# }.joined(separator: ",")
    let view = try SampleView.mounted(
      #"{"s":["<table><tbody>","</tbody></table>"],"0":{"s":["<tr><td>","</td></tr>\n"],"k":{\#(rows),"kc":5000}}}"#,
      diffs: [#"{"0":{"k":{"2500":{"0":"x"},"kc":5000}}}"#, #"{"0":{"k":{"kc":4999}}}"#])
    #expect(try patch(view, from: 0, to: 1).json.count < 200)
    #expect(try patch(view, from: 0, to: 2).json.count < 300)
  }

  @Test func `a patch that would be larger than the document is refused`() throws {
    let view = try SampleView.mounted(
      #"{"s":["<p>","</p>"],"0":"a"}"#, diffs: ["{\"0\":\"\(String(repeating: "x", count: 10_000))\"}"])
    #expect(throws: DocumentPatch.Refusal.size) { try patch(view, from: 0, to: 1) }
    #expect(try patch(view, from: 1, to: 0).runs.count == 1)
  }

  @Test func `the route says when a page must load the whole document`() throws {
    let client = try Client(limits: MirrorLimits(versions: 8))
    _ = try client.post("/views/main/rendered", #"{"s":["<p>","</p>"],"0":"0"}"#)
    for count in 1...20 { _ = try client.post("/views/main/diffs", #"{"0":"\#(count)"}"#) }
    func answer(_ query: String) throws -> Client.Answer { try client.get("/views/main/page/patch?\(query)") }
    let patch = try answer("epoch=1&from=19").json
    #expect(patch.keys == ["epoch", "from", "version", "attributes", "removed", "runs"])
    #expect(
      patch["runs"].description == #"[{"after":null,"before":null,"content":[{"text":"20"}],"parent":2}]"#)
    #expect(try answer("epoch=1&from=20&version=19").json["runs"].array.count == 1)
    #expect(try answer("epoch=1&from=20").json["runs"].array.isEmpty)
    #expect(try answer("epoch=2&from=19").json["whole"].string == "the view was mounted again")
    #expect(try answer("epoch=1&from=0").json["whole"].string == "a version is not kept")
    #expect(try answer("epoch=1&from=21").json["whole"].string == "a version is not kept")
    #expect(try answer("epoch=1&from=20&version=0").status == 410)
    #expect(try answer("epoch=1&from=20&version=21").status == 404)
    for query in ["", "epoch=1", "from=1", "epoch=0&from=1", "epoch=1&from=x", "epoch=1&from=1&version=-1"] {
      #expect(try answer(query).status == 400, "\(query)")
    }
    _ = try client.post("/views/native/rendered?dialect=native", #"{"s":["<Text>","</Text>"],"0":"0"}"#)
    _ = try client.post("/views/native/diffs", #"{"0":"1"}"#)
    #expect(
      try client.get("/views/native/page/patch?epoch=1&from=0").json["whole"].string
        == "the views of a native document are drawn as a whole")
  }
}
