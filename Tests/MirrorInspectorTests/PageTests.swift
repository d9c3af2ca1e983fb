import LiveViewMirror
import MicroHTTP
import Testing

/// Page loads: `/frames?page=` and `/pages`.
@Suite struct PageTests {
  private let client: Client

  init() throws { client = try Client() }

  /// The frames of a join: the client's push, and the server's reply with a page.
  static func join(
    _ topic: String, ref: Int = 4, url: String? = nil, key: String = "url", page: String = #"{"s":["<p>hi</p>"]}"#
  ) -> String {
    let url = url.map { #""\#(key)":"\#($0)","# } ?? ""
    return """
      ["\(ref)","\(ref)","\(topic)","phx_join",{\(url)"params":{"_mounts":0},"session":"S","static":"T"}]
      ["\(ref)","\(ref)","\(topic)","phx_reply",{"status":"ok","response":{"rendered":\(page)}}]

      """
  }

  @discardableResult
  private func feed(_ page: String, _ frames: String, url: String? = nil) throws -> Client.Answer {
    try client.post("/frames?page=\(page)\(url.map { "&url=\($0)" } ?? "")", frames)
  }

  private func views(of page: String) throws -> [String: JSONValue] {
    Dictionary(
      uniqueKeysWithValues: try client.get("/pages/\(page)").json["views"].array.map { ($0["view"].string ?? "", $0) })
  }

  // MARK: - Ids

  @Test func `two tabs with the same topic are two views`() throws {
    try feed("one", Self.join("lv:kid", page: #"{"s":["<p>one</p>"]}"#))
    try feed("two", Self.join("lv:kid", page: #"{"s":["<p>two</p>"]}"#))
    #expect(try client.get("/views/lv:kid~one/html").text.contains("<p>one</p>"))
    #expect(try client.get("/views/lv:kid~two/html").text.contains("<p>two</p>"))
    #expect(try client.get("/views/lv:kid").status == 404)
    #expect(try client.get("/views/lv:kid~one").json["page"].string == "one")
  }

  @Test func `without a page, the view id is the topic`() throws {
    _ = try client.post("/frames", Self.join("lv:kid"))
    #expect(try client.get("/views/lv:kid").json["page"].isNull)
    #expect(try client.get("/pages").json["pages"].array.isEmpty)
  }

  @Test(arguments: ["", ".", "..", "a~b", "a:b", "a%20b", String(repeating: "x", count: 65)])
  func `an invalid page id is refused, and nothing is applied`(id: String) throws {
    let answer = try feed(id, Self.join("lv:a"))
    #expect(answer.status == 400)
    #expect(
      answer.json["detail"].string?.hasSuffix(
        "it must have 1 to 64 characters of A–Z, a–z, 0–9 and . _ -, and must not be \".\" or \"..\".") == true)
    #expect(client.views.all.isEmpty)
    if !id.isEmpty, !id.hasPrefix(".") { #expect(try client.post("/pages/\(id)", "{}").status == 400) }
  }

  // MARK: - The page

  @Test func `a recording was opened when its first frame has its time, and not when it is fed`() throws {
    let frames = Self.join("lv:a").split(separator: "\n").map { #"{"at":1764000000000,"frame":\#($0)}"# }
    try feed("p1", frames.joined(separator: "\n"))
    #expect(try client.get("/pages/p1").json["opened_at"].string == "2025-11-24T16:00:00.000Z")
    let file = frames.joined(separator: "\n")
    // The second one has a page of its own.
    _ = try client.post("/views", file)
    let page = try #require(try client.post("/views", file).json["pages"][0].string)
    let json = try client.get("/pages/\(page)").json
    #expect(json["opened_at"].string == "2025-11-24T16:00:00.000Z")
    #expect(json["closed_at"].string == "2025-11-24T16:00:00.000Z")
  }

  @Test func `a page lists its address, its title, and the views as a tree`() throws {
    try feed(
      "p1",
      Self.join(
        "lv:root", url: "http://localhost:4000/items",
        page: #"{"s":["<main><div id=\"kid\" data-phx-session=\"S\"></div></main>"],"t":"Items"}"#)
        + Self.join("lv:kid", ref: 5), url: "http://localhost:4000/items")
    let page = try client.get("/pages/p1").json
    #expect(page["page"].string == "p1")
    #expect(page["url"].string == "http://localhost:4000/items")
    #expect(page["title"].string == "Items")
    #expect(page["opened_at"].string != nil)
    #expect(page["closed_at"].isNull)
    #expect(page["views"].array.map(\.["view"].string) == ["lv:root~p1", "lv:kid~p1"])
    #expect(page["views"].array.map(\.["status"].string) == ["joined", "joined"])
    #expect(page["views"].array.map(\.["parent"].string) == [nil, "lv:root~p1"])
    #expect(try client.get("/views/lv:kid~p1").json["parent"].string == "lv:root~p1")
    #expect(Set(try client.get("/views").json["views"].array.map(\.["parent"].string)) == [nil, "lv:root~p1"])
    #expect(try client.get("/pages").json["pages"][0] == page)
  }

  @Test func `views that contain each other are not each other's parents`() throws {
    let (a, b) = (#"{"s":["<i id=\"b\"></i>"]}"#, #"{"s":["<i id=\"a\"></i>"]}"#)
    try feed("p", Self.join("lv:a", page: a) + Self.join("lv:b", page: b))
    let parents = try views(of: "p").mapValues { $0["parent"].string }
    #expect(parents == ["lv:a~p": nil, "lv:b~p": "lv:a~p"])
    #expect(try client.get("/", accept: "text/html").text.contains("lv:b~p"))
  }

  @Test func `the header of a view has what distinguishes it from views with the same name`() throws {
    let mount = #"{"s":["<!-- <AWeb.HomeLive.render> lib/home.ex:2 (a) --><p></p>"],"t":"Home"}"#
    for page in ["tab-1", "tab-2"] {
      _ = try client.post("/frames?page=\(page)&url=http://a/home", Self.join("lv:one", page: mount))
      _ = try client.post("/frames?page=\(page)&url=http://a/home", Self.join("lv:two", page: mount))
    }
    var headers: Set<String> = []
    var titles: Set<String> = []
    for id in ["lv:one~tab-1", "lv:two~tab-1", "lv:one~tab-2", "lv:two~tab-2"] {
      let page = ParsedPage(Array(try client.get("/views/\(id)", accept: "text/html").text.utf8))
      let which = try #require(page.elements("p", class: "which").first)
      let parts = id.split(separator: "~")
      #expect(page.text(of: try #require(page.elements("h1").first?.place)) == "Home")
      #expect(page.text(of: which.place) == "AWeb.HomeLive page \(parts[1]) \(parts[0])")
      #expect(page.links.contains("/#page-\(parts[1])"))
      headers.insert(page.text(of: which.place))
      titles.insert(page.text(of: try #require(page.elements("title").first?.place)))
    }
    #expect(headers.count == 4 && titles.count == 4)
  }

  @Test func `an announcement creates a page, and later ones update it`() throws {
    let first = try client.post(
      "/pages/tab-1", #"{"url":"http://a/","title":"A","user_agent":"Firefox","carrier":true}"#)
    #expect(first.status == 201)
    #expect(first.response.headers["Location"] == "/pages/tab-1")
    let second = try client.post("/pages/tab-1", #"{"title":"B","lost":{"frames":3,"bytes":99}}"#)
    #expect(second.status == 200)
    let page = second.json
    #expect(page["url"].string == "http://a/")
    #expect(page["title"].string == "B")
    #expect(page["user_agent"].string == "Firefox")
    #expect(page["carrier"].bool == true)
    #expect(page["lost"]["frames"].int == 3)
    #expect(try client.get("/pages/tab-1").json == page)
  }

  @Test(arguments: [
    (#"{"url":1}"#, "/url", "url must be a text of at most 8192 characters."),
    (#"{"carrier":"yes"}"#, "/carrier", "carrier must be true or false."),
    (#"{"lost":[]}"#, "/lost", "lost must be an object."),
    (
      #"{"colour":1}"#, "/colour",
      "this member is unknown: expected url, title, user_agent, client, carrier, lost or closed."
    ),
  ])
  func `an announcement with a wrong member is refused, and no page is opened`(
    body: String, pointer: String, detail: String
  ) throws {
    let answer = try client.post("/pages/p", body)
    #expect(answer.status == 422)
    #expect(answer.json["pointer"].string == pointer)
    #expect(answer.json["detail"].string == detail)
    #expect(try client.get("/pages/p").status == 404)
  }

  @Test func `an unknown page gets a 404 that says where all pages are listed`() throws {
    for method in [HTTPMethod.get, .delete] {
      let answer = try client.send(method, "/pages/none", "")
      #expect(answer.status == 404)
      #expect(answer.json["detail"].string == "There is no page \"none\"; GET /pages lists all pages.")
    }
  }

  // MARK: - Counted frames

  @Test func `an input that is sent twice is applied once`() throws {
    let join = PageTests.join("lv:r", page: #"{"0":"0","s":["<p>","</p>"]}"#)
    let diff = #"["4",null,"lv:r","diff",{"0":"1"}]"#
    for _ in 1...2 { _ = try client.post("/frames?page=p&first=0", join) }
    // The second input begins with a frame that was received.
    let report = try client.post("/frames?page=p&first=1", join.split(separator: "\n")[1] + "\n" + diff).json
    #expect(report["known_frames"].int == 1)
    #expect(report["missing_frames"].int == 0)
    #expect(report["applied"].int == 1)
    #expect(report["ignored"].int == 1)
    let view = try client.get("/views/lv:r~p").json
    #expect((view["epoch"].int, view["version"].int) == (1, 1))
  }

  @Test func `frames that are missing before an input are counted`() throws {
    let report = try client.post("/frames?page=p&first=7", PageTests.join("lv:r")).json
    #expect(report["missing_frames"].int == 7)
    #expect(try client.post("/frames?page=p&first=9", "[]").json["missing_frames"].int == 0)
    #expect(try client.post("/frames?page=p&first=x", "[]").status == 400)
  }

  // MARK: - Addresses

  @Test(arguments: [
    (#"[null,null,"lv:r","live_patch",{"to":"/items?page=2","kind":"push"}]"#, "http://a:4000/items?page=2", true),
    (#"["4","9","lv:r","live_patch",{"url":"http://a:4000/items?page=3"}]"#, "http://a:4000/items?page=3", true),
    (#"["4",null,"lv:r","live_redirect",{"to":"/other","kind":"push"}]"#, "http://a:4000/other", true),
    (#"["4",null,"lv:r","redirect",{"to":"https://b/login"}]"#, "https://b/login", true),
    (
      #"["4","9","lv:r","phx_reply",{"status":"ok","response":{"live_redirect":{"to":"/x","kind":"push"}}}]"#,
      "http://a:4000/x", true
    ),
    (
      #"["4","9","lv:r","phx_reply",{"status":"ok","response":{"diff":{},"live_patch":{"to":"?q=1"}}}]"#,
      "http://a:4000/items?q=1", true
    ),
    (#"["3",null,"lv:r","live_patch",{"to":"/stale","kind":"push"}]"#, "http://a:4000/items", false),
  ])
  func `navigation moves the page and its view`(frame: String, url: String, isCurrent: Bool) throws {
    try feed("p", Self.join("lv:r", url: "http://a:4000/items"))
    let report = try feed("p", frame).json
    #expect(report["stale_frames"].int == (isCurrent ? 0 : 1))
    #expect(try client.get("/pages/p").json["url"].string == url)
    #expect(try client.get("/views/lv:r~p").json["url"].string == url)
  }

  @Test func `a feed that repeats its address does not undo a navigation`() throws {
    try feed("p", Self.join("lv:r", url: "http://a/1"), url: "http://a/1")
    try feed("p", #"[null,null,"lv:r","live_patch",{"to":"/2","kind":"push"}]"#, url: "http://a/1")
    #expect(try client.get("/pages/p").json["url"].string == "http://a/2")
    try feed("p", "[]", url: "http://a/2%23top")
    #expect(try client.get("/pages/p").json["url"].string == "http://a/2#top")
  }

  @Test func `secrets in addresses and titles are not stored`() throws {
    try feed("p", Self.join("lv:r", url: "http://a/reset?token=abc&x=1"), url: "http://a/reset?token=abc")
    #expect(try client.get("/pages/p").json["url"].string == "http://a/reset?token=%5BFILTERED%5D&x=1")
    _ = try client.post("/pages/p", #"{"title":"a/reset?token=abc"}"#)
    #expect(try client.get("/pages/p").json["title"].string == "a/reset?token=%5BFILTERED%5D")
    #expect(!(try client.get("/pages").text.contains("abc")))
    #expect(!(try client.get("/views/lv:r~p").text.contains("abc")))
  }

  // MARK: - Status

  @Test(arguments: [
    (#"["4",null,"lv:r","phx_error",{}]"#, "crashed"),
    (#"["4",null,"lv:r","phx_close",{}]"#, "closed"),
    (#"["4","9","lv:r","phx_leave",{}]"#, "left"),
    ("[\"4\",\"9\",\"lv:r\",\"phx_leave\",{}]\n[\"4\",null,\"lv:r\",\"phx_close\",{}]", "left"),
    (#"["3",null,"lv:r","phx_error",{}]"#, "joined"),
    (#"["9","9","lv:r","phx_join",{"url":"http://a/","params":{"_mounts":1}}]"#, "joining"),
    (#"["4","8","lv:r","phx_reply",{"status":"error","response":{"reason":"no"}}]"#, "joined"),
  ])
  func `a view's status follows from its channel's frames`(frames: String, status: String) throws {
    try feed("p", Self.join("lv:r", url: "http://a/"))
    try feed("p", frames)
    #expect(try views(of: "p")["lv:r~p"]?["status"].string == status)
    #expect(try client.get("/views/lv:r~p").json["status"].string == status)
    // After the next join, the view is joined again.
    try feed("p", Self.join("lv:r", ref: 10, url: "http://a/"))
    #expect(try client.get("/views/lv:r~p").json["status"].string == "joined")
  }

  @Test func `a refused join is a view with its reason, although it was never mounted`() throws {
    try feed("p", #"["4","4","lv:r","phx_join",{"url":"http://a/","params":{"_mounts":0}}]"#)
    #expect(try views(of: "p")["lv:r~p"]?["status"].string == "joining")
    try feed("p", #"["4","4","lv:r","phx_reply",{"status":"error","response":{"reason":"unauthorized"}}]"#)
    let view = try #require(try views(of: "p")["lv:r~p"])
    #expect(view["status"].string == "crashed")
    #expect(view["refusal"].string == "unauthorized")
    #expect(try client.get("/views/lv:r~p").status == 404)
    #expect(try client.get("/", accept: "text/html").text.contains("! crashed: <bdi>unauthorized</bdi>"))
  }

  @Test func `secrets in the reason of a refusal are not stored`() throws {
    try feed("p", #"["4","4","lv:r","phx_join",{"url":"http://a/","params":{"_mounts":0}}]"#)
    try feed("p", #"["4","4","lv:r","phx_reply",{"status":"error","response":{"reason":"bad ?token=abc"}}]"#)
    #expect(try views(of: "p")["lv:r~p"]?["refusal"].string == "bad ?token=%5BFILTERED%5D")
  }

  // MARK: - Bounds

  @Test func `long addresses, titles and reasons are cut off, and a long container is ignored`() throws {
    let long = String(repeating: "ä", count: 10_000)
    let cut = String(repeating: "ä", count: 4_091)
    try feed("p", #"["4","4","lv:r","phx_join",{"url":"http://a/\#(long)","params":{"_mounts":0}}]"#)
    #expect(try views(of: "p")["lv:r~p"]?["url"].string == "http://a/" + cut)
    try feed("p", #"["4","4","lv:r","phx_reply",{"status":"error","response":{"reason":"12345\#(long)"}}]"#)
    #expect(try views(of: "p")["lv:r~p"]?["refusal"].string?.utf8.count == 8_191)
    try feed(
      "p",
      #"["4","4","lv:r","phx_reply",{"status":"ok","response":{"container":["div",{"class":"\#(long)"}],"rendered":{"s":["x"],"t":"\#(long)"}}}]"#
    )
    #expect(try client.get("/views/lv:r~p").json["container"].isNull)
    #expect(try client.get("/pages/p").json["title"].string?.utf8.count == 8_192)
    try feed("p", #"["4",null,"lv:r","live_redirect",{"to":"/\#(long)"}]"#)
    #expect(try client.get("/pages/p").json["url"].string?.utf8.count == 8_191)
  }

  @Test func `a join of a topic that cannot be a view is not listed`() throws {
    for topic in [String(repeating: "a", count: 1_000), "lv:<b>", "room:1/2"] {
      try feed("p", #"["4","4","\#(topic)","phx_join",{"url":"http://a/"}]"#)
      try feed("p", #"["4","4","\#(topic)","phx_reply",{"status":"error","response":{"reason":"no"}}]"#)
    }
    #expect(try views(of: "p").isEmpty)
    let reference = String(repeating: "7", count: 257)
    let answer = try client.post("/frames?page=p", #"["\#(reference)","1","lv:r","phx_join",{}]"#)
    #expect(answer.text.contains("a frame's join_ref must have at most 256 bytes"), "\(answer.text)")
  }

  @Test func `a join that is redirected leaves the view`() throws {
    try feed("p", #"["4","4","lv:r","phx_join",{"url":"http://a/in","params":{"_mounts":0}}]"#)
    try feed("p", #"["4","4","lv:r","phx_reply",{"status":"error","response":{"redirect":{"to":"/login"}}}]"#)
    #expect(try views(of: "p")["lv:r~p"]?["status"].string == "left")
    #expect(try client.get("/pages/p").json["url"].string == "http://a/login")
  }

  @Test func `the container of a join reply is listed`() throws {
    let reply =
      #"["4","4","lv:r","phx_reply",{"status":"ok","response":{"container":["article",{"class":"wide","tabindex":0}],"rendered":{"s":["x"]}}}]"#
    try feed("p", reply)
    let container = try client.get("/views/lv:r~p").json["container"]
    #expect(container["tag"].string == "article")
    #expect(container["attributes"]["class"].string == "wide")
    #expect(container["attributes"]["tabindex"].string == "0")
  }

  // MARK: - The end

  @Test func `a page that closes closes its views, which stay readable`() throws {
    try feed("p", Self.join("lv:r", url: "http://a/"))
    #expect(try client.send(.delete, "/pages/p", "").status == 204)
    #expect(try client.send(.delete, "/pages/p", "").status == 204)
    #expect(try client.get("/pages/p").json["closed_at"].string != nil)
    #expect(try client.get("/views/lv:r~p").json["status"].string == "closed")
    #expect(try client.get("/views/lv:r~p/html").status == 200)
    // The last frames of a page may arrive after its end.
    #expect(try feed("p", #"["4",null,"lv:r","diff",{}]"#).json["applied"].int == 1)
    #expect(try client.get("/views/lv:r~p").json["status"].string == "closed")
    _ = try client.post("/pages/p", "{}")
    #expect(try client.get("/views/lv:r~p").json["status"].string == "joined")
  }

  @Test func `an announcement can close its page`() throws {
    try feed("p", Self.join("lv:r"))
    #expect(try client.post("/pages/p", #"{"closed":true}"#).json["closed_at"].string != nil)
    #expect(try client.get("/views/lv:r~p").json["status"].string == "closed")
    #expect(try client.post("/pages/empty", #"{"closed":true}"#).status == 204)
  }

  @Test func `the views of closed pages are evicted first`() throws {
    let client = try Client(limits: MirrorLimits(views: 2))
    _ = try client.post("/frames?page=old", Self.join("lv:r"))
    _ = try client.post("/frames?page=ended", Self.join("lv:r"))
    _ = try client.send(.delete, "/pages/ended", "")
    _ = try client.post("/frames?page=new", Self.join("lv:r"))
    #expect(Set(client.views.all.map(\.id)) == ["lv:r~old", "lv:r~new"])
    // A closed page is forgotten with its last view.
    #expect(try client.get("/pages").json["pages"].array.map(\.["page"].string) == ["old", "new"])
  }

  @Test func `a mirror keeps twice as many pages as views, and forgets those without views first`() throws {
    let client = try Client(limits: MirrorLimits(views: 2))
    _ = try client.post("/frames?page=a", Self.join("lv:r"))
    for page in ["b", "c", "d", "e"] { _ = try client.post("/pages/\(page)", "{}") }
    #expect(Set(try client.get("/pages").json["pages"].array.map(\.["page"].string)) == ["a", "c", "d", "e"])
  }
}
