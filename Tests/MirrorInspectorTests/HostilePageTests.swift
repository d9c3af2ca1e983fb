import LiveViewMirror
import MarkupDocument
import MicroHTTP
import MirrorSupport
import MirrorViews
import RenderedTree
import Testing

@testable import MirrorInspector

/// Pages of views with hostile text in every field that a LiveView controls. The tests parse the
/// pages as a browser does.
@Suite struct HostilePageTests {
  static let payloads = [
    "<pwn>", "</code></pre><pwn onload=pwn>", "\"><pwn>", "' pwn='", "\" pwn=\"x", "--><pwn>", "]]><pwn>",
    "&lt;pwn&gt;",
    "</title><pwn>", "<script>pwn()</script>", "<!--", "<![CDATA[", "<svg><style><pwn>", "javascript:pwn()",
    "\u{202E}nwp\u{2066}", "\u{0}<pwn\u{0}>", "\r\n\r\n<pwn>", "pwn\u{85}\u{2028}\u{FEFF}", "\u{E0041}pwn\u{200B}",
    "<textarea><pwn>", "</summary></details></ul><pwn>", String(repeating: "\"'><pwn>", count: 200),
  ]

  @Test(arguments: payloads)
  func `no field that a LiveView controls can add an element, an attribute or an address`(payload: String) throws {
    let view = try Self.view(saying: payload)
    let nodes = view.document.nodes(from: view.document.root).map { Int($0.number) }
    let unknown = nodes.count + 1
    for version in 0...view.version {
      for node in [nil, unknown] + (version == 1 ? nodes.map(Optional.some) : []) {
        try Self.check(
          view.page(.init(version: version, node: node, find: payload, filter: payload, after: payload)),
          saying: payload)
      }
    }
    for tab in ViewPage.Tab.allCases { try Self.check(view.page(.init(tab: tab)), saying: payload) }
    for content in ViewPage.Content.allCases { try Self.check(view.page(.init(show: content)), saying: payload) }
    try Self.check(ProblemPage(status: 404, title: payload, detail: payload).html, saying: payload)
  }

  @Test(arguments: payloads)
  func `nothing that a feed says about its pages and views can add an element to the index`(payload: String) throws {
    let (client, word) = (try Client(), JSONSyntax.quoted(payload))
    func post(_ target: String, _ body: String) throws {
      let status = try client.post(target, body).status
      #expect(status < 300 || payload.contains("\0"), "\(target): \(status)")
    }
    try post("/pages/p", #"{"url":\#(word),"title":\#(word),"user_agent":\#(word)}"#)
    let rendered =
      #"{"s":[\#(JSONSyntax.quoted("<!-- <Pwn.\(payload).render> a:1 (b) --><p id='kid'></p>"))],"t":\#(word)}"#
    let url = JSONSyntax.quoted("http://\(payload)/\(payload)")
    try post(
      "/frames?page=p",
      """
      ["4","4","lv:r","phx_join",{"url":\(url),"params":{"_mounts":0}}]
      ["4","4","lv:r","phx_reply",{"status":"ok","response":{"rendered":\(rendered)}}]
      ["5","5","lv:kid","phx_join",{"params":{"_mounts":0}}]
      ["5","5","lv:kid","phx_reply",{"status":"error","response":{"reason":\(word)}}]
      """)
    try post("/frames", #"["4",null,\#(word),"diff",{\#(word):1}]"#)
    let found = payload.utf8.map { byte in
      let digits = String(byte, radix: 16)
      return "%" + (digits.count < 2 ? "0" : "") + digits
    }
    // A NUL in an address is refused.
    for target in ["/", "/?find=" + found.joined(), "/?find=lv:"] where !target.contains("%00") {
      let answer = try client.get(target, accept: "text/html")
      #expect(answer.status == 200)
      try Self.check(ParsedPage(answer.response.bytes), answer.text, saying: payload)
    }
  }

  @Test
  func `the payload is on the page as text`() throws {
    let view = try Self.view(saying: "\"><pwn>")
    let page = ParsedPage(try view.page(.init(version: 1, node: 2)))
    let places = page.text().split(separator: "<pwn>").count - 1
    // Text, attribute value, title, event, reply, rejection, diff: each at least once.
    #expect(places >= 7)
    #expect(page.text(of: try #require(page.elements("title").first?.place)) == "\"><pwn> (main) v1 · LiveView Mirror")
  }

  @Test
  func `the list of evaluated views contains the payload as text`() throws {
    let payload = "\"><pwn>"
    let page = ParsedPage(try Self.view(saying: payload).page(.init(version: 1)))
    let list = try #require(page.elements("ul", class: "evaluations").first)
    #expect(page.text(of: list.place).contains("<b#\(payload)>"), "\(page.text(of: list.place))")
  }

  @Test
  func `the check of these tests detects injected elements, attributes and addresses`() {
    for bad in ["<p><pwn></p>", "<p pwn>x</p>", "<a href=\"javascript:pwn()\">x</a>", "<p onclick=\"x\">x</p>"]
      as [HTML]
    {
      #expect(throws: BreakOut.self) { try Self.check(bad, saying: "") }
    }
  }

  // MARK: - Support

  struct BreakOut: Error, CustomStringConvertible { var description: String }

  /// A view with a mount, applied diffs and rejected ones. They have the payload wherever the
  /// format allows text: as text, name and value of an attribute, tag, id, comment, title, event,
  /// reply, and key.
  private static func view(saying payload: String) throws -> ViewState {
    func json(_ text: String) -> String { JSONSyntax.quoted(text) }
    func escaped(_ text: String) -> String {
      var text = text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing("\"", with: "&quot;")
      text = text.replacing("\u{0}", with: "&#1;")
      return text
    }
    let name = payload.filter { !" \t\n\r\u{0}/>=".contains($0) && !$0.isNewline }
    let markup = """
      <p id="\(escaped(payload))" title="\(escaped(payload))" x\(name)="1">\(escaped(payload))</p>\
      <x\(name) y>\(escaped(payload))</x\(name)><!-- \(payload.replacing(">", with: "")) -->\
      <p id="\(escaped(payload))">twice</p>
      """
    let rendered =
      #"{"s":[\#(json(markup + "<b id=\"\(escaped(payload))\" class=\"")),"\">",""],"0":"x","1":"y","t":\#(json(payload))}"#
    let diff = """
      {"0":\(json(escaped(payload))),"1":\(json(escaped(payload) + "<i>" + escaped(payload) + "</i>")),\
      "t":\(json(payload)),"e":[[\(json(payload)),{\(json(payload)):\(json(payload))}]],"r":{\(json(payload)):\(json(payload))}}
      """
    return try SampleView.mounted(
      rendered, diffs: [diff, #"{"1":"gone"}"#, #"{\#(json(payload)):1}"#, #"{"0":{"s":[],\#(json(payload)):{}}}"#],
      drawsPage: true)
  }

  private static func check(_ html: HTML, saying payload: String) throws {
    try check(ParsedPage(html), html.text, saying: payload)
  }

  private static func check(_ page: ParsedPage, _ text: String, saying payload: String) throws {
    for (_, element) in page.elements {
      guard tags.contains(element.tag) else { throw BreakOut(description: "<\(element.tag)> by \(payload)") }
      for attribute in element.attributes {
        guard attributes.contains(attribute.name) else {
          throw BreakOut(description: "\(attribute.name) of <\(element.tag)> by \(payload)")
        }
        if element.tag == "script" {
          guard ["module", "/assets/inspector/inspector.js", "/assets/inspector/views.js"].contains(attribute.value)
          else {
            throw BreakOut(description: "<script> by \(payload)")
          }
        }
        if attribute.name == "href" || attribute.name == "action" {
          let isOurs = ["/", "#", "?"].contains(attribute.value.prefix(1)) && !attribute.value.hasPrefix("//")
          guard isOurs else { throw BreakOut(description: "\(attribute.value) by \(payload)") }
        }
        if ["id", "class"].contains(attribute.name) {
          guard !attribute.value.contains("pwn") else { throw BreakOut(description: "\(attribute) by \(payload)") }
        }
      }
    }
    guard text.unicodeScalars.allSatisfy({ !$0.isUnseen || $0 == "\n" || $0 == "\t" }) else {
      throw BreakOut(description: "an unseen character by \(payload)")
    }
  }

  /// The tags that the templates of the pages use.
  private static let tags: Set<String> = [
    "meta", "title", "link", "a", "header", "main", "h1", "h2", "h3", "p", "code", "nav", "span", "dl", "div", "dt",
    "dd",
    "section", "dialog", "kbd", "ul", "ol", "li", "details", "summary", "i", "b", "bdi", "q", "ins", "del", "pre",
    "strong", "time",
    "table", "caption", "thead", "tbody", "tr", "th", "td", "svg", "rect", "g", "script",
    "form", "label", "input", "button", "h4", "iframe", "em", "figure", "figcaption", "path",
  ]
  private static let attributes: Set<String> = [
    "charset", "name", "content", "rel", "href", "type", "class", "id", "title", "aria-label", "aria-labelledby",
    "aria-current", "aria-hidden", "role", "tabindex", "open", "reversed", "datetime", "scope", "x", "y", "width",
    "height", "viewBox", "src", "data-live", "data-events", "data-event-id", "data-version", "data-own",
    "action", "method", "value", "placeholder", "autocomplete", "spellcheck", "maxlength", "min", "max", "for",
    "aria-level",
    "aria-selected", "aria-expanded", "data-node", "preserveAspectRatio", "sandbox", "referrerpolicy",
    "data-nodes", "data-slot", "data-code", "colspan", "aria-sort", "data-label", "loading", "d",
  ]
}
