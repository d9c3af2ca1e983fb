import LiveViewMirror
import MirrorAnalysis
import MarkupDocument
import MirrorViews
import Testing

/// Roots of function components (`"r": 1`). LiveView's client numbers each one
/// (`data-phx-magic-id`), finds it by that number, and leaves it unchanged if a diff does not
/// mention it (`data-phx-skip`). `Tests/Fixtures/client` also has the DOM that the clients of
/// LiveView 1.0 to 1.2 make of such diffs.
@Suite struct FunctionComponentTests {
  /// A function component around a component, and a slot next to it.
  private static let page = #"""
    {"s":["<main>","","</main>"],"0":{"s":["<div>","</div>"],"0":1,"r":1},"1":"a",
     "c":{"1":{"s":["<b>","</b>"],"0":"one","r":1}}}
    """#

  private static func markups(_ page: String, _ diffs: [String], by pipeline: UpdateOptions.Pipeline) throws -> [String]
  {
    let view = LiveViewCoordinator(id: "main", options: UpdateOptions(pipeline: pipeline).withAnalyses)
    try view.mount(Array(page.utf8), dialect: .html)
    return try diffs.map { diff in
      try view.update(diff)
      return view.markup
    }
  }

  @Test(
    arguments: UpdateOptions.Pipeline.allCases)
  func `a component in a function component is not updated if the diff names more than components`(
    pipeline: UpdateOptions.Pipeline
  ) throws {
    let markups = try Self.markups(
      Self.page,
      [
        #"{"1":"b","c":{"1":{"0":"two"}}}"#, #"{"1":"c"}"#, #"{"0":{"0":1}}"#, #"{"1":"d","c":{"1":{"0":"three"}}}"#,
        #"{"c":{"1":{"0":"four"}}}"#,
      ], by: pipeline)
    #expect(
      markups == [
        "<main><div><b>one</b></div>b</main>", "<main><div><b>one</b></div>c</main>",
        "<main><div><b>one</b></div>c</main>", "<main><div><b>one</b></div>d</main>",
        "<main><div><b>four</b></div>d</main>",
      ])
  }

  @Test(
    arguments: UpdateOptions.Pipeline.allCases
  )
  func `a component in a function component of a named component is updated`(pipeline: UpdateOptions.Pipeline)
    throws
  {
    let page = #"""
      {"s":["<main>","</main>"],"0":1,"c":{"1":{"s":["<p>","","</p>"],"0":"x","1":{"s":["<i>","</i>"],"0":2,"r":1},"r":1},
       "2":{"s":["<b>","</b>"],"0":"one","r":1}}}
      """#
    let markups = try Self.markups(
      page, [#"{"c":{"1":{"0":"y"},"2":{"0":"two"}}}"#, #"{"c":{"2":{"0":"three"}}}"#], by: pipeline)
    #expect(markups == ["<main><p>y<i><b>two</b></i></p></main>", "<main><p>y<i><b>three</b></i></p></main>"])
  }

  @Test
  func
    `blank text in a container of a stream stays as long as the diffs say nothing of the function component around it`()
  {
    let page = #"""
      {"s":["<main>","","</main>"],"0":"","1":"a"}
      """#
    let list = #"""
      {"0":{"s":["<div>","</div>"],"r":1,"0":{"s":["<ul id=\"u\" phx-update=\"stream\"> ","</ul>"],
       "0":{"s":["<li id=\"","\"></li>"],"k":{"0":{"0":"i"},"kc":1},"stream":["0",[["i",-1,null,null]],[]]}}}}
      """#
    OraclePair.expectSame(page, list, #"{"1":"b"}"#, #"{"0":{"0":{"0":""}}}"#)
  }

  @Test
  func `a function component that is sent again is a new element, as are those after it`() throws {
    let page = #"""
      {"s":["<main>","","</main>"],"0":{"s":["<div>","</div>"],"0":"x","r":1},
       "1":{"s":["<template><p>","</p></template>"],"0":"old"}}
      """#
    OraclePair.expectSame(page, #"{"1":{"0":"1"}}"#, #"{"0":{"s":["<div>","</div>"],"0":"x","r":1},"1":{"0":"2"}}"#)
    OraclePair.expectSame(page, #"{"0":{"s":["<div>","</div>"],"0":"y","r":1},"1":{"0":"2"}}"#, "{}")
    let markups = try Self.markups(
      page, [#"{"1":{"0":"1"}}"#, #"{"0":{"s":["<div>","</div>"],"0":"x","r":1},"1":{"0":"2"}}"#], by: .full)
    #expect(
      markups == [
        "<main><div>x</div><template><p>old</p></template></main>",
        "<main><div>x</div><template><p>2</p></template></main>",
      ])
  }

  @Test
  func `a component in a function component that is sent whole is a stream container`() {
    OraclePair.expectSame(
      #"{"s":["<main>","</main>"],"0":{"s":["<div>","</div>"],"0":1,"r":1},"c":{"1":{"s":["<p></p>"]}}}"#,
      #"{"c":{"1":{"s":["<ul id=\"","\" phx-update=\"stream\"></ul>"],"0":"u"}}}"#)
  }

  @Test
  func `a component in a function component that the diff names is a scoped update`() throws {
    let view = try LiveViewCoordinator.mounted(
      #"""
      {"s":["<main>","</main>"],"0":{"s":["<div>","","</div>"],"0":1,"1":"a","r":1},
       "c":{"1":{"s":["<b>","","</b>"],"0":"one","1":{"s":["<i>","</i>"],"0":2,"r":1},"r":1},"2":{"s":["<u>","</u>"],"0":"x"}}}
      """#)
    for diff in [
      #"{"0":{"1":"b"},"c":{"1":{"0":"two"}}}"#, #"{"c":{"1":{"0":"three"},"2":{"0":"y"}}}"#,
      #"{"0":{"1":"c"},"c":{"1":{"0":"four"},"2":{"0":"z"}}}"#,
    ] {
      #expect(try view.update(diff).path == .scoped)
    }
    #expect(view.markup == "<main><div><b>four<i><u>z</u></i></b>c</div></main>")
  }

  @Test
  func `a function component in a sticky element is numbered at the second patch`() {
    OraclePair.expectSame(
      #"{"s":["<main>","","</main>"],"0":{"s":["<p data-phx-sticky>","</p>"],"0":"x","r":1},"1":{"s":["<i>","</i>"],"0":""}}"#,
      #"{"1":{}}"#, #"{"1":{"0":"a"}}"#)
  }

  @Test
  func `nodes that the client keeps in a function component move with it in a keyed list`() throws {
    let page = #"""
      {"s":["<ul>","</ul>"],"0":{"s":["","",""],"k":{"0":{"0":{"s":0,"0":"a","1":"","r":1},"1":""},
       "1":{"0":{"s":0,"0":"b","1":"","r":1},"1":""},"kc":2},
       "p":{"0":["<li phx-mounted='[[\"ignore_attrs\",{\"attrs\":[\"title\"]}]]' title=\"","\">","</li>"]}}}
      """#
    OraclePair.expectSame(
      page, #"{"0":{"k":{"0":1,"1":0,"kc":2}}}"#, #"{"0":{"k":{"0":{"0":{"0":"c"}},"kc":2}}}"#)
    let markups = try Self.markups(
      page, [#"{"0":{"k":{"0":[1,{"0":{"0":"B"}}],"1":[0,{"0":{"0":"A"}}],"kc":2}}}"#], by: .full)
    #expect(markups[0].matches(of: /title="(.)"/).map(\.output.1) == ["b", "a"])
  }

  @Test
  func `entries of LiveView 1.0 have no numbered roots and are matched by position`() throws {
    let page = #"""
      {"s":["<ul>","</ul>"],"0":{"s":["",""],"d":[[{"s":["<li><b>","</b></li>"],"0":1,"r":1}]]},
       "c":{"1":{"s":["<i>","</i>"],"0":"one","r":1}}}
      """#
    let markups = try Self.markups(
      page, [#"{"0":{"d":[[{"s":["<li><b>","</b></li>"],"0":1,"r":1}]]},"c":{"1":{"0":"two"}}}"#], by: .scoped)
    #expect(markups == ["<ul><li><b><i>two</i></b></li></ul>"])
  }
}
