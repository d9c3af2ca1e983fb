import RecordingFixtures

/// Elements for which LiveView's client has rules: see ``OracleProfile/rules``.
extension RandomPage {
  mutating func hasRule() -> Bool { profile.rules > 0 && random.below(100) < profile.rules }

  /// Writes an element with a client rule instead of another element.
  ///
  /// - Returns: whether the context permits such an element.
  mutating func writeRuled(in context: PageContext, _ depth: Int, to draft: inout PageTemplate) -> Bool {
    guard context == .flow, depth < 4, templates.count + openTemplates < 16 else { return false }
    switch random.below(9) {
    case 0, 1: writeAppending(depth, to: &draft)
    case 2, 3: writeStreamAmongOthers(depth, to: &draft)
    case 4: writeTemplate(depth, to: &draft)
    case 5: writePortal(depth, to: &draft)
    case 6: writeSelect(to: &draft)
    case 7: writeTextarea(to: &draft)
    default: writeDetails(depth, to: &draft)
    }
    return true
  }

  /// Writes an append or prepend container. Its entries have ids, and the client never removes
  /// them.
  private mutating func writeAppending(_ depth: Int, to draft: inout PageTemplate) {
    note("append or prepend container")
    draft.write("<ol id=\"")
    draft.open(.text(.containerID))
    draft.write("\" phx-update=\"")
    if random.one(in: 3) { draft.open(.text(.updateRule)) } else { draft.write(pick(["append", "prepend"])) }
    draft.write("\">")
    if random.one(in: 4) { draft.write("<li>no id</li>") }
    if random.one(in: 4) { draft.open(.text(.content)) }
    draft.open(.list(makeEntryWithID("li", depth)))
    if random.one(in: 4) { draft.write("\n") }
    draft.write("</ol>")
  }

  private mutating func makeEntryWithID(_ tag: String, _ depth: Int) -> Int {
    openTemplates += 1
    defer { openTemplates -= 1 }
    var entry = PageTemplate()
    entry.write("<\(tag) id=\"")
    entry.open(.text(.id))
    entry.write("\"")
    if random.one(in: 3) { entry.open(.text(.rules)) }
    entry.write(">")
    entry.open(.text(.content))
    if random.one(in: 3) { fill("li", depth + 2, of: &entry) }
    entry.write("</\(tag)>")
    templates.append(entry)
    return templates.count - 1
  }

  /// Writes a stream container whose items have siblings, such as the empty state of LiveView's
  /// documentation.
  private mutating func writeStreamAmongOthers(_ depth: Int, to draft: inout PageTemplate) {
    note("stream among others")
    let (start, tag, end) = pick([
      ("<ul", "li", "</ul>"), ("<div", "p", "</div>"), ("<table><tbody", "tr", "</tbody></table>"),
      ("<table", "tr", "</table>"),
    ])
    draft.write(start + " id=\"")
    draft.open(.text(.containerID))
    draft.write("\" phx-update=\"stream\">")
    writeNeighbour(tag, to: &draft)
    let context: PageContext = tag == "li" ? .items : tag == "tr" ? .rows : .flow
    openTemplates += 1
    draft.open(.stream(makeTemplate(context, depth: depth + 1, as: .item)))
    openTemplates -= 1
    writeNeighbour(tag, to: &draft)
    draft.write(end)
  }

  private mutating func writeNeighbour(_ tag: String, to draft: inout PageTemplate) {
    switch random.below(7) {
    case 0: draft.write("<\(tag) id=\"n\(templates.count)-\(draft.statics.count)\" class=\"only:block\"></\(tag)>")
    case 1:
      draft.write("<\(tag) id=\"")
      draft.open(.text(.id))
      draft.write("\"></\(tag)>")
    case 2: draft.write("<\(tag) class=\"no-id\"></\(tag)>")
    case 3: draft.write("\n  ")
    case 4 where tag != "tr": draft.open(.text(.content))
    case 5: draft.write("<!-- items -->")
    default: break
    }
  }

  private mutating func writeTemplate(_ depth: Int, to draft: inout PageTemplate) {
    note("template element")
    draft.write("<template")
    if random.one(in: 2) {
      draft.write(" id=\"")
      draft.open(.text(.id))
      draft.write("\"")
    }
    draft.write(" class=\"")
    draft.open(.text(.value))
    draft.write("\">")
    fill("div", depth + 1, of: &draft)
    draft.write("</template>")
  }

  private mutating func writePortal(_ depth: Int, to draft: inout PageTemplate) {
    note("portal")
    let number = templates.count * 8 + draft.statics.count
    // The target is before or after the template, in an ignored element, or missing.
    let target = "target\(number)"
    let isInside = !random.one(in: 4)
    let isBefore = random.one(in: 2)
    let markup = "<div id=\"\(target)\"\(random.one(in: 5) ? " phx-update=\"ignore\"" : "")>here</div>"
    if isInside, isBefore { draft.write(markup) }
    draft.write("<template id=\"")
    draft.open(.text(random.one(in: 3) ? .id : .containerID))
    draft.write("\" data-phx-portal=\"#\(target)")
    // Appends a text to the name of the target; then the target is usually missing.
    if random.one(in: 4) { draft.open(.text(.value)) }
    draft.write("\"><div id=\"teleported\(number)")
    if random.one(in: 4) { draft.open(.text(.value)) }
    draft.write("\"")
    if random.one(in: 2) { draft.open(.text(.attributes)) }
    draft.write(">")
    fill("div", depth + 1, of: &draft)
    draft.write("</div></template>")
    if isInside, !isBefore { draft.write(markup) }
  }

  private mutating func writeSelect(to draft: inout PageTemplate) {
    note("select with options that are selected")
    draft.write("<select")
    if random.one(in: 3) { draft.open(.text(.selection)) }
    draft.write(">")
    let isGrouped = random.one(in: 4)
    if isGrouped { draft.write("<optgroup label=\"g\">") }
    draft.write("<option value=\"1\"")
    draft.open(.text(.selection))
    draft.write(">1</option>")
    var option = PageTemplate()
    option.write("<option value=\"2\"")
    option.open(.text(.selection))
    option.write(">")
    option.open(.text(.content))
    option.write("</option>")
    templates.append(option)
    draft.open(.list(templates.count - 1))
    if isGrouped { draft.write("</optgroup>") }
    draft.write("</select>")
  }

  private mutating func writeTextarea(to draft: inout PageTemplate) {
    note("textarea")
    draft.write("<textarea placeholder=\"x = 1;\" name=\"t\"")
    if random.one(in: 2) { draft.open(.text(.attributes)) }
    draft.write(">")
    draft.open(.text(.letters))
    draft.write("</textarea>")
  }

  private mutating func writeDetails(_ depth: Int, to draft: inout PageTemplate) {
    note("details with a name")
    // Few names, so that several `details` share a name.
    if random.one(in: 2) {
      draft.write("<details name=\"n\"")
      if random.one(in: 2) { draft.write(" open") } else { draft.open(.text(.rules)) }
    } else {
      draft.write("<details name=\"")
      draft.open(.text(.value))
      draft.write("\"")
      draft.open(.text(.rules))
    }
    draft.write("><summary>")
    draft.open(.text(.content))
    draft.write("</summary>")
    fill("div", depth + 1, of: &draft)
    draft.write("</details>")
  }

  /// An attribute that a client rule reads, or an empty string.
  mutating func ruleText(_ kind: PageText) -> String {
    switch kind {
    case .updateRule: return pick(["append", "append", "prepend", "replace", "stream"])
    case .selection: return pick(["", "", "", " selected=\"\"", " disabled=\"\"", " multiple=\"\"", " size=\"3\""])
    default: return pick(Self.ruleAttributes)
    }
  }

  private static let ruleAttributes = [
    "", "", "", " open=\"\"", " class=\"x\"", " class=\"y\" data-a=\"1\"", " data-a=\"2\" title=\"it\"",
    " data-phx-sticky=\"\"", " phx-remove=\"[]\"", ignoring("class"), ignoring("data-*"), ignoring("*"),
    ignoring("open\",\"title"), ignoring("class", to: "#n1"), ignoring("class", to: "li"),
  ]

  private static func ignoring(_ name: String, to selector: String? = nil) -> String {
    let target = selector.map { ",\"to\":\"\($0)\"" } ?? ""
    let command = "[[\"ignore_attrs\",{\"attrs\":[\"\(name)\"]\(target)}]]"
    return " class=\"m\" phx-mounted=\"\(command.replacing("\"", with: "&quot;"))\""
  }
}
