import Foundation
import LiveViewMirror
import MarkupDocument
import MirrorAnalysis
import RecordingFixtures
import RenderedTree
import Testing

@testable import MirrorInspector

/// The expression that wrote a slot, in templates and the Rendered that LiveView makes of them.
@Suite struct TemplateMatchTests {
  static let folder = Fixtures.root.appending(path: "Tests/Fixtures/templates")

  /// The tree of `cart.json` or `page.json`.
  static func rendered(_ name: String, _ change: (String) -> String = { $0 }) throws -> Rendered {
    let text = try String(contentsOf: folder.appending(path: "\(name).json"), encoding: .utf8)
    let view = LiveViewCoordinator(id: "main", options: UpdateOptions().withAnalyses)
    try view.mount(Array(change(text).utf8), dialect: .html)
    return try #require(view.view?.rendered)
  }

  static func file(_ path: String, _ change: (String) -> String = { $0 }) throws -> TemplateFile {
    let text = try String(contentsOf: folder.appending(path: path), encoding: .utf8)
    return TemplateFile(bytes: Array(change(text).utf8), modified: 0, isHEEx: path.hasSuffix(".heex"))
  }

  /// `38 {@name}`; `nil` if nothing is found.
  static func found(_ slot: String, of rendered: Rendered, in file: TemplateFile) -> String? {
    guard let path = rendered.templates(ofSlot: slot),
      let code = file.template(around: path.location.line)?.code(of: path)
    else { return nil }
    return "\(file.lineNumber(of: code.lowerBound)) \(String(decoding: file.bytes[code], as: UTF8.self))"
  }

  private static let cart = "lib/shop_web/live/cart.ex"

  /// The slots of `cart.json`, with their line and expression.
  static let expressions: KeyValuePairs<String, String?> = [
    "0": "27 data-total={@total}",
    "1": "28 {@name}",
    "2": "28 {length(@items)}",
    "3": #"28 {if length(@items) == 1, do: "", else: "s"}"#,
    "4": "30 :if={@total > 100}",
    "4.0": ##"33 {"#{100}"}"##,
    "5": "39 :for={item <- @items}",
    "5.k.kc": "39 :for={item <- @items}",
    "5.k.1": "39 :for={item <- @items}",
    "5.k.0.0.0": #"16 class={["row", "wide", @class]}"#,
    "5.k.0.0.1": "16 id={@id}",
    "5.k.1.0.2": "16 style={@style}",
    "5.k.1.0.3": "17 #{@name}",
    "5.k.1.0.4": "17 #{@price}",
    "5.k.1.0.5": "17 {@name}",
    "5.k.1.0.6": "17 {@price}",
    "6": "42 :for={{item, index} <- Enum.with_index(@items)}",
    "6.k.0.0": "42 data-index={index}",
    "6.k.0.1": "42 {index}",
    "6.k.1.2": "42 {item.name}",
    "7": "44 <%= if @coupon do %>",
    "7.0": "47 {@name}",
    "8.k.1.0": "50 {item.name}",
    "8.k.1.1": "50 <%= item.price %>",
    "9": #"52 <.card id="sum" kind={if @total > 100, do: "big"} rest={%{title: "t"}}>"#,
    "9.4.0": "53 {@total}",
    "9.5.0.0": "55 {@name}",
    "10": "58 {@a}",
    "11": "58 {@b}",
    "12": "60 <%= @total %>",
    "13": "62 <%= @name %>",
    "14": "63 #{@name}",
    "15": "63 hidden={false}",
    "16": "63 {@name}",
    // `"card-" <> @id` is not read, so nothing of this component is claimed.
    "9.0": nil, "9.2": nil, "9.4": nil, "9.5.0": nil,
    // Names of slots that the page does not have.
    "": nil, "17": nil, "-1": nil, "x": nil, "1.0": nil, "9.9.9": nil, "5.k.0.0.9": nil, "c.1.0": nil,
  ]

  @Test func `an expression is found where the texts are those of the Rendered`() throws {
    let (rendered, file) = (try Self.rendered("cart"), try Self.file(Self.cart))
    for (slot, expected) in Self.expressions {
      #expect(Self.found(slot, of: rendered, in: file) == expected, "slot \(slot)")
    }
  }

  @Test func `LiveView 1.0 writes no lines of elements`() throws {
    let rendered = try Self.rendered("cart") { $0.replacing(#/ data-phx-loc=\\"[0-9]+\\"/#, with: "") }
    let file = try Self.file(Self.cart)
    for (slot, expected) in Self.expressions {
      #expect(Self.found(slot, of: rendered, in: file) == expected, "slot \(slot)")
    }
  }

  @Test func `a whole file is one template`() throws {
    let (rendered, file) = (try Self.rendered("page"), try Self.file("lib/shop_web/live/page.html.heex"))
    let found = ["0", "0.0", "0.1", "1"].map { Self.found($0, of: rendered, in: file) }
    #expect(found == ["2 :if={@notice}", "2 class={@kind}", "2 {@notice}", "5 {@name}"])
  }

  /// Changes after which the texts differ from those of the Rendered, or the lines do.
  @Test(arguments: [
    ("Cart   of", "Basket of"), (#"class="cart""#, #"class="shop""#), ("<h1>", "<h2>"), ("</h1>", "{@x}</h1>"),
    ("{length(@items)} item", "item"), (#"<p>{@a}</p>"#, ""), ("    <!-- in the page", "\n    <!-- in the page"),
    (#"class="cart"   data-total={@total}"#, #"data-total={@total} class="cart""#),
    ("data-total={@total}", "data-total={\"#{@total}\"}"), ("data-total={@total}", "{[data: @total]}"),
    ("</main>", ""), ("<%= if @coupon do %>", "<%= if @coupon %>"), ("{length(@items)}", "{length(@items)"),
    ("{length(@items)}", #"{"}"}"#), ("<%= @total %>", "<%= @total"), ("{@b}</p>", "{@b}</main>"),
    ("~H\"\"\"", "~E\"\"\""),
    ("<ul>", "<ul phx-hook=\".Sort\">"), ("<main", "<!-- <A.b> x.ex:1 (a) --><main"),
  ])
  func `after a change of the file, nothing of the template is found`(text: String, other: String) throws {
    let rendered = try Self.rendered("cart")
    let file = try Self.file(Self.cart) { $0.replacing(text, with: other) }
    for slot in ["1", "2", "10", "16", "7.0", "4.0"] {
      #expect(Self.found(slot, of: rendered, in: file) == nil, "\(slot)")
    }
  }

  @Test func `a change elsewhere in the file does not matter if no line moves`() throws {
    let rendered = try Self.rendered("cart")
    let file = try Self.file(Self.cart) { $0.replacing("Cart   of", with: "Basket of") }
    #expect(Self.found("5.k.0.0.1", of: rendered, in: file) == "16 id={@id}")
    #expect(Self.found("9.4.0", of: rendered, in: file) == "53 {@total}")
  }

  @Test func `two blocks with the same texts are not distinguished`() throws {
    let text = #"{"s":["<!-- <A.b> a.ex:1 (a) --><p>","</p><!-- </A.b> -->"],"0":{"s":["<i>","</i>"],"0":"1"}}"#
    let rendered = try Self.rendered("cart") { _ in text }
    func file(_ markup: String) -> TemplateFile {
      TemplateFile(bytes: Array("~H\"\"\"\n\(markup)\n\"\"\"\n".utf8), modified: 0, isHEEx: false)
    }
    let same = file("<p><%= if @a do %><i>{@b}</i><% else %><i>{@c}</i><% end %></p>")
    #expect(Self.found("0.0", of: rendered, in: same) == nil)
    #expect(Self.found("0", of: rendered, in: same) == "2 <%= if @a do %>")
    let other = file("<p><%= if @a do %><i>{@b}</i><% else %><b>{@c}</b><% end %></p>")
    #expect(Self.found("0.0", of: rendered, in: other) == "2 {@b}")
    #expect(Self.found("0.0", of: rendered, in: file("<p>{if @a, do: ~H\"x\"}</p>")) == nil)
  }

  /// Expressions that contain quotes, braces and comments.
  @Test(arguments: [
    #"{%{"a" => "}{"}["a"]}"#, #"{'{}' ++ ~c"{}"}"#, "{{1, {2, 3}}}", "{\n # a comment with {braces}\n @a}",
    #"{"\}"}"#, "<%= \"{\" <> \"}}\" %>", "<%= fn_name(@a) # no end\n%>", #"{~s(a "quoted" {text})}"#,
    "<%= @a |> then(& &1) %>",
  ])
  func `an expression ends where LiveView ends it`(code: String) throws {
    let text = #"{"s":["<!-- <A.b> a.ex:1 (a) --><p>","</p><!-- </A.b> -->"],"0":"1"}"#
    let rendered = try Self.rendered("cart") { _ in text }
    let file = TemplateFile(bytes: Array("~H\"\"\"\n<p>\(code)</p>\n\"\"\"\n".utf8), modified: 0, isHEEx: false)
    #expect(Self.found("0", of: rendered, in: file) == "2 \(code)")
  }

  @Test func `hostile files end with no template`() {
    let deep = String(repeating: "<a>", count: 100_000)
    for text in [
      deep, "{", "<", "<%", "<%=", "<a b", "<a b=", "<a b=\"", "</a>", "<!--", "<script>", "<%!--", "<.", "<:x",
    ] {
      for isHEEx in [true, false] {
        let markup = isHEEx ? text : "~H\"\"\"\n\(text)\n\"\"\""
        let file = TemplateFile(bytes: Array(markup.utf8), modified: 0, isHEEx: isHEEx)
        #expect(file.template(around: 1) == nil, "\(text.prefix(20))")
      }
    }
    let empty = TemplateFile(bytes: [], modified: 0, isHEEx: false)
    for line in [-1, 0, 1, 2, .max] { #expect(empty.template(around: line) == nil && empty.annotated(line) == nil) }
  }
}
