import LiveViewMirror
import MarkupDocument
import Testing

/// Updates by scope, against the same ones in full. Each is a fault that the oracle once found, made small.
@Suite struct ScopedUpdateTests {
  // MARK: - Components

  @Test
  func `a component that comes whole with text at its edge runs together with the text beside it`() {
    OraclePair.expectSame(
      ##"{"0":1,"c":{"1":{"s":["<i>a</i>"]}},"s":["<br>text",""]}"##,
      ##"{"c":{"1":{"s":[" b <i>c</i>"]}}}"##)
  }

  @Test
  func `a component that comes whole between comments takes their place too`() {
    let path = OraclePair.expectSame(
      ##"{"0":1,"c":{"1":{"s":["<!-- a --><i>a</i><!-- /a -->"]}},"s":["<br>text","text"]}"##,
      ##"{"c":{"1":{"s":["<!-- b --><b>b</b><i></i>"]}}}"##)
    #expect(path == .scoped)
  }

  @Test
  func `a component that has come to stand beside a change is no edge: the document has it elsewhere`() {
    OraclePair.expectSame(
      ##"{"0":1,"1":"","2":2,"c":{"1":{"s":["<b></b>"]},"2":{"s":["<i></i>"]}},"s":["","","",""]}"##,
      ##"{"1":"x","2":1}"##)
    OraclePair.expectSame(
      ##"{"0":"","1":2,"2":{"0":3,"s":["<p>","</p>"]},"c":{"2":{"s":["<b></b>"]},"3":{"s":["<i></i>"]}},"s":["","","",""]}"##,
      ##"{"0":"x","1":3}"##)
  }

  // MARK: - Elements and lists

  @Test
  func `an element alone in its parent, and all that stands there, are two things`() {
    let path = OraclePair.expectSame(
      ##"{"0":{"d":[["a"]],"s":["<i id=\"","\"></i>"]},"s":["<p>","</p>"]}"##, ##"{"0":{"d":[["b"],["c"]]}}"##)
    #expect(path == .scoped)
  }

  @Test
  func `what comes under one parent comes from the first place to the last`() {
    let path = OraclePair.expectSame(
      ##"{"0":1,"1":"<i>a</i><i>b</i>","c":{"1":{"s":["<b></b>"]}},"s":["\n","<hr>\n","\n"]}"##,
      ##"{"1":"<em>x</em> y","c":{"1":{"s":["<u></u>"]}}}"##)
    #expect(path == .scoped)
  }

  @Test
  func `an entry in the place of one that moved has lists of its own`() {
    OraclePair.expectSame(
      ##"{"0":{"k":{"0":{"0":""},"1":{"0":{"k":{"0":{},"1":{},"kc":2},"s":["<b></b>"]}},"kc":2},"s":["<p>","</p>"]},"s":["",""]}"##,
      ##"{"0":{"k":{"0":1,"1":{},"kc":2}}}"##, ##"{"0":{"k":{"0":{"0":""},"kc":2}}}"##)
  }

  // MARK: - Containers

  @Test
  func `a stream's container drops at the second update what has no id, whatever the diff names`() {
    OraclePair.expectSame(##"{"0":"text","s":["<p phx-update=\"stream\">","</p>"]}"##, "{}", "{}")
    OraclePair.expectSame(##"{"0":"","s":["<p phx-update=\"stream\"><i></i>","</p>"]}"##, "{}", "{}")
  }

  @Test
  func `an element that is a container no longer shows its children one update later`() {
    OraclePair.expectSame(
      ##"{"0":" phx-update=\"stream\"","s":["<p","><i></i>text</p>"]}"##, ##"{"0":""}"##, "{}", "{}")
    OraclePair.expectSame(
      ##"{"0":" phx-update=\"ignore\"","1":"","s":["<p","><i>","</i></p>"]}"##, ##"{"0":""}"##, ##"{"1":"x"}"##)
  }

  @Test
  func `of an ignored element the tag is not the server's, but for its data`() {
    let path = OraclePair.expectSame(
      ##"{"0":"a","1":"b","s":["<img id=\"i\" phx-update=\"ignore\" class=\"","\" data-x=\"","\">"]}"##,
      ##"{"0":"c"}"##,
      ##"{"1":"d"}"##)
    #expect(path == .scoped)
  }

  @Test
  func `white space around an item that its insert moves becomes one text`() {
    OraclePair.expectSame(
      ##"{"0":"","s":["<p></p>",""]}"##,
      ##"{"0":{"0":{"k":{"0":{"0":"a"},"1":{"0":"b"},"kc":2},"s":["<i id=\"","\"></i>"],"stream":["1",[["a",3,null],["b",-1,null]],[]]},"s":["<div phx-update=\"stream\">\n","\n</div>"]}}"##,
      "{}", "{}")
    OraclePair.expectSame(
      ##"{"0":{"k":{"0":{"0":"a"},"kc":1},"s":["\n<i id=\"","\"></i>\n"],"stream":["1",[["a",1,null]],[]]},"s":["<div phx-update=\"stream\">","</div>"]}"##,
      "{}")
  }

  @Test
  func `an item whose id the page shows too goes there at the next update`() {
    OraclePair.expectSame(
      ##"{"0":{"k":{"0":{"0":"a"},"kc":1},"s":["<li id=\"","\"></li>"],"stream":["1",[["a",-1,null]],[]]},"s":["<ul phx-update=\"stream\">","</ul><p><li id=\"a\"></li></p>"]}"##,
      "{}", "{}")
  }

  @Test
  func `a component that stands in an item and on the page is the page's when the item goes`() {
    OraclePair.expectSame(
      ##"{"0":{"k":{"0":{"0":1},"kc":1},"s":["<li id=\"a\">","</li>"],"stream":["1",[["a",-1,null]],[]]},"1":"","c":{"1":{"s":["<b></b>"]}},"s":["<ul phx-update=\"stream\">","</ul><p>","</p>"]}"##,
      ##"{"1":1}"##, ##"{"0":{"stream":["1",[],["a"]]}}"##, "{}")
  }

  @Test
  func `a stream that no page shows keeps its entries by either way`() {
    OraclePair.expectSame(
      ##"{"0":{"k":{"kc":0},"s":["<li id=\"","\"></li>"],"stream":["1",[],[]]},"c":{"1":{"0":{"k":{"kc":0},"s":["<i></i>"]},"s":["<p>","</p>"]}},"s":["<ul phx-update=\"stream\">","</ul>"]}"##,
      ##"{"c":{"1":{"0":{"k":{"0":{},"kc":1},"stream":["2",[["a",-1,null]],[]]}}}}"##,
      ##"{"0":{"k":{"0":{"0":"b"},"kc":1},"stream":["1",[["b",-1,null]],[]]}}"##, "{}")
  }

  @Test
  func `a stream deletes an item, and starts anew, wherever the item stands`() {
    let mount =
      ##"{"0":{"k":{"0":{"0":"a"},"kc":1},"s":["<li id=\"","\"></li>"],"stream":["1",[["a",-1,null]],[]]},"1":{"k":{"kc":0},"s":["<li id=\"","\"></li>"],"stream":["2",[],[]]},"s":["<ul phx-update=\"stream\">","</ul><ul phx-update=\"stream\">","</ul>"]}"##
    OraclePair.expectSame(mount, ##"{"1":{"stream":["2",[],["a"]]}}"##, "{}")
    OraclePair.expectSame(mount, ##"{"1":{"stream":["1",[],[],true]}}"##, "{}")
  }

  // MARK: - Tags

  @Test
  func `an element that swallows its own end tag has no place`() {
    OraclePair.expectSame(
      ##"{"0":{"k":{"0":{"0":""},"1":{"0":"<t a=\""},"2":{"0":""},"kc":3},"s":["<u s=\"\">","</u>"]},"s":["<p>","</p>"]}"##,
      ##"{"0":{"k":{"1":{"0":""},"kc":3}}}"##)
    OraclePair.expectSame(
      ##"{"0":"","1":"x","s":["<p><img",">\n",">\n</p>"]}"##, ##"{"0":">"}"##, ##"{"0":"","1":""}"##)
  }

  @Test
  func `a value that ends its tag makes content of what follows in the tag`() {
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
