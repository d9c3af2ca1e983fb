import LiveViewMirror
import MarkupDocument
import Testing

/// Scoped updates of pages to which rules of LiveView's client apply. The results must equal those
/// of full updates.
@Suite struct ScopedClientRuleTests {
  /// A new stream container keeps these children until the next patch of the page.
  @Test(
    arguments: [
      "\\n  ", "<!-- items -->", "<tr class=\\\"no-id\\\"></tr>",
    ])
  func `a new stream container loses blank text, comments and elements without ids at the next diff`(content: String) {
    OraclePair.expectSame(
      #"{"s":["<main>","</main><h2>","</h2>"],"0":"","1":"a"}"#,
      #"{"0":{"s":["<table><tbody id=\"n1\" phx-update=\"stream\">\#(content)","</tbody></table>"],"0":""}}"#,
      #"{"1":"b"}"#)
  }

  /// The diffs after the mount of a page whose stream container has white space and no item that
  /// the page lists any more.
  @Test(
    arguments: [
      #"{"0":"b"}"#, #"{"0":"b","2":"c"}"#, #"{"1":{"stream":["0",[],["i1"]]}}"#,
      #"{"0":"b","1":{"k":{"0":{"0":"i2"},"kc":1},"stream":["0",[["i2",-1,null,false]],[]]}}"#,
      #"{"2":"c","c":{"1":{"0":"y"}}}"#,
    ])
  func `a scoped update removes white space from a stream's container`(diff: String) {
    let path = OraclePair.expectSame(Self.streamPage, diff)
    #expect(path == .scoped)
    #expect(OraclePair.expectSame(Self.streamPage, diff, #"{"0":"d"}"#) == .scoped)
  }

  private static let streamPage = #"""
    {"s":["<h1 class=\"","\"></h1><ul id=\"l\" phx-update=\"stream\">\n  ","\n  </ul><p>","</p>",""],"0":"a",
     "1":{"s":["<li id=\"","\"></li>"],"k":{"0":{"0":"i1"},"kc":1},"stream":["0",[["i1",-1,null,false]],[]]},"2":"a","3":1,
     "c":{"1":{"s":["<b>","</b>"],"0":"x","r":1}}}
    """#

  @Test
  func `a diff of components alone does not reach the stream containers of the page`() {
    let path = OraclePair.expectSame(Self.streamPage, #"{"c":{"1":{"0":"y"}}}"#)
    #expect(path == .full(reason: "the document may differ from the page, or is not linked to it"))
    #expect(OraclePair.expectSame(Self.streamPage, #"{"c":{"1":{"0":"y"}}}"#, #"{"0":"d"}"#) == .scoped)
  }

  @Test
  func `a stream container in a component loses its white space when a diff names the component`() {
    let mount = #"""
      {"s":["<h1>","</h1>",""],"0":"a","1":1,"c":{"1":{"s":["<ul id=\"l\" phx-update=\"stream\">\n  ","\n</ul>"],"r":1,
       "0":{"s":["<li id=\"","\"></li>"],"k":{"0":{"0":"i1"},"kc":1},"stream":["0",[["i1",-1,null,false]],[]]}}}}
      """#
    OraclePair.expectSame(mount, #"{"0":"b"}"#, #"{"0":"c","c":{"1":{"0":{"stream":["0",[],["i1"]]}}}}"#, #"{"0":"d"}"#)
  }

  /// What a later patch removes or adds in a new container depends on the version, on what the page
  /// lists, and on the attribute's name.
  @Test(
    arguments: [
      (#"<ul id=\"l\" phx-update=\"stream\">\n"#, "\"\"", "1.0.14"),
      (#"<ul id=\"l\" phx-update=\"stream\"><li id=\"own\"></li>\n"#, "\"\"", "1.0.14"),
      (
        #"<ul id=\"l\" phx-update=\"stream\">\n"#,
        #"{"s":["<li id=\"","\"></li>"],"k":{"0":{"0":"a"},"kc":1},"stream":["0",[],[]]}"#, "1.2.10"
      ),
      (#"<ul id=\"l\" data-phx-update=\"stream\">\n"#, "\"\"", "1.2.10"),
    ])
  func `the white space of a new container goes as in a full update`(tag: String, content: String, client: String) {
    OraclePair.expectSame(
      #"{"s":["<main>","</main><h2>","</h2>"],"0":"","1":"a"}"#, #"{"0":{"s":["\#(tag)","</ul>"],"0":\#(content)}}"#,
      #"{"1":"b"}"#, #"{"1":"c"}"#, client: client)
  }

  @Test
  func `a list that becomes a stream loses its items and white space with the next diff`() {
    OraclePair.expectSame(
      #"""
      {"s":["<ul id=\"s\" phx-update=\"stream\">\n  ","</ul><h2>","</h2>"],"1":"a",
       "0":{"s":["<li id=\"","\"></li>"],"k":{"0":{"0":"a"},"kc":1}}}
      """#, #"{"0":{"stream":["0",[],["x"]]}}"#, #"{"1":"b"}"#, #"{"1":"c"}"#)
  }

  @Test
  func `an element that the app itself marks as content of a portal is never removed`() {
    OraclePair.expectSame(
      #"{"s":["<main>","</main>"],"0":"<div data-phx-teleported=\"w\"><b></b></div><p></p>"}"#, #"{"0":"0"}"#,
      #"{"0":"<div data-phx-teleported=\"w\"></div>"}"#)
    OraclePair.expectSame(
      #"{"s":["<main>","</main>"],"0":"a"}"#, #"{"0":"<div data-phx-teleported=\"w\"><b></b></div><p></p>"}"#,
      #"{"0":"0"}"#)
  }

  @Test
  func `a stream deletes an item that the page lists and that is a component`() {
    OraclePair.expectSame(
      #"""
      {"s":["<main>","</main>"],"0":{"s":["",""],"k":{"0":{"0":1},"kc":1}},
       "c":{"1":{"s":["<p id=\"","\">","</p>"],"0":"r1","1":"a","r":1}}}
      """#, #"{"0":{"stream":["0",[],["r1"]]}}"#, #"{"0":{"k":{"kc":1}}}"#)
  }

  @Test
  func `the root of a component is a stream container and changes its id`() {
    OraclePair.expectSame(
      #"""
      {"s":["<main>","</main>"],"0":1,"c":{"1":{"s":["<div id=\"","\" phx-update=\"stream\">","</div>"],"0":"n1",
       "1":{"k":{"0":{"0":"a"},"kc":1},"s":["<p id=\"","\"></p>"],"stream":["0",[["a",-1,null,null]],[]]}}}}
      """#, #"{}"#, #"{"c":{"1":{"0":"n2"}}}"#, #"{"c":{"1":{"0":""}}}"#, #"{}"#)
  }

  @Test
  func `an element that the client adds again executes its phx-mounted`() {
    let command = "[[&quot;ignore_attrs&quot;,{&quot;attrs&quot;:[&quot;data-*&quot;]}]]"
    OraclePair.expectSame(
      #"{"s":["<ul></ul>","<svg","></svg>"],"0":{"s":["<div></div>"]},"1":""}"#,
      #"{"0":{"s":["<!-- a --><section></section>"]},"1":" phx-mounted=\"\#(command)\""}"#,
      #"{"1":" data-a=\"2\" title=\"it\""}"#)
    OraclePair.expectSame(
      #"{"s":["<ul></ul>","<svg","></svg>"],"0":{"s":["<div></div>"]},"1":" phx-mounted=\"\#(command)\""}"#,
      #"{"0":{"s":["<!-- a --><section></section>"]}}"#, #"{"1":" data-a=\"2\" title=\"it\""}"#)
  }

  @Test
  func `an entry of a prepend container keeps its position while the enclosing list changes`() {
    OraclePair.expectSame(
      #"""
      {"s":["<main>","</main>"],"0":{"s":["<ol id=\"","\" phx-update=\"prepend\">","</ol>"],"k":{"0":{"0":"a","1":""},
       "1":{"0":"b","1":{"s":["<li id=\"","\"></li>"],"k":{"0":{"0":"x"},"1":{"0":"y"},"2":{"0":"z"},"kc":3}}},"kc":2}}}
      """#, #"{"0":{"k":{"0":[1,{"1":{"k":{"0":1,"1":0,"kc":2}}}],"1":0,"kc":2}}}"#, #"{}"#)
  }

  @Test
  func `a component that is shown twice has other roots in the page than in the document`() {
    OraclePair.expectSame(
      #"""
      {"s":["<main>","</main><p phx-mounted='[[\"ignore_attrs\",{\"attrs\":[\"*\"]}]]'></p>"],
       "0":{"s":["<article id=\"","\">","</article>"],"d":[["a",1],["b",1]]},"c":{"1":{"s":["<ul></ul>"]}}}
      """#, #"{"c":{"1":{"s":["<br>"]}}}"#, #"{}"#, #"{"0":{"d":[["b",1]]}}"#, #"{"0":{"d":[["c",1],["b",1]]}}"#)
  }

  @Test
  func `an element that the client keeps is updated although the page gives it another id`() {
    OraclePair.expectSame(
      #"""
      {"s":["<ul phx-update></ul>",""],"0":1,
       "c":{"1":{"s":["<svg"," class>","","</svg>"],"0":"\"","1":{"s":["<foreignObject>"]},"2":""}}}
      """#, #"{"c":{"1":{"0":""}}}"#, #"{"c":{"1":{"2":{"s":["",""],"0":""}}}}"#)
  }

  @Test
  func `a container without an id is matched with the element at its position`() {
    OraclePair.expectSame(
      #"""
      {"s":["<main>","</main>"],"0":1,"c":{"1":{"s":["<ul>","<li></li></ul>"],"0":{"s":["<li","",">","\n</li>"],
       "k":{"0":{"0":"","1":"","2":""},"1":{"0":"","1":"","2":""},"2":{"0":"","1":"","2":""},"kc":3}}}}}
      """#, #"{"c":{"1":{"0":{"k":{"1":{"1":" phx-update=\"stream\""},"3":1,"kc":4}}}}}"#)
  }

  @Test
  func `a component in a sticky or ignored element is patched although page patches skip the element`() {
    OraclePair.expectSame(
      #"""
      {"s":["<form data-phx-sticky>","</form>",""],"0":1,"1":"a","c":{"1":{"s":["<svg></svg>"]}}}
      """#, #"{"1":"b","c":{"1":{"s":["<select><option value=\"1\">1</option></select>"]}}}"#, #"{"c":{"1":{}}}"#,
      #"{"c":{"1":{}}}"#)
    OraclePair.expectSame(
      #"{"s":["<p id=\"a\" phx-update=\"ignore\">","</p>",""],"0":1,"1":"a","c":{"1":{"s":["<select><option>1</option></select>"]}}}"#,
      #"{"1":"b"}"#, #"{"c":{"1":{}}}"#)
  }

  @Test
  func `a component with several roots, or shown twice, is patched in a page with client rules`() {
    OraclePair.expectSame(
      #"{"s":["<ul phx-update></ul>",""],"0":1,"c":{"1":{"s":["<br>"]}}}"#,
      #"{"c":{"1":{"s":["<div></div><section></section>"]}}}"#, #"{"c":{"1":{"s":["<br class>"]}}}"#)
    // A function component in a component that the diff shows a second time.
    OraclePair.expectSame(
      #"""
      {"s":["<ul phx-update></ul><form>","</form>"],"0":{"s":["",""],"k":{"0":{"0":1},"1":{"0":""},"kc":2}},
       "c":{"1":{"s":["<p>","</p>"],"0":{"s":["<i>","</i>"],"0":"","r":1}}}}
      """#, #"{"0":{"k":{"1":{"0":1},"kc":2}}}"#, "{}")
  }

  @Test
  func `the root of a component changes its id around a sticky element that keeps its attributes`() {
    OraclePair.expectSame(
      #"""
      {"s":["",""],"0":1,"c":{"1":{"s":["<div id=\"","\"><article","></article></div>"],"0":"n1",
       "1":" data-phx-sticky=\"\""}}}
      """#, #"{"c":{"1":{"1":""}}}"#, #"{}"#, #"{"c":{"1":{"0":""}}}"#)
  }

  @Test
  func `an element becomes a stream container in the diff that adds text to it`() {
    OraclePair.expectSame(
      #"{"s":["<main>","</main>"],"0":{"s":["<p",">","</p>"],"0":"","1":""}}"#,
      #"{"0":{"0":" phx-update=\"stream\"","1":"a"}}"#, #"{}"#)
  }

  @Test
  func `a stream limit removes a static child of the container until the next page patch`() {
    OraclePair.expectSame(
      #"""
      {"s":["<ul id=\"s\" phx-update=\"stream\">","<li id=\"own\"></li></ul>",""],"1":"",
       "0":{"k":{"kc":0},"s":["<li id=\"","\"></li>"]}}
      """#,
      #"{"0":{"k":{"0":{"0":"a"},"1":{"0":"b"},"kc":2},"stream":["0",[["a",-1,null,null],["b",0,1,null]],[]]}}"#,
      #"{"1":"x"}"#)
  }

  @Test
  func `a new stream inserts its item among other children of an element without phx-update`() {
    OraclePair.expectSame(
      #"{"s":["<div><nav></nav>","<b>","</b></div>"],"0":"","1":""}"#,
      #"""
      {"0":{"s":["<li id=\"","\"></li>"],"k":{"0":{"0":"a"},"kc":1},"stream":["0",[["a",-1,null,false]],[]]}}
      """#)
  }

  /// The blank text stays while the page lists a child of the container, and is removed by a patch
  /// that lists none.
  @Test(
    arguments: [
      #"{"0":{"k":{"kc":0},"stream":["0",[],["x"]]}}"#,
      #"{"0":{"k":{"0":{"0":"b"},"kc":1},"stream":["0",[["b",-1,null,false]],[]]}}"#,
      #"{"0":{"stream":["0",[],["a"]]}}"#,
    ])
  func `a list that becomes a stream loses the blank text before its items`(
    diff: String
  ) {
    OraclePair.expectSame(
      #"""
      {"s":["<ul id=\"s\" phx-update=\"stream\">\n  ","</ul>"],
       "0":{"s":["<li id=\"","\"></li>"],"k":{"0":{"0":"a"},"kc":1}}}
      """#, diff, #"{}"#)
  }

  /// The id of an entry can be that of the container or of an element around it, and a portal's
  /// target can be inside the element to move. Moving one of them into itself would create a cycle,
  /// and the patch would not terminate.
  @Test(
    arguments: [
      [
        #"{"s":["<ol id=\"a\" phx-update=\"append\"><li id=\"x\"></li><li id=\"a\"></li>","</ol>"],"0":""}"#,
        #"{"0":"<li id=\"y\"></li>"}"#,
      ],
      [
        #"{"s":["<ol id=\"a\" phx-update=\"prepend\"><li id=\"x\"></li>","</ol>"],"0":""}"#,
        #"{"0":"<li id=\"a\"></li>"}"#,
      ],
      [
        #"{"s":["<div id=\"p\"><div id=\"t\"></div></div>",""],"0":""}"#,
        ##"{"0":"<template id=\"q\" data-phx-portal=\"#t\"><div id=\"p\"></div></template>"}"##,
      ],
    ])
  func `a node is not moved into itself`(messages: [String]) {
    OraclePair.expectSame(messages[0], messages[1], #"{}"#)
  }

  @Test
  func `a stream inserts an item whose markup another stream sends`() {
    let item = #""s":["<li id=\"","\"></li>"]"#
    OraclePair.expectSame(
      #"""
      {"s":["<ul phx-update=\"stream\" id=\"s1\">","</ul><ul phx-update=\"stream\" id=\"s2\">","</ul>"],
       "0":{\#(item),"k":{"0":{"0":"a"},"1":{"0":"b"},"kc":2},"stream":["0",[["a",-1,null],["b",-1,null]],[]]},
       "1":{\#(item),"k":{"0":{"0":"x"},"kc":1},"stream":["1",[["x",-1,null]],[]]}}
      """#,
      #"""
      {"0":{"k":{"0":{"0":"z"},"kc":1},"stream":["0",[["c",-1,null]],[]]},
       "1":{"k":{"0":{"0":"y"},"kc":1},"stream":["1",[["z",0,null]],[]]}}
      """#)
  }

  @Test
  func `a component with an unclosed tag contains the markup after it`() {
    OraclePair.expectSame(
      #"""
      {"s":["<main>","","</main>"],"0":1,"1":{"s":[">",""],"0":""},
       "c":{"1":{"s":["<section><h3></h3>","</section>"],"0":{"s":["<d",""],"0":""}}}}
      """#, #"{"1":""}"#)
  }

  /// The client of 1.1.0 stops whenever it reaches the element, also if the diff names another one.
  @Test func `an element that ignores all attributes, in 1.1.0`() {
    let page = ##"{"0":"b","s":["<i phx-mounted='[[\"ignore_attrs\",{\"attrs\":[\"*\"]}]]'></i><p>","</p>"]}"##
    OraclePair.expectSame(page, #"{"0":"c"}"#, #"{"0":"d"}"#, client: "1.1.0")
    OraclePair.expectSame(page, #"{"0":"c"}"#, #"{"0":"d"}"#, client: "1.1.33")
  }
}
