import MarkupDocument
import MirrorSupport
import Testing

@testable import MirrorInspector

/// The forms for a terminal of views, trees, nodes and subscribers.
@Suite struct TextFormTests {
  private func client() throws -> Client {
    let client = try Client()
    _ = try client.post(
      "/views/main/rendered",
      ##"{"0":"7","s":["<p id=\"count\" class=\"a\nb\">","</p><!-- c -->"],"t":"Co\u001b[31munter"}"##)
    return client
  }

  /// The text without times.
  private func text(_ client: Client, _ target: String) throws -> String {
    let answer = try client.get(target, accept: "text/plain")
    #expect((answer.status, answer.type) == (200, "text/plain; charset=utf-8"))
    return answer.text.replacing(/\d{4}-\d\d-\d\dT[0-9:.]+Z/, with: "TIME")
  }

  @Test func `the views, each on a line`() throws {
    let client = try client()
    _ = try client.post("/views/lv:other-view/rendered", #"{"s":["<p></p>"]}"#)
    _ = try client.post("/views/lv:other-view/rendered", #"{"s":["<p></p>"]}"#)
    _ = try client.post("/views/main/diffs", #"{"0":"8"}"#)
    #expect(
      try text(client, "/views") == """
        view           epoch  version  status  nodes  observers  diffs  bytes  title
        main           1      1        joined  4      2          1      99     Co\\u{1b}[31munter
        lv:other-view  2      0        joined  2      2          0      17

        """)
    #expect(
      try text(try Client(), "/views") == "view  epoch  version  status  nodes  observers  diffs  bytes  title\n")
  }

  @Test func `the facts about a view`() throws {
    #expect(
      try text(client(), "/views/main") == """
        main v0 of epoch 1
        title          Co\\u{1b}[31munter
        status         joined
        dialect        html
        client         \(ClientVersion.newest.rawValue)
        mounted        TIME
        updated        TIME
        nodes          4
        diffs          0
        rejected       0
        bytes          90
        kept           versions 0 to 0
        epochs         1
        observers      2
        event clients  0
        subscriptions  0

        """)
  }

  @Test func `the tree, indented`() throws {
    #expect(
      try text(client(), "/views/main/tree") == """
        node  subscribers  content
        1     1            document
        2     1              <p id="count" class="a\\nb">
        3     0                "7"
        4     0              <!-- c -->

        """)
    #expect(
      try text(client(), "/views/main/tree?depth=1&under=2") == """
        node  subscribers  content
        2     1            <p id="count" class="a\\nb">
        3     0              "7"

        """)
    #expect(
      try text(client(), "/views/main/tree?depth=0") == """
        node  subscribers  content
        1     1            document
                             … 2 more

        """)
  }

  @Test func `the elements that a selector matches`() throws {
    let client = try Client()
    _ = try client.post(
      "/views/main/rendered", #"{"s":["<!-- <A.b> lib/a.ex:12 (app) --><ul><li>1</li><li>2</li></ul><!-- </A.b> -->"]}"#
    )
    #expect(
      try text(client, "/views/main/nodes?selector=ul,li&limit=2") == """
        node  subscribers  source       element
        3     1            lib/a.ex:12  <ul>
        4     1                         <li>
        … 1 more

        """)
  }

  @Test func `the subscribers of each node, and their sums`() throws {
    let client = try client()
    _ = try client.post("/views/main/subscriptions", #"{"node":2}"#)
    #expect(
      try text(client, "/views/main/subscribers") == """
        node   subscribers  observers  clients  subscriptions  content
        1      1            1          0        0              document
        2      2            1          0        1              <p id="count" class="a\\nb">
        total  3            2          0        1
        The view has 0 event clients and 1 subscription.

        """)
  }
}
