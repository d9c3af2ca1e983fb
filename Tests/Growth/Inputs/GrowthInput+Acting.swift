import LiveViewMirror
import MirrorAnalysis
import MarkupDocument
import MirrorSupport
import RenderedTree

extension GrowthInput {
  /// Actions on elements, and events beside password fields.
  static var acting: [GrowthInput] {
    [
      .acting("acting/controls below many elements", size: 500, "form") { n in
        let (open, close) = (repeated("<div>", 400), repeated("</div>", 400))
        return "<form phx-submit='x'>\(open)\(repeated("<input name='a'>", n))\(close)</form>"
      },
      .acting("acting/options below many elements", size: 500, "form") { n in
        let (open, close) = (repeated("<div>", 400), repeated("</div>", 400))
        return "<form phx-submit='x'><select name='a'>\(open)\(repeated("<option>", n))\(close)</select></form>"
      },
      .acting("acting/a legend behind many elements", size: 500, "form") { n in
        let legend = "<legend>\(repeated("<input name='a'>", n))</legend>"
        return "<form phx-submit='x'><fieldset disabled>\(repeated("<p></p>", n))\(legend)</fieldset></form>"
      },
      .acting("acting/controls of a form with an id that many have", size: 250, "form") { n in
        let forms = "<form phx-submit='x' id='f'></form>" + repeated("<p id='f'></p>", n)
        return forms + repeated("<input name='a' form='f'>", n)
      },
      .acting(
        "acting/a change that names many other fields", size: 250, "form", .change,
        value: { n in (0..<n).map { #""u\#($0)":"""# }.joined(separator: ",") },
        markup: { n in "<form phx-change='x'>\((0..<n).map { "<input name='f\($0)'>" }.joined())</form>" }),
      .acting(
        "acting/an unknown field beside many", size: 1_000, "form", value: { _ in #""zz":"""# },
        markup: { n in "<form phx-submit='x'>\((0..<n).map { "<input name='f\($0)'>" }.joined())</form>" }),
      // The tests of a selector and the words of a class.
      .work("acting/equal tests of a long class", "select", size: 50) { n in
        let document = document("<p class='\(repeated("b ", 500 * n))a'></p>")
        let selector = Selector(repeated(".a", n))
        return { _ = selector.map { document.allNodes(matching: $0) } }
      },
      .work("acting/events beside a long binding", "frames", size: 4_000) { n in
        let views = LiveViews(options: UpdateOptions().withAnalyses)
        let frames = (0..<n / 50).map { #"["4","\#($0)","lv:a","event",{"type":"click","event":"e","value":{"a":1}}]"# }
        let binding = repeated("x", n)
        _ = try views.receive(
          frames: Array(
            #"["4","4","lv:a","phx_reply",{"status":"ok","response":{"rendered":{"s":["<input type=password phx-focus=\#(binding)>"]}}}]"#
              .utf8), dialect: .html)
        let body = Array(frames.joined(separator: "\n").utf8)
        return { _ = try views.receive(frames: body, dialect: .html) }
      },
    ]
  }

  /// The usual action, or another one, on the first element that a selector matches.
  ///
  /// - Parameter value: the members of what the person enters.
  private static func acting(
    _ name: String, size: Int, _ selector: String, _ kind: NodeAction.Kind? = nil,
    value: @escaping (Int) -> String = { _ in "" }, markup: @escaping (Int) -> String
  ) -> GrowthInput {
    .work(name, "act", size: size) { n in
      let views = LiveViews(options: UpdateOptions().withAnalyses)
      let rendered: MirrorSupport.JSON = ["s": .array([.string(markup(n))])]
      _ = try views.mount("main", Array(rendered.encoded.utf8), dialect: .html)
      let node = Selector(selector).flatMap { views["main"]?.document?.node(matching: $0) }
      var action = NodeAction(on: node ?? NodeRef(epoch: 1, number: 2), kind)
      action.value = MirrorSupport.JSON(parsing: "{\(value(n))}")?.members ?? action.value
      return { [action] in _ = try? views.plan(action, of: "main") }
    }
  }

  private static func document(_ markup: String) -> Document {
    Document.mounting(Page(parsing: Array(markup.utf8), dialect: .html), dialect: .html, epoch: 1).document
  }
}
