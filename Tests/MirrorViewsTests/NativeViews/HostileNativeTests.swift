import MarkupDocument
import MirrorViews
import NodeObservation
import Testing

/// The page drawn from any native markup executes no code.
@Suite struct HostileNativeTests {
  private static let payloads = [
    "<script>alert(1)</script>", "\"><script>alert(1)</script>", "'><img src=x onerror=alert(1)>",
    "\" onmouseover=\"alert(1)", "' onfocus='alert(1)' autofocus='", "javascript:alert(1)", " javascript:alert(1)",
    "java\tscript:alert(1)", "\u{1}javascript:alert(1)", "JAVASCRIPT:alert(1)", "vbscript:x",
    "data:text/html,<script>alert(1)</script>", "data:image/svg+xml,<svg onload=alert(1)>",
    "</textarea><script>x</script>",
    "</title></style><script>x</script>", "--><script>x</script>", "<!--", "]]><svg onload=alert(1)>",
    "x;background:url(javascript:alert(1))", "expression(alert(1))", "8px;position:fixed", "1e999", "-0", "nan",
    "\u{0}",
    "<svg><script>x</script></svg>", "<math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>",
    "&lt;script&gt;", "&#60;script&#62;", "{{constructor}}", "`${alert(1)}`", "\u{2028}",
  ]

  /// Every attribute that a native view reads, and attributes that a browser would interpret.
  private static let attributes = [
    "id", "class", "style", "alignment", "spacing", "title", "verbatim", "markdown", "date", "font", "destination",
    "url", "alt", "name", "systemName", "systemImage", "text", "value", "prompt", "placeholder", "selection", "tag",
    "lowerBound", "upperBound", "min", "max", "step", "total", "role", "columns", "rows", "axes", "minLength",
    "template", "fill",
    "phx-click", "phx-change", "phx-value-onload", "phx-target", "phx-hook", "href", "src", "srcdoc", "action",
    "formaction", "onclick", "onerror", "onload", "autofocus", "is", "xlink:href", "data-x", "tabindex",
    "contenteditable",
  ]

  private static func escaped(_ text: String) -> String {
    text.reduce(into: "") { result, character in
      switch character {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      default: result.append(character)
      }
    }
  }

  /// The tags that a drawn page may contain, and the permitted values of each attribute.
  private func expectHarmless(_ page: NativePage, _ what: String) {
    let markup = page.markup
    let tree = NativePage.parse(markup)
    #expect(tree.markup(dialect: .html) == markup, "\(what)")
    for element in tree.preorder().compactMap({ tree[$0].element }) {
      #expect(Self.tags.contains(element.tag), "\(what)")
      for attribute in element.attributes {
        #expect(Self.names.contains(attribute.name), "\(what): \(attribute.name)")
        switch attribute.name {
        case "href", "src":
          let isData = attribute.name == "src" && attribute.value.lowercased().hasPrefix("data:image/")
          let scheme = attribute.value.prefix { !"/?#".contains($0) }
          let isWeb =
            !scheme.contains(":") || ["http:", "https:"].contains { attribute.value.lowercased().hasPrefix($0) }
          #expect(isData || isWeb, "\(what): \(attribute.value)")
        case "style":
          let letters = Set("abcdefghijklmnopqrstuvwxyz0123456789.:;-,()")
          #expect(attribute.value.allSatisfy(letters.contains) && !attribute.value.contains("url"), "\(what)")
        case "class":
          #expect(attribute.value.allSatisfy { $0.isLetter || $0.isNumber || $0 == "-" || $0 == " " }, "\(what)")
        default: break
        }
      }
    }
  }

  private static let tags: Set<String> = [
    "div", "span", "section", "label", "output", "details", "summary", "a", "img", "input", "textarea", "hr",
    "progress", "meter",
  ]
  private static let names: Set<String> = [
    "id", "class", "style", "role", "title", "href", "src", "referrerpolicy", "alt", "type", "name", "min", "max",
    "step", "value", "placeholder", "checked", "disabled", "aria-disabled", "aria-label", "aria-selected",
    "data-mirror-choice", "readonly",
    "open", "tabindex",
    "data-phx-click", "data-phx-change", "data-phx-submit", "data-phx-focus", "data-phx-blur", "data-phx-target",
    "data-phx-debounce", "data-phx-throttle", "data-phx-update", "data-phx-values",
  ]

  @Test(arguments: payloads)
  func `no text or attribute of any element can run code`(payload: String) {
    let text = Self.escaped(payload)
    let attributes = Self.attributes.map { "\($0)=\"\(text)\"" }.joined(separator: " ")
    for tag in ViewRegistry.native.tags + ["script", "style", "iframe", "svg", "x-y", "plaintext"] {
      expectHarmless(
        NativePage("<\(tag) \(attributes)>\(text)<Text \(attributes)>\(text)</Text></\(tag)>"), "<\(tag)> \(payload)")
    }
  }

  @Test(arguments: payloads)
  func `markup with executable content runs no code`(payload: String) {
    expectHarmless(NativePage("<VStack>\(payload)<Text verbatim=\(payload)>\(payload)</Text></VStack>"), payload)
  }

  @Test func `names of unknown tags and attributes are never written as names in the markup`() {
    let page = NativePage(#"<Script Onclick="a" onclick="b"><IMG SRC="x" ONERROR="c"></IMG></Script>"#)
    #expect(
      page.markup == """
        <div class="unknown"><span class="unknown-name">Script</span>\
        <div class="unknown"><span class="unknown-name">IMG</span></div></div>
        """)
  }

  @Test func `a deep native page is drawn`() {
    let depth = 2_000
    let page = NativePage(
      String(repeating: "<VStack>", count: depth) + "x" + String(repeating: "</VStack>", count: depth))
    #expect(
      page.markup
        == String(repeating: #"<div class="vstack">"#, count: depth) + "x"
        + String(repeating: "</div>", count: depth))
  }
}
