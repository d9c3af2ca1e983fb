import MarkupDocument
import RecordingFixtures

/// Random markup with all kinds of elements and with mistakes, and the position of each element's
/// content.
struct HostilePages {
  struct Place {
    /// -1 for the page itself.
    var start: Int
    /// The offsets at which the content begins, each child ends, and the content ends.
    var edges: [Int]
    var name: String
  }

  var random: SplitMix
  let dialect: Dialect
  private(set) var markup = ""
  private(set) var places: [Place] = []
  /// The percentage of pieces of markup that are wrong.
  private var hostility = 0
  private var size = 0

  init(seed: UInt64, dialect: Dialect) {
    random = SplitMix(state: seed)
    self.dialect = dialect
  }

  mutating func page() -> (markup: [UInt8], places: [Place]) {
    begin(hostility: [0, 0, 2, 5, 12][random.below(5)], size: 26)
    var edges = [0]
    for _ in 0...random.below(3) {
      element(one(of: Self.flow), depth: 0)
      edges.append(markup.utf8.count)
    }
    places.append(Place(start: -1, edges: edges, name: "div"))
    return (Array(markup.utf8), places)
  }

  /// Markup for the content of an element; sometimes it ends inside a tag or comment.
  mutating func piece(in parent: String) -> [UInt8] {
    begin(hostility: [0, 0, 4, 12, 40][random.below(5)], size: 8)
    for _ in 0..<random.below(4) { child(of: parent, depth: 3) }
    if random.one(in: 12) { markup += one(of: Self.openEnds) }
    return Array(markup.utf8)
  }

  private mutating func begin(hostility: Int, size: Int) {
    (markup, places) = ("", [])
    (self.hostility, self.size) = (hostility, size)
  }

  // MARK: - Writing

  private var isHostile: Bool {
    mutating get { random.below(100) < hostility }
  }

  private mutating func one(of choices: [String]) -> String { choices[random.below(choices.count)] }

  private mutating func child(of parent: String, depth: Int) {
    if isHostile {
      switch random.below(4) {
      case 0: markup += "</\(one(of: Self.names))>"
      case 1: markup += "<\(one(of: Self.names))>"
      case 2: markup += one(of: Self.oddities)
      default: element(one(of: Self.names), depth: depth)
      }
      return
    }
    let choices = Self.children[parent]
    switch random.below(10) {
    case 0: markup += one(of: Self.comments)
    case 1..<4 where choices == nil || Self.phrase.contains(parent): markup += one(of: Self.texts)
    case 1: markup += " \n"
    default: element(one(of: choices ?? Self.flow), depth: depth)
    }
  }

  private mutating func element(_ name: String, depth: Int) {
    size -= 1
    if let whole = Self.whole[name], dialect == .html {
      markup += whole[random.below(whole.count)]
      return
    }
    let start = markup.utf8.count
    markup += "<\(random.one(in: 30) ? name.uppercased() : name)"
    if random.one(in: 4) { markup += one(of: Self.attributes) }
    if dialect == .native && random.one(in: 5) || Self.whole[name] != nil {
      markup += "/>"
      return
    }
    markup += ">"
    var edges = [markup.utf8.count]
    for _ in 0..<random.below(5) where depth < 9 && size > 0 {
      child(of: name, depth: depth + 1)
      edges.append(markup.utf8.count)
    }
    places.append(Place(start: start, edges: edges, name: name))
    if !isHostile { markup += "</\(name)>" }
  }

  // MARK: - Vocabulary

  private static let phrase = ["span", "b", "i", "a", "code", "font", "nobr", "x-y"]
  private static let flow =
    phrase + [
      "div", "div", "p", "ul", "ol", "dl", "table", "table", "table", "select", "form", "button", "svg", "svg", "math",
      "h1", "h2", "pre", "ruby", "object", "section", "template", "noscript", "listing", "details", "br", "input",
      "img", "textarea", "script", "style", "hr",
    ]
  private static let names =
    flow + [
      "li", "dt", "dd", "tbody", "thead", "tr", "td", "th", "caption", "colgroup", "col", "option", "optgroup",
      "foreignObject", "desc", "title", "g", "mi", "annotation-xml", "rt", "rb", "selectedcontent", "marquee", "body",
      "html", "frame", "image", "plaintext", "address",
    ]
  private static let inline = phrase + ["b", "a", "i", "br", "img", "button", "select", "svg", "math", "object"]
  private static let children: [String: [String]] = [
    "table": ["tbody", "tbody", "thead", "caption", "colgroup"], "tbody": ["tr"], "thead": ["tr"], "tr": ["td", "th"],
    "colgroup": ["col"], "ul": ["li"], "ol": ["li"], "dl": ["dt", "dd"], "optgroup": ["option"],
    "select": ["option", "option", "optgroup", "div"], "option": ["span", "b"], "ruby": ["rt", "rb"],
    "svg": ["g", "foreignObject", "desc", "title", "g"], "g": ["g", "foreignObject", "script"],
    "math": ["mi", "mrow", "annotation-xml"], "mrow": ["mi"], "mi": ["span", "b"], "annotation-xml": ["mi", "svg"],
    "p": inline, "h1": inline, "h2": inline, "span": inline, "b": ["span", "i", "code", "br", "svg", "object", "div"],
    "a": ["span", "b", "i", "div", "table"], "i": ["span", "b", "div", "p"], "nobr": ["span", "br"], "pre": inline,
    "button": ["span", "b", "i", "div", "p"], "font": ["p", "div", "font"], "code": ["span", "code"],
  ]
  /// Elements that are written with their content.
  private static let whole: [String: [String]] = [
    "br": ["<br>", "<br/>"], "input": ["<input>", "<input type=hidden>"], "img": ["<img src=a>"], "col": ["<col>"],
    "style": ["<style>a>b</style>"], "hr": ["<hr>"],
    "textarea": ["<textarea>\n</p>&lt;</textarea>", "<textarea></textarea>"],
    "script": ["<script>a<b</script>", "<script><!--<script></script>--></script>"],
  ]
  private static let attributes = [" class=c", " id=\"x\"", " a='>' b", " encoding=text/html", " color=red"]
  private static let texts = [
    "x", "x y", " ", "\n", "\nx", "a&am", "&amp;b", "&lt", "a<", "\0", "x\0", "\r\nx", "a\r", "< b", "</>", "&#10;",
  ]
  private static let comments = ["<!--c-->", "<!-->", "<!---->", "<!--a--!>"]
  private static let oddities = [
    "<?x>", "</#>", "<!doctype x>", "<![CDATA[x]]>", "<!x>", "</p>", "</br>", "<image>", "<form></form>", "x<",
    "<b><b><b><b>", "</b></b>", "<table>x</table>", "<ul><li>a<li>b</ul>", "<p><b>x</p>y</b>", "<a><a>x</a>",
    "<select><button><selectedcontent></button><option>x</select>", "<table><tr><td>x</table>", "</form>",
    "<svg><p>x</svg>", "<svg/>", "<form><div></form></div>", "<template><td>x</template>", "<td>x</td>", "<li>",
    "</td>", "<table><form></table>", "<option>x<option>y",
  ]
  private static let openEnds = [
    "<!--", "<!-- x", "<b ", "<b", "<a x=\"", "<", "</", "</b", "<!", "<!d", "<!doctype", "<textarea>x", "<plaintext>x",
    "<![CDATA[x", "<?", "<?x", "&am", "&", "a\r", "<script><!--", "<script>x</script", "<p>", "</", "<!-->", "</#",
  ]
}
