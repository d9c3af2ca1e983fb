import LiveViewMirror
import MarkupDocument
import Testing

/// Scoped updates that must equal full ones. Each case is a reduced fault that the oracle once
/// found.
@Suite struct ScopedUpdateTests {
  // MARK: - Components

  @Test
  func `text at the edge of a component that is sent whole joins the text beside it`() {
    OraclePair.expectSame(
      ##"{"0":1,"c":{"1":{"s":["<i>a</i>"]}},"s":["<br>text",""]}"##,
      ##"{"c":{"1":{"s":[" b <i>c</i>"]}}}"##)
  }

  @Test
  func `a component that is sent whole also replaces the comments at its edges`() {
    let path = OraclePair.expectSame(
      ##"{"0":1,"c":{"1":{"s":["<!-- a --><i>a</i><!-- /a -->"]}},"s":["<br>text","text"]}"##,
      ##"{"c":{"1":{"s":["<!-- b --><b>b</b><i></i>"]}}}"##)
    #expect(path == .scoped)
  }

  @Test
  func `a component that moves next to a change is not a boundary of the region`() {
    OraclePair.expectSame(
      ##"{"0":1,"1":"","2":2,"c":{"1":{"s":["<b></b>"]},"2":{"s":["<i></i>"]}},"s":["","","",""]}"##,
      ##"{"1":"x","2":1}"##)
    OraclePair.expectSame(
      ##"{"0":"","1":2,"2":{"0":3,"s":["<p>","</p>"]},"c":{"2":{"s":["<b></b>"]},"3":{"s":["<i></i>"]}},"s":["","","",""]}"##,
      ##"{"0":"x","1":3}"##)
  }

  // MARK: - Elements and lists

  @Test
  func `an only child and the whole content of its parent are different regions`() {
    let path = OraclePair.expectSame(
      ##"{"0":{"d":[["a"]],"s":["<i id=\"","\"></i>"]},"s":["<p>","</p>"]}"##, ##"{"0":{"d":[["b"],["c"]]}}"##)
    #expect(path == .scoped)
  }

  @Test
  func `changes under one parent are ordered by position`() {
    let path = OraclePair.expectSame(
      ##"{"0":1,"1":"<i>a</i><i>b</i>","c":{"1":{"s":["<b></b>"]}},"s":["\n","<hr>\n","\n"]}"##,
      ##"{"1":"<em>x</em> y","c":{"1":{"s":["<u></u>"]}}}"##)
    #expect(path == .scoped)
  }

  @Test
  func `a new entry at the position of a moved entry has its own inner lists`() {
    OraclePair.expectSame(
      ##"{"0":{"k":{"0":{"0":""},"1":{"0":{"k":{"0":{},"1":{},"kc":2},"s":["<b></b>"]}},"kc":2},"s":["<p>","</p>"]},"s":["",""]}"##,
      ##"{"0":{"k":{"0":1,"1":{},"kc":2}}}"##, ##"{"0":{"k":{"0":{"0":""},"kc":2}}}"##)
  }

  // MARK: - Containers

  @Test
  func `a stream container drops children without ids at the second update`() {
    OraclePair.expectSame(##"{"0":"text","s":["<p phx-update=\"stream\">","</p>"]}"##, "{}", "{}")
    OraclePair.expectSame(##"{"0":"","s":["<p phx-update=\"stream\"><i></i>","</p>"]}"##, "{}", "{}")
  }

  @Test
  func `an element that stops being a container shows its children one update later`() {
    OraclePair.expectSame(
      ##"{"0":" phx-update=\"stream\"","s":["<p","><i></i>text</p>"]}"##, ##"{"0":""}"##, "{}", "{}")
    OraclePair.expectSame(
      ##"{"0":" phx-update=\"ignore\"","1":"","s":["<p","><i>","</i></p>"]}"##, ##"{"0":""}"##, ##"{"1":"x"}"##)
  }

  @Test
  func `an ignored element keeps its attributes except data attributes`() {
    let path = OraclePair.expectSame(
      ##"{"0":"a","1":"b","s":["<img id=\"i\" phx-update=\"ignore\" class=\"","\" data-x=\"","\">"]}"##,
      ##"{"0":"c"}"##,
      ##"{"1":"d"}"##)
    #expect(path == .scoped)
  }

  @Test
  func `white space around a stream item that is moved becomes one text`() {
    OraclePair.expectSame(
      ##"{"0":"","s":["<p></p>",""]}"##,
      ##"{"0":{"0":{"k":{"0":{"0":"a"},"1":{"0":"b"},"kc":2},"s":["<i id=\"","\"></i>"],"stream":["1",[["a",3,null],["b",-1,null]],[]]},"s":["<div phx-update=\"stream\">\n","\n</div>"]}}"##,
      "{}", "{}")
    OraclePair.expectSame(
      ##"{"0":{"k":{"0":{"0":"a"},"kc":1},"s":["\n<i id=\"","\"></i>\n"],"stream":["1",[["a",1,null]],[]]},"s":["<div phx-update=\"stream\">","</div>"]}"##,
      "{}")
  }

  @Test
  func `a stream item whose id is also in the page moves there at the next update`() {
    OraclePair.expectSame(
      ##"{"0":{"k":{"0":{"0":"a"},"kc":1},"s":["<li id=\"","\"></li>"],"stream":["1",[["a",-1,null]],[]]},"s":["<ul phx-update=\"stream\">","</ul><p><li id=\"a\"></li></p>"]}"##,
      "{}", "{}")
  }

  @Test
  func `a component in a stream item and in the page stays in the page when the item is removed`() {
    OraclePair.expectSame(
      ##"{"0":{"k":{"0":{"0":1},"kc":1},"s":["<li id=\"a\">","</li>"],"stream":["1",[["a",-1,null]],[]]},"1":"","c":{"1":{"s":["<b></b>"]}},"s":["<ul phx-update=\"stream\">","</ul><p>","</p>"]}"##,
      ##"{"1":1}"##, ##"{"0":{"stream":["1",[],["a"]]}}"##, "{}")
  }

  @Test
  func `a stream that is not shown keeps its entries in both pipelines`() {
    OraclePair.expectSame(
      ##"{"0":{"k":{"kc":0},"s":["<li id=\"","\"></li>"],"stream":["1",[],[]]},"c":{"1":{"0":{"k":{"kc":0},"s":["<i></i>"]},"s":["<p>","</p>"]}},"s":["<ul phx-update=\"stream\">","</ul>"]}"##,
      ##"{"c":{"1":{"0":{"k":{"0":{},"kc":1},"stream":["2",[["a",-1,null]],[]]}}}}"##,
      ##"{"0":{"k":{"0":{"0":"b"},"kc":1},"stream":["1",[["b",-1,null]],[]]}}"##, "{}")
  }

  @Test
  func `a stream deletes or resets items in the container of another stream`() {
    let mount =
      ##"{"0":{"k":{"0":{"0":"a"},"kc":1},"s":["<li id=\"","\"></li>"],"stream":["1",[["a",-1,null]],[]]},"1":{"k":{"kc":0},"s":["<li id=\"","\"></li>"],"stream":["2",[],[]]},"s":["<ul phx-update=\"stream\">","</ul><ul phx-update=\"stream\">","</ul>"]}"##
    OraclePair.expectSame(mount, ##"{"1":{"stream":["2",[],["a"]]}}"##, "{}")
    OraclePair.expectSame(mount, ##"{"1":{"stream":["1",[],[],true]}}"##, "{}")
  }

  // MARK: - Tags

  @Test
  func `an element whose static tag becomes text or an attribute value is not linked`() {
    OraclePair.expectSame(
      ##"{"0":{"k":{"0":{"0":""},"1":{"0":"<t a=\""},"2":{"0":""},"kc":3},"s":["<u s=\"\">","</u>"]},"s":["<p>","</p>"]}"##,
      ##"{"0":{"k":{"1":{"0":""},"kc":3}}}"##)
    OraclePair.expectSame(
      ##"{"0":"","1":"x","s":["<p><img",">\n",">\n</p>"]}"##, ##"{"0":">"}"##, ##"{"0":"","1":""}"##)
  }

  @Test
  func `an attribute value that closes its tag turns the rest of the tag into content`() {
    OraclePair.expectSame(
      ##"{"0":">","1":"x","s":["<p><span",">","</span></p>"]}"##, ##"{"1":""}"##, ##"{"0":""}"##, ##"{"1":"y"}"##)
    OraclePair.expectSame(
      ##"{"0":"\">","1":"x","s":["<p><em class=\"","\">","</em></p>"]}"##, ##"{"1":""}"##, ##"{"0":"a"}"##)
    OraclePair.expectSame(##"{"0":"/","1":"x","s":["<p><em",">","</em></p>"]}"##, ##"{"1":""}"##, dialect: .native)
    OraclePair.expectSame(
      ##"{"0":{"k":{"0":{"0":"></i><i"},"1":{"0":""},"2":{"0":""},"kc":3},"s":["<i","></i>"]},"s":["<p>","</p>"]}"##,
      ##"{"0":{"k":{"1":2,"2":1,"kc":3}}}"##)
  }
}
