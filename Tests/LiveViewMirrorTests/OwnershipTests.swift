import LiveViewMirror
import MarkupDocument
import Testing

/// An element with an id gets another owner if another component, fragment or entry renders the
/// same id. Diffs of the former owner must not change the element. Each test compares scoped with
/// full updates.
@Suite struct OwnershipTests {
  private static let one = #""1":{"s":["<section id='x'><i>","</i></section>"],"0":"one"}"#
  private static let two = #""2":{"s":["<section id='x'><i>","</i></section>"],"0":"two"}"#

  @Test
  func `a hidden component does not change the element that another component took over`() {
    let path = OraclePair.expectSame(
      #"{"s":["<div>","</div>"],"0":1,"c":{\#(Self.one)}}"#, #"{"0":2,"c":{\#(Self.two)}}"#,
      #"{"c":{"1":{"0":"STALE"}}}"#)
    #expect(path == .scoped)
  }

  @Test
  func `a hidden component that is sent whole or nested does not change an element that was taken over`() {
    OraclePair.expectSame(
      #"{"s":["<div>","</div>"],"0":1,"c":{\#(Self.one)}}"#, #"{"0":2,"c":{\#(Self.two)}}"#,
      #"{"c":{"1":{"s":["<section id='x'><b>","</b></section>"],"0":"STALE"}}}"#)
    OraclePair.expectSame(
      #"{"s":["<div>","</div>"],"0":3,"c":{\#(Self.one),"3":{"s":["<p>","</p>"],"0":1}}}"#,
      #"{"0":2,"c":{\#(Self.two)}}"#, #"{"c":{"1":{"0":"STALE"}}}"#, #"{"c":{"3":{"0":""},"1":{"0":"again"}}}"#)
  }

  @Test
  func `a fragment or an entry takes over the element of a hidden component`() {
    OraclePair.expectSame(
      #"{"s":["<div>","</div>"],"0":1,"c":{\#(Self.one)}}"#,
      #"{"0":{"s":["<section id='x'><i>","</i></section>"],"0":"fragment"}}"#, #"{"c":{"1":{"0":"STALE"}}}"#,
      #"{"0":1}"#, #"{"c":{"1":{"0":"shown"}}}"#)
    OraclePair.expectSame(
      #"{"s":["<div>","</div>"],"0":1,"c":{\#(Self.one)}}"#,
      #"{"0":{"k":{"0":{"0":"entry"},"kc":1},"s":["<section id='x'><i>","</i></section>"]}}"#,
      #"{"c":{"1":{"0":"STALE"}}}"#, #"{"0":{"k":{"0":{"0":"new"},"kc":1}}}"#)
  }

  @Test
  func `a stream of a hidden component keeps its new items until the page shows the component`() {
    let list = #"{"k":{"0":{"0":"a"},"kc":1},"s":["<li id=\"","\"></li>"],"stream":["0",[["a",-1,null,null]],[]]}"#
    OraclePair.expectSame(
      #"{"s":["<div>","</div>"],"0":1,"c":{"1":{"s":["<ul id=\"l\" phx-update=\"stream\">","</ul>"],"0":""}}}"#,
      #"{"0":{"s":["<b></b>"]}}"#, #"{"c":{"1":{"0":\#(list)}}}"#, #"{"0":1}"#)
  }
}
