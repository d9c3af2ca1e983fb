import LiveViewMirror
import MarkupDocument

/// One change as a line of its facts: sign, node, kind, old and new values, number of nodes, place,
/// slots.
enum ChangeFacts {
  private static func line(
    _ sign: String, _ node: String, _ kind: String, _ values: String, _ place: String, _ slots: String
  ) -> String {
    [sign, node, kind, values, place, slots.isEmpty ? "" : "slots \(slots)"].filter { !$0.isEmpty }
      .joined(separator: " | ")
  }

  // MARK: - JSON

  /// - Parameter change: an element of `changes`.
  static func line(of change: JSONValue, as form: Form) -> String {
    let op = change["op"].string ?? "?"
    let kind = op == "text" ? "text" : change["tag"].string.map { "<\($0)>" } ?? change["kind"].string ?? "?"
    return line(
      Facts.sign(change), "\(change["node"].int ?? -1)", kind.replacing("-instruction", with: " instruction"),
      values(of: change, op, form), place(of: change, op, form),
      Facts.slots(change["slots"]).joined(separator: ", "))
  }

  private static func values(of change: JSONValue, _ op: String, _ form: Form) -> String {
    switch op {
    case "text":
      return "\(form.quoted(change["before"].string)) → \(form.quoted(change["after"].string))"
    case "attributes":
      let (before, after) = (change["before"], change["after"])
      return before.keys.union(after.keys).map { name in
        "\(name) \(form.quoted(before[name].string)) → \(form.quoted(after[name].string))"
      }.sorted().joined(separator: ", ")
    default:
      if let nodes = change["nodes"].int, nodes > 1 { return "\(form.count(nodes) ?? "?") nodes" }
      // Only the line for a terminal has the text of a new node.
      guard op == "add", form == .text, let text = change["text"].string else { return "" }
      return form.quoted([change["target"].string, text].compactMap(\.self).joined(separator: " "))
    }
  }

  private static func place(of change: JSONValue, _ op: String, _ form: Form) -> String {
    func number(_ value: JSONValue) -> String { value.int.map { "\($0)" } ?? "?" }
    // The page counts elements among elements: see `ChangedItemsTests`.
    func position(_ value: JSONValue) -> String {
      form == .page ? number(value["parent"]) : "\(number(value["parent"])) at \(number(value["index"]))"
    }
    switch op {
    case "text": return "in \(number(change["parent"]))"
    case "add": return "under \(position(change))"
    case "remove": return "from \(position(change))"
    case "move":
      let (from, to) = (change["from"], change["to"])
      if from["parent"] != to["parent"] { return "from \(position(from)) to \(position(to))" }
      if form == .page { return "under \(number(to["parent"]))" }
      let word = form == .text ? "in" : "under"
      return "\(word) \(number(to["parent"])) from \(number(from["index"])) to \(number(to["index"]))"
    default: return ""
    }
  }

  // MARK: - Text

  /// - Parameter text: the line of a change for a terminal.
  static func line(of text: String) -> String {
    guard
      let match = text.wholeMatch(
        of:
          /(\S) (\d+) (text|comment|processing instruction|<[^>]*>)(?: +(.*?))??(?:  +((?:in|under|from) \d+ .*?))??(?:  +slots? (\S+(?:, \S+)*))?/
      )
    else { return "not a line of a change: \(text)" }
    var values = String(match.4 ?? "").trimmingSuffix { $0 == " " }
    let kind = withoutID(String(match.3))
    if match.1 == "~", kind != "text" {
      values = values.matches(of: /(\S+) ((?:none|".*?") → (?:none|".*?"))(?=, \S+ (?:none|")|$)/)
        .map { "\($0.1) \($0.2)" }.sorted().joined(separator: ", ")
    }
    return line(
      String(match.1), String(match.2), kind, values, withoutNames(String(match.5 ?? "")), String(match.6 ?? ""))
  }

  // MARK: - Page

  /// - Parameter item: an item of the list of changes.
  static func line(of item: ParsedPage.Place, in page: ParsedPage) -> String {
    func words(_ tag: String, _ name: String, in top: ParsedPage.Place) -> String {
      page.words(of: page.first(tag, name, in: top))
    }
    func change(in top: ParsedPage.Place) -> String {
      "\(page.words(of: page.first("del", in: top))) → \(page.words(of: page.first("ins", in: top)))"
    }
    guard let node = page.first("a", "node", in: item) else { return "an item without a node" }
    let number = page.attribute("data-node", of: node) ?? "?"
    let isText = !page.children("del", of: item).isEmpty
    let name = String(page.words(of: node).dropFirst(number.count + 1))
    let names = ["white space": "text", "instruction": "processing instruction"]
    let attributes = page.all("span", "change", in: item).map { "\(words("bdi", "name", in: $0)) \(change(in: $0))" }
    let values =
      isText ? change(in: item) : attributes.sorted().joined(separator: ", ") + words("span", "size", in: item)
    let slots = page.first("span", "slots", in: item).map { page.children("code", of: $0).map { page.words(of: $0) } }
    let sign = words("b", "mark", in: item)
    return line(
      sign, number, isText ? "text" : names[name] ?? withoutID(name), values,
      isText ? "in \(words("i", "ref", in: node))" : place(of: item, sign, in: page),
      slots?.joined(separator: ", ") ?? "")
  }

  /// The parents of the changed node before and after the change.
  private static func place(of item: ParsedPage.Place, _ sign: String, in page: ParsedPage) -> String {
    guard let place = page.first("span", "where", in: item) else { return "" }
    let parents = page.all("a", "node", in: place).map { page.attribute("data-node", of: $0) ?? "?" }
    if parents.count == 2 { return "from \(parents[0]) to \(parents[1])" }
    return "\(sign == "-" ? "from" : "under") \(parents.first ?? "?")"
  }

  // MARK: - Names

  /// `<li>` for `<li#a>`. The JSON of a change has no ids.
  private static func withoutID(_ name: String) -> String { name.replacing(/#[^>]*>/, with: ">") }

  /// `under 12 at 4` for `under 12 <ul#a> at 4`. The JSON of a change has the number of the parent
  /// only.
  static func withoutNames(_ place: String) -> String {
    if place.isEmpty { return place }
    return place.replacing(/(\d+) (?:<[^>]*>|document|text|comment|processing instruction|white space|instruction)/) {
      $0.1
    }
  }
}

extension String {
  fileprivate func trimmingSuffix(while isTrimmed: (Character) -> Bool) -> String {
    var text = self
    while let last = text.last, isTrimmed(last) { text.removeLast() }
    return text
  }
}
