import Foundation
import MirrorSupport
import ScriptedPhoenix
import Testing

@testable import LiveViewClient

/// What a page's session sends, without a network.
@Suite struct PageSessionTests {
  private struct Fixture {
    var session: PageSession
    var sent: [ChannelFrame] = []
    var events: [String] = []
    var others: [PageAction] = []

    init(
      _ markup: String, at url: String = "http://localhost:4000/home", options: ClientOptions = ClientOptions()
    ) throws {
      let page = FetchedPage(Array(markup.utf8), at: try #require(WebAddress(url)))
      session = PageSession(page, options: options, jitter: { 0 })
      take(session.start())
      take(session.didOpen())
    }

    mutating func take(_ actions: [PageAction]) {
      for action in actions {
        switch action {
        case .send(let text): if let frame = ChannelFrame(text: text) { sent.append(frame) }
        case .report(let event):
          switch event {
          case .frame, .updated: break
          default: events.append("\(event)".prefix { $0 != "(" }.description)
          }
        case .load, .fail: others.append(action)
        case .start(.reload, _): others.append(action)
        default: break
        }
      }
    }

    mutating func receive(_ frame: String) throws { take(try session.receive(Array(frame.utf8))) }

    /// Answers the last join of a topic.
    mutating func answer(_ topic: String, _ response: String, status: String = "ok") throws {
      let join = try #require(sent.last { $0.topic == topic && $0.event == "phx_join" })
      try receive(
        "[\"\(join.ref ?? "")\",\"\(join.ref ?? "")\",\"\(topic)\",\"phx_reply\",{\"status\":\"\(status)\",\"response\":\(response)}]"
      )
    }

    mutating func send(_ topic: String, _ event: String, _ payload: String) throws {
      let join = try #require(sent.last { $0.topic == topic && $0.event == "phx_join" })
      try receive("[\"\(join.ref ?? "")\",null,\"\(topic)\",\"\(event)\",\(payload)]")
    }

    mutating func fire(_ timer: PageTimer) { take(session.didFire(timer)) }

    /// The events of the sent frames, with their topics.
    var outline: [String] { sent.map { "\($0.event) \($0.topic)" } }

    func payload(_ index: Int) -> [String: Any] { sent[index].payload as? [String: Any] ?? [:] }
  }

  private static let main = RecordedPage.html(id: "phx-1")

  private static func rendered(_ content: String, _ more: String = "") -> String {
    "{\"rendered\":{\"0\":\(ChannelFrame.text(content)),\"s\":[\"\",\"\"]}\(more)}"
  }

  private static func child(_ id: String, of parent: String, session: String = "S") -> String {
    #"<div id="\#(id)" data-phx-session="\#(session)" data-phx-static="" data-phx-parent-id="\#(parent)"></div>"#
  }

  // MARK: - Joins

  @Test func `static files, cookies of the socket and parameters are part of the join`() throws {
    var options = ClientOptions()
    options.parameters = [("zone", "Europe/Bern")]
    let markup = Self.main.replacing(
      "</head>",
      with:
        #"<link phx-track-static href="/a.css"><script phx-track-static src="https://cdn.test/b.js"></script></head>"#)
    let it = try Fixture(markup, options: options)
    let parameters = try #require(it.payload(0)["params"] as? [String: Any])
    #expect(parameters["_track_static"] as? [String] == ["http://localhost:4000/a.css", "https://cdn.test/b.js"])
    #expect(parameters["zone"] as? String == "Europe/Bern")
    #expect(it.payload(0)["flash"] == nil)
  }

  @Test func `nested views are joined with the static tokens of the fetched page`() throws {
    let page = RecordedPage.html(
      id: "phx-1",
      content: Self.child("kid", of: "phx-1").replacing("data-phx-static=\"\"", with: "data-phx-static=\"KID\""))
    var it = try Fixture(page)
    #expect(it.outline == ["phx_join lv:phx-1"])
    try it.answer(
      "lv:phx-1", Self.rendered(Self.child("kid", of: "phx-1", session: "A") + Self.child("new", of: "phx-1")))
    #expect(it.outline.suffix(2) == ["phx_join lv:kid", "phx_join lv:new"])
    #expect(it.payload(1)["session"] as? String == "A")
    #expect(it.payload(1)["static"] as? String == "KID")
    #expect(it.payload(2)["static"] is NSNull)
    #expect(it.payload(1)["url"] == nil && it.payload(1)["redirect"] == nil)
    // A child of a child, then its removal: the inner view is left first.
    try it.answer("lv:kid", Self.rendered(Self.child("inner", of: "kid")))
    try it.answer("lv:inner", Self.rendered("x"))
    try it.send("lv:phx-1", "diff", #"{"0":""}"#)
    #expect(it.outline.suffix(3) == ["phx_leave lv:inner", "phx_leave lv:kid", "phx_leave lv:new"])
    // The element returns as a new one.
    try it.send("lv:phx-1", "diff", "{\"0\":\(ChannelFrame.text(Self.child("kid", of: "phx-1")))}")
    #expect(it.payload(it.sent.count - 1)["static"] is NSNull)
  }

  @Test func `views of a crashed parent are left and joined again after it`() throws {
    var it = try Fixture(Self.main)
    try it.answer("lv:phx-1", Self.rendered(Self.child("kid", of: "phx-1")))
    try it.answer("lv:kid", Self.rendered("x"))
    try it.send("lv:phx-1", "phx_error", "{}")
    #expect(it.outline.last == "phx_leave lv:kid")
    it.fire(.socket(.rejoin(channel: 1)))
    try it.answer("lv:phx-1", Self.rendered(Self.child("kid", of: "phx-1", session: "NEW")))
    let kid = it.payload(it.sent.count - 1)
    #expect(kid["session"] as? String == "NEW")
    // The first join of a child has the number of its parent's joins before the present one.
    #expect((kid["params"] as? [String: Any])?["_mounts"] as? Int == 1)
  }

  @Test(arguments: [("1.0.18", true), ("1.1.33", true), ("1.2.10", false)])
  func `a rejoin says that there is no flash as its version does`(version: String, hasNull: Bool) throws {
    var it = try Fixture(Self.main)
    try it.answer("lv:phx-1", Self.rendered("x", ",\"liveview_version\":\"\(version)\""))
    it.take(it.session.didClose(.lost))
    it.take(it.session.didOpen())
    #expect(it.outline == ["phx_join lv:phx-1", "phx_join lv:phx-1"])
    #expect((it.payload(1)["flash"] is NSNull) == hasNull)
    #expect(it.payload(1)["url"] as? String == "http://localhost:4000/home")
  }

  @Test func `a nested view is given up after three joins`() throws {
    var it = try Fixture(Self.main)
    try it.answer("lv:phx-1", Self.rendered(Self.child("kid", of: "phx-1")))
    for attempt in 0..<3 {
      let parameters = it.payload(it.sent.count - 1)["params"] as? [String: Any]
      #expect(parameters?["_mount_attempts"] as? Int == attempt)
      try it.answer("lv:kid", "{\"reason\":\"join crashed\"}", status: "error")
      it.fire(.socket(.rejoin(channel: 2)))
    }
    #expect(it.outline.filter { $0 == "phx_join lv:kid" }.count == 3)
    #expect(it.outline.last == "phx_leave lv:kid")
    #expect(it.events.suffix(2) == ["failed", "left"])
  }

  // MARK: - Navigation

  @Test func `live navigation leaves the view and joins its topic again, and sticky views stay`() throws {
    let sticky = #"<div id="player" data-phx-session="P" data-phx-static="PS" data-phx-sticky></div>"#
    var it = try Fixture(RecordedPage.html(id: "phx-1", content: sticky))
    #expect(it.outline == ["phx_join lv:phx-1", "phx_join lv:player"])
    #expect(it.payload(1)["sticky"] as? Bool == true)
    #expect(it.payload(1)["url"] == nil)
    try it.answer("lv:phx-1", Self.rendered(sticky, ",\"liveview_version\":\"1.1.0\""))
    try it.answer("lv:player", Self.rendered("music"))
    try it.send("lv:phx-1", "live_redirect", #"{"to":"/next?x=1","kind":"push","flash":"F"}"#)
    #expect(it.outline.suffix(2) == ["phx_leave lv:phx-1", "phx_join lv:phx-1"])
    let join = it.payload(3)
    #expect(join["redirect"] as? String == "http://localhost:4000/next?x=1")
    #expect(join["url"] == nil)
    #expect((join["flash"] as? String, join["static"] as? String) == ("F", "TOKEN"))
    #expect((join["params"] as? [String: Any])?["_live_referer"] as? String == "http://localhost:4000/home")
    #expect(it.session.location == "http://localhost:4000/home")
    try it.answer("lv:phx-1", Self.rendered(sticky))
    #expect(it.session.location == "http://localhost:4000/next?x=1")
    #expect(it.session.views.map(\.id) == ["phx-1", "player"])
    // The next page has no player.
    it.take(
      {
        it.session.navigate(to: "/other")
        return it.session.finish()
      }())
    try it.answer("lv:phx-1", Self.rendered("no music"))
    #expect(it.outline.last == "phx_leave lv:player")
  }

  @Test func `a patch link asks the server, which can answer with a redirect to another view`() throws {
    var it = try Fixture(Self.main)
    try it.answer("lv:phx-1", Self.rendered("x"))
    var (_, actions) = try it.session.push(
      "live_patch", #"{"url":"http://localhost:4000/home?tab=2"}"#, toView: "phx-1")
    it.take(actions)
    #expect(it.sent.last?.text == #"["4","8","lv:phx-1","live_patch",{"url":"http://localhost:4000/home?tab=2"}]"#)
    try it.receive(#"["4","8","lv:phx-1","phx_reply",{"status":"ok","response":{"diff":{"0":"y"}}}]"#)
    #expect(it.session.location == "http://localhost:4000/home?tab=2")
    (_, actions) = try it.session.push("live_patch", #"{"url":"http://localhost:4000/away"}"#, toView: "phx-1")
    it.take(actions)
    try it.receive(#"["4","9","lv:phx-1","phx_reply",{"status":"ok","response":{"link_redirect":true}}]"#)
    #expect(it.outline.suffix(2) == ["phx_leave lv:phx-1", "phx_join lv:phx-1"])
    #expect(it.payload(it.sent.count - 1)["redirect"] as? String == "http://localhost:4000/away")
  }

  @Test func `a redirect leaves all views and loads the page with the flash`() throws {
    var it = try Fixture(Self.main)
    try it.answer("lv:phx-1", Self.rendered(Self.child("kid", of: "phx-1")))
    try it.answer("lv:kid", Self.rendered("x"))
    try it.send("lv:kid", "redirect", #"{"to":"/login","flash":"F"}"#)
    #expect(it.outline.suffix(2) == ["phx_leave lv:kid", "phx_leave lv:phx-1"])
    guard case .load(let request) = it.others.first else { throw RecordedRun.TimedOut() }
    #expect(request == PageRequest("http://localhost:4000/login", because: .redirect, flash: "F"))
    #expect(request.cookie?.name == "__phoenix_flash__")
  }

  @Test func `components that were removed and have returned are not destroyed`() throws {
    var it = try Fixture(Self.main)
    let component = #"{"s":["<b>","</b>"],"0":"c","r":1}"#
    try it.answer("lv:phx-1", #"{"rendered":{"0":1,"s":["<p>","</p>"],"c":{"1":\#(component)}}}"#)
    try it.send("lv:phx-1", "diff", #"{"0":""}"#)
    #expect(it.sent.last?.text == #"["4","8","lv:phx-1","cids_will_destroy",{"cids":[1]}]"#)
    try it.send("lv:phx-1", "diff", #"{"0":1,"c":{"1":\#(component)}}"#)
    try it.receive(#"["4","8","lv:phx-1","phx_reply",{"status":"ok","response":{}}]"#)
    #expect(it.outline.last == "cids_will_destroy lv:phx-1")
  }

  @Test func `navigations that arrive during the delay of a loop count as one, and the last one is followed`() throws {
    var it = try Fixture(Self.main)
    try it.answer("lv:phx-1", Self.rendered("0"))
    for _ in 0..<NavigationWindow.maximum { _ = it.session.navigations.note(at: .now, jitter: 0) }
    for number in 1...500 {
      try it.send("lv:phx-1", "live_redirect", "{\"to\":\"/\(number)\",\"kind\":\"push\"}")
    }
    #expect(it.session.navigations.times.count == NavigationWindow.maximum + 1)
    #expect(it.events.count { $0 == "loading" } == 1)
    it.fire(.navigation)
    let join = try #require(it.sent.last { $0.event == "phx_join" })
    #expect((join.payload as? [String: Any])?["redirect"] as? String == "http://localhost:4000/500")
  }
}
