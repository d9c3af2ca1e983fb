import DocumentInvariants
import LiveViewMirror
import MirrorAnalysis
import MarkupDocument
import Testing

/// Elements that keep their identity: that of a portal, although the content of its `template` has
/// the same ids, and the root of a component.
@Suite struct NodeIdentityTests {
  private func changes(_ mount: String, _ diff: String, client: String? = nil) throws -> [String] {
    let (scoped, full) = (
      LiveViewCoordinator(id: "main", options: UpdateOptions(pipeline: .scoped).withAnalyses),
      LiveViewCoordinator(id: "main", options: UpdateOptions(pipeline: .full).withAnalyses)
    )
    var changes: [[String]] = []
    for view in [scoped, full] {
      try view.mount(Array(mount.utf8), dialect: .html, container: nil, client: client)
      changes.append(try view.update(diff).changeSet.changes.map(\.description))
      #expect(view.document?.checkInvariants() == [])
    }
    #expect(changes[0] == changes[1])
    return changes[1]
  }

  @Test func `a portal that gets another target moves its element`() throws {
    let mount =
      ##"{"0":"#t1","s":["<i id=\"t1\"></i><i id=\"t2\"></i><template id=\"p\" data-phx-portal=\"","\"><b id=\"w\">a</b></template>"]}"##
    #expect(try changes(mount, ##"{"0":"#t2"}"##) == ["move 3 <b#w> 2[0] → 5[0]"])
  }

  @Test(arguments: ["body", "html > body", "#around"])
  func `a portal whose new target contains its element leaves it in place`(target: String) throws {
    let mount =
      ##"{"0":"#t1","s":["<div id=\"around\"><i id=\"t1\"></i></div><template id=\"p\" data-phx-portal=\"","\"><b id=\"w\">a</b></template>"]}"##
    #expect(try changes(mount, ##"{"0":"\##(target)"}"##) == [])
  }

  @Test func `entries of a keyed list in a portal move`() throws {
    let mount =
      ##"{"0":{"s":["<li id=\"","\">x</li>"],"k":{"0":{"0":"a"},"1":{"0":"b"},"kc":2}},"s":["<template id=\"pt\" data-phx-portal=\"#t1\"><ul id=\"u\">","</ul></template><div id=\"t1\"></div>"]}"##
    #expect(try changes(mount, #"{"0":{"k":{"0":1,"1":0,"kc":2,"km":true}}}"#) == ["move 12 <li#b> 9[1] → 9[0]"])
  }

  @Test func `entries of a keyed list in a portal outside of the view move`() throws {
    let mount =
      #"{"0":{"s":["<li id=\"","\">x</li>"],"k":{"0":{"0":"a"},"1":{"0":"b"},"kc":2}},"s":["<template id=\"pt\" data-phx-portal=\"body\"><ul id=\"u\">","</ul></template>"]}"#
    #expect(try changes(mount, #"{"0":{"k":{"0":1,"1":0,"kc":2,"km":true}}}"#) == ["move 11 <li#b> 8[1] → 8[0]"])
  }

  @Test func `the content of a portal outside of the view changes`() throws {
    let mount =
      #"{"s":["<p>","</p><template id=\"por\" data-phx-portal=\"body\"><div id=\"w\"><i>","</i></div></template>"],"0":"0","1":"a"}"#
    #expect(try changes(mount, #"{"0":"1"}"#) == [#"text 3 in 2: "0" → "1""#])
    #expect(try changes(mount, #"{"1":"b"}"#) == [#"text 10 in 9: "a" → "b""#])
  }

  @Test func `a stream in a portal outside of the view keeps its items`() throws {
    let mount =
      #"{"0":"0","1":{"s":["<li id=\"","\">x</li>"],"k":{"0":{"0":"a"},"1":{"0":"b"},"kc":2},"stream":["s",[["a",-1,null,false],["b",-1,null,false]],[]]},"s":["<p>","</p><template id=\"pt\" data-phx-portal=\"body\"><ul id=\"u\" phx-update=\"stream\">","</ul></template>"]}"#
    // The template gets the new markup, which has no items. The element that is shown keeps them.
    #expect(try changes(mount, #"{"0":"1"}"#) == [#"text 3 in 2: "0" → "1""#])
    #expect(
      try changes(
        mount, #"{"1":{"k":{"0":{"0":"c"},"kc":1},"stream":["s",[["c",-1,null,false]],[]]}}"#)
        == ["add 17 <li#c> (2) 10[2]"])
  }

  /// From 1.2.8 on, the client makes the root again.
  @Test(arguments: [("1.0.19", ["attributes"]), ("1.2.7", ["attributes"]), ("1.2.8", ["remove", "add"])])
  func `the root of a component gets its first id`(client: String, expected: [Substring]) throws {
    let mount = #"{"0":1,"s":["<p>","</p>"],"c":{"1":{"0":"","s":["<div",">x</div>"],"r":1}}}"#
    let changes = try changes(mount, ##"{"c":{"1":{"0":" id=\"a\""}}}"##, client: client)
    #expect(changes.map { $0.prefix { $0 != " " } } == expected)
  }

  @Test(arguments: ["", " id=k"])
  func `an element that moves into the content of a portal's template is a new one`(id: String) throws {
    let mount =
      ##"{"s":["<template id=pt data-phx-portal='#none'>","</template>",""],"0":"","1":1,"c":{"1":{"s":["<div\#(id)>","</div>"],"0":"a"}}}"##
    let changes = try changes(
      mount.replacing("\\#(id)", with: id), #"{"0":{"s":["<b>","</b>"],"0":1},"1":""}"#)
    #expect(changes == ["remove 3 <div\(id.isEmpty ? "" : "#k")> (2) 1[1]"])
  }
}
