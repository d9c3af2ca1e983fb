import RecordingFixtures

extension RandomPage {
  mutating func text(_ kind: PageText) -> String {
    if isHostile(times: 2) {
      note("hostile string")
      return hostile(kind)
    }
    switch kind {
    case .content: return pick(Self.contents) + (random.one(in: 3) ? "\(random.below(30))" : "")
    case .raw: return pick(Self.raws)
    case .letters: return pick(["", "x = 1;", "a\nb", "\nline", ".a > .b {}", "1 < 2"])
    case .value: return pick(["", "on", "off", "a b", "&quot;", "&amp;x", "c\(random.below(5))", "/x?a=1&amp;b=2"])
    case .attributes:
      return pick(Self.attributes) + (profile.hostility > 0 && random.one(in: 8) ? pick(Self.attributes) : "")
    case .id: return id()
    case .idAttribute: return random.one(in: 4) ? "" : " id=\"\(id())\""
    case .containerID, .itemID: return uniqueID()
    case .rules, .updateRule, .selection: return ruleText(kind)
    }
  }

  /// Usually a new id.
  private mutating func id() -> String {
    if let id = takeFreeID() { return id }
    guard random.below(100) < profile.duplicateIDs else { return uniqueID() }
    note("id that may be a duplicate")
    return "d\(random.below(4))"
  }

  mutating func uniqueID() -> String {
    nextID += 1
    return "n\(nextID)"
  }

  mutating func pick<Element>(_ values: [Element]) -> Element { values[random.below(values.count)] }

  mutating func isHostile(times factor: Int = 1) -> Bool {
    profile.hostility > 0 && random.below(100) < profile.hostility * factor
  }

  private mutating func hostile(_ kind: PageText) -> String {
    switch kind {
    case .content, .raw:
      return random.one(in: 4) ? pick(Self.hostileTexts) + pick(Self.hostileTexts) : pick(Self.hostileTexts)
    case .letters:
      return pick(["</script>", "</style>", "</textarea>", "<!--", "<script>", "&am", "\r\n", "-->", "\0"])
    case .value: return pick(["\"", "\" id=\"d1", "\">", ">", "'", "&am", "\n", "<b>", "\" x='", "\0", "&#", "=", "`"])
    case .attributes, .rules, .selection: return pick(Self.hostileAttributes)
    case .updateRule: return pick(["", "ignore", "stream", "append"])
    case .id: return pick(["", " ", "d1", "d1\"", "\" class=\"", "&amp", "\u{E9}", "e\u{301}"])
    case .idAttribute: return pick(["", " id=\"\"", " id", " id=d1", " id='d2'", " ID=\"d3\"", " id=\"d1\" id=\"d2\""])
    case .containerID: return pick(["d0", "d1", "", "d2"])
    case .itemID: return pick(["d0", "d1", "d2", "i1", "i2"])
    }
  }

  private static let contents = [
    "", "", "a", "b", "one", "two words", " ", " x", "x ", "\n  y\n", "&amp;", "&lt;i&gt;", "\u{E9}", "e\u{301}",
    "\u{1F600}", "&#39;", "12", "&quot;q&quot;",
  ]

  private static let raws = [
    "", "<b>bold</b>", "<i>a</i><i>b</i>", "text", "<em>x</em> y", "<!-- note -->", "<br/>", "a &amp; b",
    "<span class=\"r\">z</span>", "<code>l</code>",
  ]

  private static let attributes = [
    "", "", "", " disabled", " data-a=\"1\" title='it'", " class=\"x\"", " class=\"y\"", " hidden", " data-a=\"2\"",
    " data-b=\"&amp;\"", " title=\"a > b\"", " aria-label=\"\"",
  ]

  static let hostileTexts = [
    "<b>", "<div>", "<li>", "<a href=x>", "<!--", "<p", "\"", "</b>", "</div>", "</p>", "</a>", "</li>", "&am", "p;",
    "&", "#60;", "&#", "x3c;", "<", "<d", "iv>", "\0", "\r", "\r\n", "\n", "-->", "<table>", "<tr>", "<td>", "</table>",
    "</tr>", "</td>", "<p>", "<form>", "</form>", "<button>", "<h1>", "</h2>", "<ul>", "</ul>", "<select>", "</select>",
    "<option>", "<svg>", "</svg>", "<math>", "<textarea>", "</textarea>", "<script>", "</script>", "<style>", "<title>",
    "<template>", "</template>", "<body class=b>", "<html lang=x>", "<head>", "</body>", "<br/>", "</br>",
    "<i><b></i>x",
    "<tbody>", "<caption>", "<col>", "<nobr>", "<![CDATA[x]]>", "<?x?>", "<!doctype html>", "<div id=d1>",
    "<p id=\"d2\">",
    "<pre>", "<plaintext>", "<foreignObject>", "<b id=d3>", "<dd>", "<dt>", "<hr>", "<image>", "<iframe>", "<u><s>",
  ]

  private static let hostileAttributes = [
    " >", "/", " /", "<", " class='x' class=\"y\"", " id=d1", " phx-update=\"ignore\"", " phx-update=\"stream\"", "=",
    " data-a=\">\"", "\"", "'", " data-a=\"", " x='", "id=\"d2\"", " DATA-A=3", "\n", " a=b>c<i", " class=\"&am",
  ]
}
