import LiveViewMirror
import MirrorAnalysis
import MarkupDocument
import RenderedTree
import Testing

/// Parts of a view's state that recordings and random pages seldom have. After each input, a view
/// is restored; all views get the inputs after it.
@Suite struct SnapshotStateTests {
  /// - Parameter inputs: a mount and diffs as JSON, and frames.
  private func fault(
    after inputs: [String], dialect: Dialect = .html, options: UpdateOptions = UpdateOptions().withAnalyses
  ) throws
    -> String?
  {
    var views = RestoredViews(LiveViewCoordinator(id: "main", options: options))
    for (number, input) in inputs.enumerated() {
      let (_, difference) = views.apply { view throws(UpdateError) in
        if input.isFrame {
          guard let message = try? WireDecoder().decode(Array(input.utf8), as: .frames).first?.get() else { return nil }
          return try view.receive(message, dialect: dialect)
        }
        return number == 0
          ? try view.mount(Array(input.utf8), dialect: dialect) : try view.update(Array(input.utf8))
      }
      if let fault = try difference ?? views.restore() ?? views.difference() { return "input \(number): \(fault)" }
    }
    return views.pastDifference()
  }

  private func frame(_ ref: String, _ topic: String, _ event: String, _ payload: String) -> String {
    #"["1","\#(ref)","\#(topic)","\#(event)",\#(payload)]"#
  }

  @Test func `unknown keys are reported once, also when another process reported them`() throws {
    let inputs = [
      #"{"0":"a","zz":1,"s":["<p>","</p>"]}"#, #"{"0":"b","zz":1}"#, #"{"0":"c","yy":1}"#, #"{"0":"d","yy":1,"zz":2}"#,
    ]
    #expect(try fault(after: inputs) == nil)
  }

  @Test func `a view is restored that has leftovers, also beside a region that is not stable`() throws {
    let inputs = [
      #"{"s":["<main>","</main><section>","</section>"],"0":"","1":""}"#,
      #"{"0":{"s":["<ul id=\"a\" phx-update=\"stream\">\n","</ul>"],"0":""}}"#, #"{"1":"b"}"#,
      #"""
      {"0":{"s":["<ol id=\"a\" phx-update=\"stream\">\n","</ol>"],"0":""},
       "1":{"s":["<ul id=\"b\" phx-update=\"stream\"><li></li>","</ul>"],"0":""}}
      """#, #"{"1":"c"}"#,
    ]
    #expect(try fault(after: inputs) == nil)
    #expect(try fault(after: [inputs[0], inputs[3], inputs[4]]) == nil)
  }

  @Test func `rejections after a version get the next positions, and findings count on`() throws {
    let wrong = #"{"9":"x"}"#
    let inputs = [
      #"{"0":"a","s":["<p id=x></p><p id=x>","</p></b>"]}"#, wrong, wrong, #"{"0":"b"}"#, wrong, #"{"0":"b"}"#, wrong,
    ]
    #expect(try fault(after: inputs) == nil)
    let view = try LiveViewCoordinator.mounted(inputs[0])
    for _ in 0..<2 { #expect(throws: UpdateError.self) { try view.update(wrong) } }
    let restored = try LiveViewCoordinator(
      restoring: try #require(view.view).snapshot(), id: "main", options: UpdateOptions().withAnalyses)
    #expect(throws: UpdateError.self) { try restored.update(wrong) }
    #expect(restored.log.last(.max).map(\.cursor) == [ChangeLog.Cursor(version: 0, rejections: 3)])
    #expect((restored.log.rejectionCount, restored.log.evicted, restored.log.keptEntryCount) == (3, 3, 1))
    #expect(!restored.log.keepsAll(after: ChangeLog.Cursor(version: 0, rejections: 1)))
    #expect(restored.log.keepsAll(after: ChangeLog.Cursor(version: 0, rejections: 2)))
  }

  @Test func `titles, events and password fields are kept`() throws {
    let inputs = [
      #"{"0":"<input type=password name=p phx-keyup=typed>","t":"One","s":["<form>","</form><i phx-window-keydown=key></i>"]}"#,
      #"{"0":"","e":[["a",{"b":1}]]}"#, #"{"0":"x","t":"Two"}"#, #"{"0":"<input type=password name=q>"}"#,
    ]
    #expect(try fault(after: inputs) == nil)
  }

  @Test func `hidden components are found by the views that get the same frames`() throws {
    let join = frame(
      "1", "lv:main", "phx_reply",
      ##"{"status":"ok","response":{"rendered":{"0":1,"1":"","s":["<div>","","</div>"],"c":{"1":{"0":"a","s":["<b>","</b>"],"r":1}}},"liveview_version":"1.1.2"}}"##
    )
    let diffs = [#"{"0":""}"#] + (0..<24).map { #"{"1":"\#($0)"}"# }
    let frames = diffs.map { frame("2", "lv:main", "diff", $0) }
    #expect(try fault(after: [join] + frames + [OraclePair.frame(destroying: [1]), frames[1]]) == nil)
  }

  @Test func `streams, protected attributes and portals keep the client's state`() throws {
    let command = "[[&quot;ignore_attrs&quot;,{&quot;attrs&quot;:[&quot;title&quot;]}]]"
    let stream = [
      HiddenComponentTests.page, #"{"c":{"2":{"0":"TWO"}}}"#,
      #"{"0":{"k":{"0":{"0":"c","1":""},"kc":1},"stream":["0",[["c",0,null,null]],["a"]]}}"#, #"{"c":{"2":{"0":"3"}}}"#,
    ]
    #expect(try fault(after: stream) == nil)
    let ignored = [
      #"{"0":"a","1":"b","s":["<p id=i phx-mounted='\#(command)' title='","'>","</p><select><option>a<option>b</select>"]}"#,
      #"{"0":"x"}"#, #"{"1":"y"}"#, #"{"0":"z","1":"w"}"#,
    ]
    #expect(try fault(after: ignored) == nil)
    let portal = [
      ##"{"0":"a","s":["<div id=t></div><template id=q data-phx-portal='#t'><div id=p>","</div></template>"]}"##,
      #"{"0":"b"}"#, #"{"0":"c"}"#,
    ]
    #expect(try fault(after: portal) == nil)
  }

  /// The component is shown in the version of the snapshot, and hidden when its stream arrives. So
  /// its entries are kept.
  @Test func `past versions do not depend on what was shown when a view was restored`() throws {
    let inputs = [
      #"""
      {"0":{"k":{"0":{"0":"a"},"kc":1},"s":["<li id=\"","\"></li>"],"stream":["0",[["a",-1,null,null]],[]]},"1":1,
       "s":["<ul id=\"m\" phx-update=\"stream\">","</ul><div>","</div>"],"c":{"1":{"0":"t","s":["<b>","</b>"],"r":1}}}
      """#,
      #"{"1":""}"#,
      #"""
      {"0":{"k":{"0":{"0":"n"},"kc":1},"stream":["0",[["n",0,null,null]],[]]},
       "c":{"1":{"0":{"k":{"0":{"0":"q"},"kc":1},"s":["<i id=\"","\"></i>"],"stream":["1",[["q",-1,null,null]],[]]}}}}
      """#,
      #"{"1":"x"}"#, #"{"1":"y"}"#,
    ]
    #expect(try fault(after: inputs) == nil)
    let view = try LiveViewCoordinator.mounted(inputs[0])
    for input in inputs[1...2] { try view.update(input) }
    #expect(view.log.record(of: 2)?.path == .scoped)
    #expect(view.view?.rendered.json.text.contains(#""q""#) == true)
  }

  @Test func `lists that are sent again and lose identities are counted on`() throws {
    func entries(_ texts: [String]) -> String {
      "{" + texts.enumerated().map { #""\#($0)":{"0":"\#($1)"}"# }.joined(separator: ",") + #","kc":\#(texts.count)}"#
    }
    let lists = [["a", "b", "c"], ["x", "a", "b", "c"], ["a", "b", "c"], ["y", "a", "b", "c"]]
    let inputs =
      [
        #"{"0":{"s":["<li id=\"","\"></li>"],"k":\#(entries(lists[0]))},"s":["<ul>","</ul>"]}"#.replacing(
          "\"\",\"\"", with: "")
      ]
      + lists.dropFirst().map { #"{"0":{"k":\#(entries($0))}}"# }
    #expect(try fault(after: inputs) == nil)
  }

  @Test func `a remount over the former page, and the other options`() throws {
    let page = #"{"0":"a","s":["<p>","</p><textarea phx-update=ignore id=t></textarea>"]}"#
    #expect(
      try fault(after: [page, #"{"0":"b"}"#, #"{"0":"c"}"#], options: UpdateOptions(pipeline: .full).withAnalyses)
        == nil)
    #expect(
      try fault(after: [page, #"{"0":"b"}"#, #"{"0":"c"}"#], options: UpdateOptions(verifies: true).withAnalyses) == nil
    )
    #expect(try fault(after: [#"{"0":"a","s":["<Text a=\"","\"/>"]}"#, #"{"0":"b"}"#], dialect: .native) == nil)
    var views = RestoredViews(try .mounted(page))
    for container in [ContainerContent.kept, .empty] {
      #expect(try views.restore() == nil)
      let (result, difference) = views.apply { view throws(UpdateError) in
        try view.mount(Array(page.utf8), dialect: .html, container: container)
      }
      #expect(difference == nil)
      if case .applied(let facts) = result { #expect(facts.counts[1] > 1) } else { Issue.record("\(result)") }
      #expect(views.difference() == nil)
      let (_, next) = views.apply { view throws(UpdateError) in try view.update(#"{"0":"d"}"#) }
      #expect(next == nil)
      #expect(views.difference() == nil)
    }
  }

  @Test func `component ids are kept up to the largest one`() throws {
    let cid = 999_999_999
    let inputs = [
      #"{"0":\#(cid),"s":["<p>","</p>"],"c":{"\#(cid)":{"0":"a","s":["<b>","</b>"],"r":1}}}"#,
      #"{"c":{"\#(cid)":{"0":"b"}}}"#, #"{"c":{"\#(cid)":{"0":"c"}}}"#,
    ]
    #expect(try fault(after: inputs) == nil)
  }
}
