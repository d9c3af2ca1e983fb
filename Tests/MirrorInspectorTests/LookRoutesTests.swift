import Foundation
import MicroHTTP
import Testing

@Suite struct LookRoutesTests {
  /// A view with a list and a component, at version 2: version 1 adds an entry, and version 2
  /// removes the first one.
  private func list() throws -> Client {
    let client = try Client()
    _ = try client.post(
      "/views/main/rendered",
      """
      {"0":{"s":["<li>","</li>"],"k":{"0":{"0":"a"},"1":{"0":"b"},"kc":2}},"1":1,\
      "c":{"1":{"s":["<b class=\\"x\\">","</b>"],"0":"!","r":1}},"s":["<ul>","</ul>",""],"t":"List"}
      """)
    _ = try client.post("/views/main/diffs", #"{"0":{"k":{"2":{"0":"c"},"kc":3}}}"#)
    _ = try client.post("/views/main/diffs", #"{"0":{"k":{"0":1,"1":2,"kc":2,"km":true}}}"#)
    return client
  }

  @Test func `the list of views has the summary of each view`() throws {
    let client = try list()
    let view = try client.get("/views").json["views"][0]
    #expect(
      view.keys == [
        "view", "epoch", "version", "dialect", "nodes", "observers", "clients", "subscriptions", "diffs", "rejected",
        "isolation", "bytes", "log",
        "title", "client", "server", "module", "mounted_at",
        "updated_at", "epochs", "page", "parent", "status", "resumed", "refusal", "url", "container",
      ])
    #expect((view["view"].string, view["version"].int, view["diffs"].int) == ("main", 2, 2))
    #expect((view["nodes"].int, view["observers"].int, view["title"].string) == (8, 5, "List"))
    #expect(try client.get("/views/main").json == view)
  }

  @Test func `the tree has every node with its subscribers and its component`() throws {
    let client = try list()
    let tree = try client.get("/views/main/tree").json
    #expect((tree["view"].string, tree["epoch"].int, tree["version"].int) == ("main", 1, 2))
    #expect(
      tree["root"].description == """
        {"children":[{"attributes":{},"children":[\
        {"attributes":{},"children":[{"children":[],"kind":"text","node":6,"subscribers":0,"text":"b"}],"kind":"element","node":5,"subscribers":1,"tag":"li"},\
        {"attributes":{},"children":[{"children":[],"kind":"text","node":10,"subscribers":0,"text":"c"}],"kind":"element","node":9,"subscribers":1,"tag":"li"}\
        ],"kind":"element","node":2,"subscribers":1,"tag":"ul"},\
        {"attributes":{"class":"x"},"children":[{"children":[],"kind":"text","node":8,"subscribers":0,"text":"!"}],"component":1,"kind":"element","node":7,"subscribers":1,"tag":"b"}\
        ],"kind":"root","node":1,"subscribers":1}
        """)
  }

  @Test func `a processing instruction has a kind of its own, with its target and data`() throws {
    let client = try Client()
    _ = try client.post("/views/main/rendered", #"{"0":"1","s":["<p><?php echo ","; ?></p>"]}"#)
    let instruction = try client.get("/views/main/tree").json["root"]["children"][0]["children"][0]
    #expect(
      instruction.description == """
        {"children":[],"kind":"processing-instruction","node":3,"subscribers":0,"target":"php","text":"echo 1; "}
        """)
    #expect(try client.get("/views/main/html").text == "<p><?php echo 1; ?></p>")
    let change = try client.post("/views/main/diffs", #"{"0":"2"}"#).json["changes"][0]
    #expect((change["op"].string, change["before"].string, change["after"].string) == ("text", "echo 1; ", "echo 2; "))
    #expect(try client.get("/views/main", accept: "text/html").text.contains("&lt;?php"))
    #expect(try client.get("/views/main/page?frame").text.contains("<?php echo 2; ?>"))
    let exchange = try client.post("/views/main/diffs", #"{"s":["<p><?js?></p>"]}"#).json["changes"]
    let place = exchange.array.firstIndex { $0["op"].string == "add" } ?? 0
    #expect((exchange[place]["kind"].string, exchange[place]["target"].string) == ("processing-instruction", "js"))
  }

  @Test func `a portal and the content at its target refer to each other`() throws {
    let client = try Client()
    let page = #"""
      {"s":["<div id='modals'></div><template id='t' data-phx-portal='#modals'><b id='m'>","</b></template>"],"0":"1"}
      """#
    _ = try client.post("/views/main/rendered", page)
    let root = try client.get("/views/main/tree").json["root"]
    let (shown, template) = (root["children"][0]["children"][0], root["children"][1])
    #expect(shown["attributes"]["id"].string == "m")
    #expect(shown["portal"].description == template["node"].description)
    #expect(template["shown"].description == shown["node"].description)
    _ = try client.post("/views/main/diffs", #"{"0":"2"}"#)
    #expect(try client.get("/views/main/html").text.hasPrefix(#"<div id="modals"><b id="m">2</b></div>"#))
  }

  @Test func `a tree can be limited in depth, start at a node, and show a past version`() throws {
    let client = try list()
    let cut = try client.get("/views/main/tree?depth=1").json["root"]
    #expect(cut["children"].array.map { $0["more"].int } == [2, 1])
    #expect(cut["children"].array.map { $0["children"].array.count } == [0, 0])
    #expect(try client.get("/views/main/tree?under=9").json["root"]["children"][0]["text"].string == "c")
    let past = try client.get("/views/main/tree?version=0").json
    #expect(past["version"].int == 0)
    #expect(past["root"]["children"][0]["children"].array.map { $0["node"].int } == [3, 5])
    for target in ["tree?version=3", "tree?version=0&under=9", "tree?under=99"] {
      #expect(try client.get("/views/main/\(target)").status == 404, "\(target)")
    }
    #expect(try client.get("/views/main/tree?version=-1").status == 400)
    #expect(try client.get("/views/main/tree?depth=x").status == 400)
  }

  @Test func `a node has its path and its biography, even after its removal`() throws {
    let client = try list()
    let node = try client.get("/views/main/nodes/9").json
    #expect(node["path"].array.map { $0["node"].int } == [1, 2, 9])
    #expect(node["biography"].description == #"[{"did":"add","version":1}]"#)
    #expect((node["live"].bool, node["subscribers"].int, node["observers"].int) == (true, 1, 1))
    let removed = try client.get("/views/main/nodes/3").json
    #expect(removed["biography"].description == #"[{"did":"add","version":0},{"did":"remove","version":2}]"#)
    #expect((removed["live"].bool, removed["subscribers"].int) == (false, 0))
    #expect(try client.get("/views/main/nodes/99").status == 404)
    #expect(try client.get("/views/main/nodes/x").status == 404)
  }

  @Test func `the markup is that of the document, and its policy prevents scripts`() throws {
    let client = try list()
    let markup = try client.get("/views/main/html")
    #expect(markup.type == "text/html; charset=utf-8")
    #expect(markup.text == #"<ul><li>b</li><li>c</li></ul><b class="x">!</b>"#)
    #expect(markup.response.headers["Content-Security-Policy"]?.hasPrefix("sandbox;") == true)
    #expect(
      try client.get("/views/main/html?version=1").text
        == #"<ul><li>a</li><li>b</li><li>c</li></ul><b class="x">!</b>"#)
  }

  @Test func `mounting the Rendered of any version gives the markup of that version`() throws {
    let client = try list()
    for version in 0...2 {
      let tree = try client.get("/views/main/rendered?version=\(version)").text
      #expect(try client.post("/views/copy/rendered", tree).status < 300)
      #expect(try client.get("/views/copy/html").text == client.get("/views/main/html?version=\(version)").text)
    }
    #expect(
      try client.get("/views/main/rendered", accept: "text/html").text
        == #"<ul><li>b</li><li>c</li></ul><b class="x">!</b>"#)
    #expect(try client.get("/views/main/rendered?version=9").status == 404)
  }

  @Test func `the log can be read in pages, by node, and entry by entry`() throws {
    let client = try list()
    let first = try client.get("/views/main/log?limit=2").json
    #expect(first["entries"].array.map { $0["version"].int } == [0, 1])
    #expect(first["next"].string == "1")
    let rest = try client.get("/views/main/log?after=1").json
    #expect(rest["entries"].array.map { $0["version"].int } == [2])
    #expect(rest["next"].isNull)
    #expect(try client.get("/views/main/log?node=9").json["entries"].array.map { $0["version"].int } == [1])
    let entry = try client.get("/views/main/log/2").json
    #expect(entry["diff"].description == #"{"0":{"k":{"0":1,"1":2,"kc":2,"km":true}}}"#)
    #expect(entry["changes"].array.map { $0["op"].string } == ["remove"])
    #expect(try client.get("/views/main/log/0").json["rendered"]["t"].string == "List")
    #expect(try client.get("/views/main/log/3").status == 404)
    #expect(try client.get("/views/main/log?after=x").status == 400)
  }

  @Test func `subscribers are counted by node`() throws {
    let subscribers = try list().get("/views/main/subscribers").json
    #expect(subscribers["total"].int == 5)
    #expect(subscribers["nodes"].array.map { $0["node"].int } == [1, 2, 5, 9, 7])
    #expect(
      subscribers["nodes"][1].description == #"{"clients":0,"node":2,"observers":1,"subscribers":1,"subscriptions":0}"#)
  }

  @Test func `browsers get pages and programs get JSON`() throws {
    let client = try list()
    let browser = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"
    for target in ["/", "/views", "/views/main"] {
      let page = try client.get(target, accept: browser)
      #expect(page.type == "text/html; charset=utf-8", "\(target)")
      #expect(page.response.headers["Content-Security-Policy"]?.contains("; script-src 'self'; ") == true)
    }
    #expect(try client.get("/").type == "text/html; charset=utf-8")
    #expect(try client.get("/", accept: "application/json").type == "application/json")
    #expect(try client.get("/views/main", accept: "*/*").type == "application/json")
    #expect(try client.get("/healthz").text == "{\"status\":\"ok\"}\n")
    #expect(try client.get("/assets/inspector.css").type == "text/css; charset=utf-8")
    // The addresses that apps and documents name are those of the same files in their folders.
    for (name, path) in [
      ("tap.js", "tap/tap.js"), ("carrier.js", "tap/carrier.js"), ("inspector.css", "inspector/inspector.css"),
      ("live.js", "inspector/live.js"), ("native.css", "frame/native.css"),
    ] {
      let files = try (client.get("/assets/\(name)"), client.get("/assets/\(path)"))
      #expect(files.0.status == 200 && files.0.text == files.1.text, "\(name)")
    }
    #expect(try !client.get("/assets/inspector.css").text.contains("@import"))
    #expect(try client.get("/nothing").status == 404)
    #expect(try client.send(.delete, "/views", "").status == 405)
  }
}
