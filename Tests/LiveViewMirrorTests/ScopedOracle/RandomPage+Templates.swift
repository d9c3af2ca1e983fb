import RecordingFixtures

extension RandomPage {
  enum Role { case page, block, entry, component, item }

  /// The approximate maximum number of templates. Slots that would need more templates contain
  /// text.
  private static let maximumTemplates = 16

  mutating func makeTemplate(_ context: PageContext, depth: Int, as role: Role) -> Int {
    var draft = PageTemplate()
    // `<%= if … do %>` generates white space at both ends; `:if` and `:for` do not.
    // HEEx trims a component's template and requires one root element.
    let isTrimmed = role == .page || role == .item || (role == .component && !isHostile(times: 4))
    let edge = isTrimmed || random.one(in: 2) ? "" : "\n" + String(repeating: "  ", count: depth)
    let isAnnotated = role != .item && context != .letters && random.one(in: 7)
    let function = "Demo.f\(templates.count)"
    draft.write(edge)
    if isAnnotated {
      note("annotated template")
      draft.write("<!-- <\(function)> lib/demo.ex:\(templates.count) (demo) -->")
    }
    switch role {
    case .page:
      if random.below(100) < profile.streams {
        draft.write("<ul")
        writeStream("ul", depth + 1, to: &draft)
      }
      writeChildren(3 + random.below(4), in: context, depth, to: &draft)
    case .item: writeElement(in: context, depth, to: &draft, id: .itemID)
    case .component where !isHostile(times: 2):
      writeElement(in: context, depth, to: &draft, id: isHandedOver() ? .id : nil)
    case .block:
      writeRoots(in: context, depth, to: &draft, isEntry: false)
      if draft.isRoot { note("template that is one element") }
    case .component, .entry:
      writeRoots(in: context, depth, to: &draft, isEntry: role == .entry)
      draft.isRoot = false
    }
    if isAnnotated { draft.write("<!-- </\(function)> -->") }
    draft.write(edge)
    templates.append(draft)
    return templates.count - 1
  }

  private mutating func writeRoots(
    in context: PageContext, _ depth: Int, to draft: inout PageTemplate, isEntry: Bool
  ) {
    if context == .letters { return draft.open(.text(.letters)) }
    switch random.below(14) {
    case 0, 1:
      note("template with several roots")
      writeElement(in: context, depth, to: &draft, id: isEntry && random.one(in: 3) ? .id : nil)
      if random.one(in: 2) { draft.write("\n ") }
      writeElement(in: context, depth, to: &draft)
    case 2 where context.takesText:
      note("template of text")
      draft.write(pick(["text", " some text ", "", "p;", "&amp;"]))
      draft.open(.text(.content))
    case 3:
      note("template of holes")
      for _ in 0...random.below(2) { writeHole(in: context, depth, to: &draft) }
    case 4 where context.takesText:
      draft.open(.text(.content))
      writeElement(in: context, depth, to: &draft)
    default:
      draft.isRoot = !isEntry && !random.one(in: 3)
      writeElement(in: context, depth, to: &draft, id: random.one(in: isEntry ? 3 : 8) || isHandedOver() ? .id : nil)
    }
  }

  private mutating func writeChildren(_ count: Int, in context: PageContext, _ depth: Int, to draft: inout PageTemplate)
  {
    let space = pick(["", " ", "\n  ", "\n"])
    draft.write(space)
    for _ in 0..<count {
      writeChild(in: context, depth, to: &draft)
      if !random.one(in: 4) { draft.write(space) }
    }
  }

  private mutating func writeChild(in context: PageContext, _ depth: Int, to draft: inout PageTemplate) {
    let takesText = context.takesText || isHostile()
    switch random.below(depth < 2 ? 10 : 7) {
    case 0 where takesText:
      draft.write(isHostile() ? pick(Self.hostileTexts) : pick(["static ", "Text", " & ", "&lt;"]))
    case 1 where takesText: draft.open(.text(.content))
    case 2 where takesText:
      note("adjacent holes")
      draft.open(.text(.content))
      writeHole(in: context, depth, to: &draft)
    case 3 where random.one(in: 3): draft.write("<!-- comment -->")
    case 0...3, 9: if depth < 5 { writeElement(in: context, depth, to: &draft) }
    default: writeHole(in: context, depth, to: &draft)
    }
  }

  // MARK: - Slots

  private mutating func writeHole(in context: PageContext, _ depth: Int, to draft: inout PageTemplate) {
    let context = isHostile() ? pick(PageContext.allCases) : context
    guard depth < 4, templates.count + openTemplates < Self.maximumTemplates, context != .letters else {
      return draft.open(.text(context == .letters ? .letters : .content))
    }
    openTemplates += 1
    defer { openTemplates -= 1 }
    if let choice = componentTemplates[context], random.below(100) < profile.components {
      note("hole for a component")
      return draft.open(.component(choice))
    }
    switch random.below(8) {
    case 0...2:
      note("hole for a list")
      draft.open(.list(makeTemplate(context, depth: depth + 1, as: .entry)))
    case 3 where context.takesText:
      note("hole for raw markup")
      draft.open(.text(.raw))
    case 4, 5:
      let choice = (0...1 + random.below(2)).map { _ in makeTemplate(context, depth: depth + 1, as: .block) }
      note("hole for one of several templates")
      draft.open(.block(choice))
    default:
      note("hole for a conditional")
      draft.open(.block([makeTemplate(context, depth: depth + 1, as: .block)]))
    }
  }

  // MARK: - Elements

  private mutating func writeElement(
    in wanted: PageContext, _ depth: Int, to draft: inout PageTemplate, id: PageText? = nil
  ) {
    let context = isHostile() ? pick(PageContext.allCases) : wanted
    if context != wanted { note("misplaced element") }
    if id == nil, hasRule(), writeRuled(in: context, depth, to: &draft) { return }
    var tag = pick(context.tags)
    // The rules of HTML forbid a link in a link and a form in a form.
    if openTags.contains(tag) {
      if isHostile(times: 3) { note("exclusive element in itself") } else { tag = context == .flow ? "section" : "em" }
    }
    let isExclusive = ["a", "form", "button", "label"].contains(tag) && openTags.insert(tag).inserted
    defer { if isExclusive { openTags.remove(tag) } }
    draft.write("<\(tag)")
    let isStream =
      ["ul", "table", "div"].contains(tag) && depth < 4 && random.below(120) < profile.streams
      && templates.count + openTemplates < Self.maximumTemplates
    if isStream, tag == "table" { draft.write("><tbody") }
    if isStream { return writeStream(tag, depth, to: &draft) }
    if tag == "div", id == nil, random.one(in: profile.hostility > 0 ? 3 : 10) {
      note("ignored container")
      draft.write(" id=\"")
      draft.open(.text(.containerID))
      draft.write("\" phx-update=\"ignore\"")
    } else {
      writeAttributes(to: &draft, id: id)
    }
    if ["br", "img", "input"].contains(tag) {
      return draft.write(profile.hostility == 0 || random.one(in: 3) ? "/>" : ">")
    }
    draft.write(">")
    fill(tag, depth + 1, of: &draft)
    if !isHostile() { draft.write("</\(tag)>") }
  }

  private mutating func writeAttributes(to draft: inout PageTemplate, id: PageText?) {
    switch id {
    case nil: if random.one(in: 9) { draft.open(.text(.idAttribute)) }
    case .id? where random.one(in: 3): draft.open(.text(.idAttribute))
    case let kind?:
      draft.write(" id=\"")
      draft.open(.text(kind))
      draft.write("\"")
    }
    if hasRule() { return draft.open(.text(.rules)) }
    switch random.below(9) {
    case 0: draft.write(" class=\"s\"")
    case 1, 2:
      draft.write(" class=\"a ")
      draft.open(.text(.value))
      if random.one(in: 3) { draft.open(.text(.value)) }
      draft.write(" b\"")
    case 3, 4:
      note("whole attribute")
      draft.open(.text(.attributes))
      if random.one(in: 2) { draft.write(" data-t=\"1\"") }
    // Only on hostile pages, because HEEx does not repeat an attribute name.
    case 5 where profile.hostility > 0 && random.one(in: 3):
      draft.open(.text(.attributes))
      draft.open(.text(.attributes))
    default: break
    }
  }

  mutating func fill(_ tag: String, _ depth: Int, of draft: inout PageTemplate) {
    switch tag {
    case "ul": writeChildren(1 + random.below(2), in: .items, depth, to: &draft)
    case "table":
      if random.one(in: 3) { draft.write("<thead><tr><th>H</th></tr></thead>") }
      let hasBody = random.one(in: 2)
      if hasBody { draft.write("<tbody>") }
      if random.one(in: 2) { draft.write("\n  ") }
      writeHole(in: .rows, depth, to: &draft)
      if random.one(in: 3) { writeChild(in: .rows, depth, to: &draft) }
      if hasBody { draft.write("</tbody>") }
    case "tr": writeChildren(1 + random.below(2), in: .cells, depth, to: &draft)
    case "select": writeChildren(1, in: .options, depth, to: &draft)
    case "script", "style", "textarea": draft.open(.text(.letters))
    case "svg", "g": writeChildren(1 + random.below(2), in: .vector, depth, to: &draft)
    case "path", "circle": break
    case "option", "text": draft.open(.text(.content))
    case "pre":
      if random.one(in: 2) { draft.open(.text(.content)) }
      writeChildren(1, in: .phrasing, depth, to: &draft)
    case "div", "section", "article", "form", "details", "li", "td", "th", "foreignObject":
      writeChildren(random.below(3), in: .flow, depth, to: &draft)
    default: writeChildren(1 + random.below(2), in: .phrasing, depth, to: &draft)
    }
  }

  private mutating func writeStream(_ tag: String, _ depth: Int, to draft: inout PageTemplate) {
    note("stream container")
    draft.write(" id=\"")
    draft.open(.text(.containerID))
    draft.write("\" phx-update=\"stream\">")
    if random.one(in: 3) { draft.write("\n  ") }
    let context = tag == "ul" ? PageContext.items : tag == "table" ? .rows : .flow
    openTemplates += 1
    draft.open(.stream(makeTemplate(context, depth: depth + 1, as: .item)))
    openTemplates -= 1
    if random.one(in: 3) { draft.write("\n") }
    draft.write(tag == "table" ? "</tbody></table>" : "</\(tag)>")
  }
}
