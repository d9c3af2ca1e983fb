/// Help: the list of the keys, signs and filters, which the script opens. The keys themselves are
/// in `keys.js` and `lines.js` of `Public/inspector`, and this list must agree with them.
extension ViewPage {
  static var keys: HTML {
    let rows = keysAndWords.map { keys, words -> HTML in
      let keys = keys.split(separator: " ").map { "<kbd>\(String($0))</kbd>" as HTML }.joined(by: " ")
      return "<tr><th scope=\"row\">\(keys)</th><td>\(words)</td></tr>\n"
    }
    return """
      <dialog id="keys" aria-label="Help: keys, signs and filters">
      <form method="dialog"><button>Close</button></form>
      <h2>Keys</h2>
      <table>
      \(rows)</table>
      <h2>Signs</h2>
      <dl class="filters">\(signs)</dl>
      <h2>Filters of the timeline</h2>
      <dl class="filters">\(filters)</dl>
      </dialog>

      """
  }

  private static let keysAndWords: [(String, HTML)] = [
    ("j", "the next older diff that matches the filter"),
    ("k", "the next newer diff that matches it"),
    ("p", "play or pause the versions"),
    ("l", "the newest version"),
    ("n N", "the next or the previous changed node"),
    ("/", "search the tree"),
    ("f", "filter the timeline"),
    ("t m b c", "tree, mirror, both, before and after"),
    ("↑ ↓ Home End", "move in the timeline or the tree"),
    ("← →", "close or open a node"),
    ("Enter", "show the diff or the node"),
    ("Escape", "leave a field"),
    ("?", "this list"),
  ]

  private static let signs = definitions([
    ("~ + - ⇄", "changed, added, removed, moved; a subtree counts once"),
    ("! 85 %", "values were sent that were already on the page: little, or this share of the diff"),
    ("?", "there are diagnostics"),
    ("✕", "the diff was rejected"),
    (
      "◉",
      "the node's subscribers, with their number in the newest version; bold: the diff notified them"
    ),
    ("▍", "one of the last 20 diffs changed the node; the darker, the later"),
  ])

  /// The words that ``LogFilter`` knows.
  static let filters = definitions([
    (
      "toggle",
      "the event, its value, or what the diff changed or removed contains the word; event:toggle only looks at the event"
    ),
    ("li#t6 #t6", "the diff changed, added, removed or moved the element, or something directly in it"),
    ("node:15", "the diff changed the node, or notified its subscribers"),
    ("slot:1.k", "the diff contains the slot, or one below it, changed or not"),
    ("op:add", "text, attributes, add, remove or move"),
    ("bytes:>200", "the size; also &lt;, &gt;=, &lt;= and =, and with units: bytes:&lt;1.5kB, bytes:&gt;2MB"),
    ("is:waste", "also is:diagnostic and is:rejected"),
    ("inc op:add", "several words are joined by “and”: an entry must match each of them"),
  ])

  private static func definitions(_ list: [(String, HTML)]) -> HTML {
    "\(list.map { "<div><dt><code>\($0.0)</code></dt><dd>\($0.1)</dd></div>\n" as HTML })"
  }
}
