import Foundation
import Testing

extension BrowserSuite {
  /// The page of a mirrored LiveView: what a person does in its frame reaches the carrier, and the
  /// answer patches it in place.
  @Suite struct ActingPageTests {
    private let mirror: Mirror
    private let browser: Chromium
    /// A page that is the carrier: it answers each event with a diff, as a LiveView would.
    private let carrier: Tab
    private let tab: Tab

    private static let markup = [
      "<main><button id='inc' phx-click='inc'>+</button> <output>",
      "</output><form id='f' phx-change='validate' phx-submit='save'><input id='name' name='user[name]' value='",
      "'><input id='pass' type='password' name='user[password]'><input id='ok' type='checkbox' name='ok'><button id='save'>save</button></form>"
        + "<details id='more'><summary>more</summary>text</details><a id='away' href='https://example.com/'>away</a>"
        + "<ul>", "</ul><input id='free'></main>",
    ]

    init() throws {
      mirror = try Mirror()
      let list: [String: Any] = [
        "s": ["<li id='", "'>", "</li>"], "k": ["0": ["0": "a", "1": "a"], "1": ["0": "b", "1": "b"], "kc": 2],
      ]
      let rendered: [String: Any] = ["s": Self.markup, "0": "0", "1": "", "2": list]
      let join: [Any] = [
        "1", "1", "lv:r", "phx_reply", ["status": "ok", "response": ["rendered": rendered]] as [String: Any],
      ]
      let body = try JSONSerialization.data(withJSONObject: join)
      #expect(try mirror.post("/frames?page=p", String(decoding: body, as: UTF8.self)).status == 200)
      browser = try Chromium()
      carrier = try Tab(browser)
      try carrier.open(mirror.address + "/views")
      _ = try carrier.evaluate(Self.carrierScript)
      tab = try Tab(browser)
      try tab.open(mirror.address + "/views/lv:r~p/page")
      #expect(try tab.wait(until: "\(Tab.frame)?.body?.querySelector('main')"))
      #expect(try tab.wait(until: "document.querySelector('.stream .state')?.textContent === 'Live'"))
    }

    private static let carrierScript = """
      window.pushes = [];
      window.count = 0;
      window.joinRef = "1";
      const answer = ({ payload }) => {
        if (payload.event === "inc") return { 0: String(++count) };
        if (payload.event === "swap") return { 2: { k: { 0: 1, 1: 0, kc: 2, km: true } } };
        const name = new URLSearchParams(payload.value).get("user[name]") ?? "";
        return { 0: payload.event + " " + name, 1: name };
      };
      (async () => {
        const { body } = await fetch("/pages/p/pushes");
        const reader = body.pipeThrough(new TextDecoderStream()).getReader();
        for (let text = "", ref = 10; ; ) {
          const { value, done } = await reader.read();
          if (done) break;
          const events = (text + value).split("\\n\\n");
          text = events.pop();
          for (const data of events.map((event) => /^data: (.*)$/m.exec(event)).filter(Boolean)) {
            const push = JSON.parse(data[1]);
            pushes.push(push);
            ref += 1;
            const reply = { status: "ok", response: { diff: answer(push) } };
            const frames = [[joinRef, String(ref), push.topic, push.event, push.payload], [joinRef, String(ref), push.topic, "phx_reply", reply]];
            await fetch("/frames?page=p", { method: "POST", body: frames.map((frame) => JSON.stringify(frame)).join("\\n") });
          }
        }
      })();
      0
      """

    private func inFrame(_ expression: String) throws -> Received { try tab.evaluate(inFrame: expression) }
    private func waits(_ condition: String) throws -> Bool { try tab.wait(untilInFrame: condition) }
    private func click(_ selector: String) throws { try tab.click(inFrame: selector) }

    private func type(_ text: String) throws {
      for character in text { _ = try tab.call("Input.dispatchKeyEvent", ["type": "char", "text": String(character)]) }
    }

    private var pushes: [Received] { get throws { try carrier.evaluate("window.pushes").array } }

    @Test func `a click reaches the carrier, and its answer is shown in place`() throws {
      _ = try inFrame("page.querySelector('#inc').mark = 'same'")
      try click("#inc")
      #expect(try waits("page.querySelector('output').textContent === '1'"))
      #expect(try inFrame("page.querySelector('#inc').mark").string == "same")
      #expect(
        try tab.wait(
          until: "document.querySelector('.acted').textContent === 'click <button#inc> → version 1, 1 change'"))
      #expect(try pushes.first?["payload"]["event"].string == "inc")
      // Chromium gives advice about password fields.
      #expect(tab.complaints.filter { !$0.hasPrefix("[DOM]") } == [])
    }

    @Test func `typing keeps the focus, the text and the caret while the page changes`() throws {
      try click("#name")
      try type("Ada")
      #expect(try waits("page.querySelector('output').textContent === 'validate Ada'"))
      #expect(
        try inFrame("page.activeElement.id + ' ' + page.activeElement.value + ' ' + page.activeElement.selectionStart")
          .string == "name Ada 3")
      #expect(try pushes.last?["payload"]["meta"]["_target"].string == "user[name]")
      #expect(
        try pushes.last?["payload"]["value"].string
          == "user%5Bname%5D=Ada&user%5B_unused_password%5D=&user%5Bpassword%5D=")
      // The Enter key submits the form with its button.
      _ = try tab.call(
        "Input.dispatchKeyEvent",
        ["type": "keyDown", "key": "Enter", "code": "Enter", "windowsVirtualKeyCode": 13, "text": "\r"])
      #expect(try waits("page.querySelector('output').textContent === 'save Ada'"))
      #expect(try pushes.last?["payload"]["event"].string == "save")
    }

    @Test func `what is typed into a password field reaches the carrier and is stored nowhere`() throws {
      try click("#pass")
      try type("hunter2")
      #expect(try carrier.wait(until: "pushes.some(push => push.payload.value.includes('hunter2'))"))
      #expect(try waits("page.querySelector('output').textContent.startsWith('validate')"))
      for path in ["log?limit=1000", "export", "html", "tree", "page?frame", "rendered", ""] {
        #expect(try !mirror.get("/views/lv:r~p/\(path)").body.contains("hunter2"), "\(path)")
      }
      #expect(try !mirror.get("/metrics").body.contains("hunter2"))
    }

    @Test func `a check box, opened details and typed text without a binding stay as they are`() throws {
      try click("#more summary")
      try click("#free")
      try type("mine")
      try click("#ok")
      #expect(try waits("page.querySelector('output').textContent.startsWith('validate')"))
      #expect(try pushes.last?["payload"]["value"].string?.hasSuffix("&ok=on") == true)
      try click("#inc")
      #expect(try waits("page.querySelector('output').textContent === '1'"))
      #expect(
        try inFrame(
          "page.querySelector('#more').open && page.querySelector('#free').value === 'mine' && page.querySelector('#ok').checked"
        ).bool == true)
    }

    @Test func `moved elements stay the same elements`() throws {
      _ = try inFrame("page.querySelector('#a').mark = 'a'")
      try mirror.post("/views/lv:r~p/push?wait=5", #"{"event":"swap"}"#)
      #expect(try waits("[...page.querySelectorAll('li')].map(item => item.id).join() === 'b,a'"))
      #expect(try inFrame("page.querySelector('#a').mark").string == "a")
    }

    @Test func `a link leads nowhere, and an action without a binding says so`() throws {
      try click("#away")
      #expect(
        try tab.wait(
          until:
            "document.querySelector('.acted').textContent === '<a#away> is not a link of LiveView, so the mirror does not open it'"
        ))
      #expect(try tab.evaluate("document.querySelector('.acted').dataset.kind").string == "done")
      #expect(try inFrame("page.querySelector('main') !== null").bool == true)
      #expect(try pushes.isEmpty)
    }

    @Test func `selection and scroll positions survive, and each update is a patch and no document`() throws {
      try click("#name")
      try type("Ada")
      #expect(try waits("page.querySelector('output').textContent === 'validate Ada'"))
      _ = try inFrame(
        "(() => { page.querySelector('main').style.height = '5000px'; page.scrollingElement.scrollTop = 120; page.activeElement.setSelectionRange(1, 2) })()"
      )
      for count in 1...3 {
        try mirror.post("/views/lv:r~p/push?wait=5", #"{"event":"inc"}"#)
        #expect(try waits("page.querySelector('output').textContent === '\(count)'"))
      }
      #expect(
        try inFrame(
          "[page.scrollingElement.scrollTop, page.activeElement.id, page.activeElement.selectionStart, page.activeElement.selectionEnd].join()"
        ).string == "120,name,1,2")
      #expect(try fetched("/page/patch") > 0)
      #expect(try fetched("/page?frame") == 0)
    }

    /// The requests of the page's script whose address contains a text.
    private func fetched(_ text: String) throws -> Int {
      try Int(
        tab.evaluate(
          "performance.getEntriesByType('resource').filter(e => e.initiatorType === 'fetch' && e.name.includes('\(text)')).length"
        ).double ?? -1)
    }

    @Test func `after a mount, the whole new document is shown`() throws {
      let rendered = #"{"s":["<main><i>new</i> ","</main>"],"0":"0"}"#
      let join = #"["2","2","lv:r","phx_reply",{"status":"ok","response":{"rendered":\#(rendered)}}]"#
      #expect(try mirror.post("/frames?page=p", join).status == 200)
      #expect(try waits("page.querySelector('i')?.textContent === 'new' && page.body.dataset.mirrorEpoch === '2'"))
      #expect(try mirror.post("/frames?page=p", #"["2",null,"lv:r","diff",{"0":"7"}]"#).status == 200)
      #expect(try waits("page.querySelector('main').textContent === 'new 7'"))
    }

    /// A form and a document have their named elements as properties. With a field named
    /// `hasAttribute`, LiveView's own client stops.
    @Test func `names of elements hide nothing from the page`() throws {
      let markup = [
        "<img name='body'><form name='importNode'></form><form name='addEventListener'></form><form id='g' phx-change='validate' phx-submit='save'>"
          + "<input id='name' name='user[name]'><input name='attributes'><input name='elements'><input name='id'>"
          + "<input name='closest'><input name='document'></form><button id='inc' phx-click='inc'>+</button><output>",
        "</output><i>", "</i><svg><a id='svg' xlink:href='?frame=1&version=0'><text>x</text></a></svg>",
      ]
      try show(markup)
      try click("#inc")
      #expect(try waits("page.querySelector('output').textContent === '1'"))
      #expect(try tab.wait(until: "document.querySelector('.acted').textContent.startsWith('click <button#inc> → ')"))
      try click("#name")
      try type("A")
      #expect(try waits("page.querySelector('output').textContent === 'validate A'"))
      for (event, selector) in [("auxclick", "#svg"), ("click", "#svg")] {
        let isKept =
          "page.querySelector('\(selector)').dispatchEvent(new MouseEvent('\(event)', {bubbles: true, cancelable: true}))"
        #expect(try inFrame(isKept).bool == false, "\(event)")
      }
    }

    @Test func `a reset form and the focus of the window are reported`() throws {
      try show([
        "<form phx-change='validate'><input id='name' name='user[name]' value='old'><button id='reset' type='reset'>x</button></form>"
          + "<i phx-window-blur='left' phx-window-focus='back'></i><output>", "</output><u>", "</u>",
      ])
      try click("#name")
      try type("er")
      #expect(try waits("page.querySelector('output').textContent === 'validate older'"))
      try click("#reset")
      #expect(try waits("page.querySelector('output').textContent === 'validate old'"))
      _ = try tab.evaluate("document.querySelector('a').focus()")
      #expect(try tab.wait(until: "document.querySelector('.acted').textContent.startsWith('window-blur <body> → ')"))
      #expect(try pushes.map { $0["payload"]["event"].string } == ["back", "validate", "validate", "validate", "left"])
    }

    /// Replaces the page by another one with two dynamics: the answer of the carrier, and the name
    /// that was sent.
    private func show(_ markup: [String]) throws {
      let rendered: [String: Any] = ["s": markup, "0": "0", "1": ""]
      let join: [Any] = [
        "2", "2", "lv:r", "phx_reply", ["status": "ok", "response": ["rendered": rendered]] as [String: Any],
      ]
      let body = try JSONSerialization.data(withJSONObject: join)
      #expect(try mirror.post("/frames?page=p", String(decoding: body, as: UTF8.self)).status == 200)
      _ = try carrier.evaluate("joinRef = '2'")
      try tab.open(mirror.address + "/views/lv:r~p/page")
      #expect(try tab.wait(until: "document.querySelector('.stream .state')?.textContent === 'Live'"))
    }

    @Test func `without a carrier, the page says how to get one`() throws {
      carrier.close()
      #expect(
        try tab.wait(for: 60) { (try? mirror.get("/pages/p").body.contains("\"carrier_connected\":false")) == true })
      try click("#inc")
      #expect(try tab.wait(until: "document.querySelector('.acted').textContent.includes('No carrier is connected')"))
    }
  }
}
