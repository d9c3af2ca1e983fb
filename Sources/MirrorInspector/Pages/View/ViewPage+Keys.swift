/// The list of the keys, which the script opens. The keys themselves are in `Public/keys.js` and `Public/lines.js`.
extension ViewPage {
  static var keys: HTML {
    let rows = keysAndWords.map { keys, words -> HTML in
      let keys = keys.split(separator: " ").map { "<kbd>\(String($0))</kbd>" as HTML }.joined(by: " ")
      return "<tr><th scope=\"row\">\(keys)</th><td>\(words)</td></tr>\n"
    }
    return """
      <dialog id="keys" aria-label="Keys">
      <table>
      \(rows)</table>
      <form method="dialog"><button>Close</button></form>
      </dialog>

      """
  }

  private static let keysAndWords: [(String, HTML)] = [
    ("j", "the next older diff"),
    ("k", "the next newer diff"),
    ("p", "play or pause the versions"),
    ("l", "the newest version"),
    ("/", "search the tree"),
    ("f", "filter the timeline"),
    ("t m b c", "tree, mirror, both, before and after"),
    ("↑ ↓ Home End", "move in the timeline or the tree"),
    ("← →", "close or open a node"),
    ("Enter", "show the diff or the node"),
    ("?", "this list"),
  ]
}
