import RecordingFixtures

/// A LiveView with random templates and random state, which can render its own markup.
struct RandomServer: PageServer {
  struct Template {
    var statics: [String] = [""]
    var slots: [Kind] = []
  }

  enum Kind {
    case text, attribute
    /// A constant attribute that identifies the entry: `data-e`, or also `id`.
    case marker(isID: Bool)
    /// Empty, or a fragment of one of these templates.
    case child([Int])
    case list(Int)
    /// Empty, or a component.
    case component
  }

  let wire: WireForm
  var random: SplitMix
  private(set) var templates: [Template] = []
  private var componentTemplates: [Int] = []
  private(set) var root = PageFragment(template: 0, values: [])
  var components: [Int: PageFragment] = [:]
  private var nextKey = 0
  private var nextCID = 1

  init(wire: WireForm, seed: UInt64) {
    self.wire = wire
    random = SplitMix(state: seed)
    for _ in 0..<2 { componentTemplates.append(makeTemplate(depth: 2, holdsComponents: false)) }
    componentTemplates.append(makeTemplate(depth: 2, holdsComponents: true))
    let top = makeTemplate(depth: 0, holdsComponents: true)
    root = PageFragment(template: top, values: make(templates[top], depth: 0))
  }

  // MARK: - Templates

  private mutating func makeTemplate(depth: Int, holdsComponents: Bool, isEntry: Bool = false) -> Int {
    var template = Template()
    func write(_ text: String) { template.statics[template.statics.count - 1] += text }
    func slot(_ kind: Kind) {
      template.slots.append(kind)
      template.statics.append("")
    }
    let roots = isEntry && random.one(in: 5) ? 2 : 1
    for part in 0..<roots {
      let tag = ["div", "section", "span", "article"][random.below(4)]
      write("<\(tag)")
      if isEntry, part == 0 { slot(.marker(isID: random.one(in: 4))) }
      if random.one(in: 2) { slot(.attribute) }
      write(">")
      for _ in 0...random.below(3) {
        switch random.below(depth < 2 ? 8 : depth < 3 ? 5 : 3) {
        case 0: write("static ")
        case 1, 2: slot(.text)
        case 3: slot(.child([makeTemplate(depth: depth + 1, holdsComponents: holdsComponents)]))
        case 4:
          let choice = (0..<2).map { _ in makeTemplate(depth: depth + 1, holdsComponents: false) }
          slot(.child(choice))
        case 5, 6: slot(.list(makeTemplate(depth: depth + 1, holdsComponents: holdsComponents, isEntry: true)))
        default:
          write("<i>")
          slot(holdsComponents ? .component : .text)
          write("</i>")
        }
      }
      write("</\(tag)>")
    }
    if random.one(in: 6) { slot(.text) }
    templates.append(template)
    return templates.count - 1
  }

  // MARK: - State

  private mutating func make(_ template: Template, depth: Int) -> [PageValue] {
    template.slots.map { make($0, depth: depth) }
  }

  private mutating func make(_ kind: Kind, depth: Int) -> PageValue {
    switch kind {
    case .text: return .text(text())
    case .attribute: return .text(random.one(in: 2) ? "" : " class=\"c\(random.below(3))\"")
    case .marker(let isID):
      nextKey += 1
      return .text(" data-e=\"\(nextKey)\"\(isID ? " id=\"e\(nextKey)\"" : "")")
    case .child(let choice):
      if random.one(in: 3) { return .text("") }
      let template = choice[random.below(choice.count)]
      return .fragment(PageFragment(template: template, values: make(templates[template], depth: depth + 1)))
    case .list(let template):
      let entries = (0..<random.below(depth < 1 ? 7 : 4)).map { _ in makeEntry(template, depth: depth + 1) }
      return .list(PageList(template: template, entries: entries, wasSent: !entries.isEmpty))
    case .component:
      if depth > 5 || random.one(in: 3) { return .text("") }
      let cid = nextCID
      nextCID += 1
      let template = componentTemplates[random.below(componentTemplates.count)]
      components[cid] = PageFragment(template: template, values: make(templates[template], depth: depth + 2))
      return .component(cid)
    }
  }

  private mutating func makeEntry(_ template: Int, depth: Int) -> PageList.Entry {
    nextKey += 1
    return PageList.Entry(key: nextKey, values: make(templates[template], depth: depth))
  }

  /// Some texts are canonically equivalent in Unicode but differ in bytes, and some need escapes in
  /// JSON.
  private mutating func text() -> String {
    let texts = [
      "", "a", "b", "\u{E9}", "e\u{301}", "&amp;", " \n", "x\\y", "\u{1F600}", "&lt;i&gt;", "<!--c-->", "<br>",
    ]
    return texts[random.below(texts.count)] + (random.one(in: 2) ? "" : String(random.below(10)))
  }

  private mutating func mutate(_ slots: inout [PageValue], _ template: Int) {
    for (index, kind) in templates[template].slots.enumerated() { mutate(&slots[index], kind) }
  }

  private mutating func mutate(_ value: inout PageValue, _ kind: Kind) {
    switch (kind, value) {
    case (.marker, _): return
    case (.text, _), (.attribute, _): if random.one(in: 8) { value = make(kind, depth: 1) }
    case (.child, .fragment(var fragment)):
      if random.one(in: 8) {
        value = make(kind, depth: 2)
      } else {
        mutate(&fragment.values, fragment.template)
        value = .fragment(fragment)
      }
    case (.component, .component(let cid)):
      if random.one(in: 10) {
        value = make(kind, depth: 2)
      } else if var component = components[cid] {
        mutate(&component.values, component.template)
        components[cid] = component
      }
    case (.list, .list(var list)):
      if random.one(in: 3) { shuffle(&list) }
      for index in list.entries.indices where random.one(in: 3) { mutate(&list.entries[index].values, list.template) }
      list.wasSent = list.wasSent || !list.entries.isEmpty
      value = .list(list)
    default: if random.one(in: 6) { value = make(kind, depth: 2) }
    }
  }

  private mutating func shuffle(_ list: inout PageList) {
    for _ in 0...random.below(3) {
      let count = list.entries.count
      switch random.below(7) {
      case 0, 1: list.entries.insert(makeEntry(list.template, depth: 2), at: random.below(count + 1))
      case 2 where count > 0: list.entries.remove(at: random.below(count))
      case 3 where count > 1: list.entries.insert(list.entries.remove(at: random.below(count)), at: random.below(count))
      case 4 where count > 1: list.entries.swapAt(random.below(count), random.below(count))
      case 5 where random.one(in: 3): list.entries.reverse()
      case 6 where random.one(in: 6): list.entries = []
      default: break
      }
    }
  }

  // MARK: - Markup

  var markup: String { markup(root) }

  private func markup(_ fragment: PageFragment) -> String { markup(fragment.template, fragment.values) }

  private func markup(_ template: Int, _ slots: [PageValue]) -> String {
    var text = ""
    for (index, part) in templates[template].statics.enumerated() {
      text += part
      guard index < slots.count else { continue }
      switch slots[index] {
      case .text(let value): text += value
      case .component(let cid): text += components[cid].map(markup) ?? ""
      case .fragment(let fragment): text += markup(fragment)
      case .list(let list): text += list.entries.map { markup(list.template, $0.values) }.joined()
      case .stream: continue  // This server has no streams.
      }
    }
    return text
  }

  // MARK: - The wire

  func statics(of template: Int) -> [String] { templates[template].statics }

  /// The first of several templates with equal statics, which are sent only once.
  func representative(of template: Int) -> Int {
    templates.firstIndex { $0.statics == templates[template].statics } ?? template
  }

  mutating func mount() -> String { JSON.object(whole()).text }

  /// Changes the state.
  ///
  /// - Returns: the diff, the components that are destroyed afterwards, and whether the diff is the
  ///   whole page.
  mutating func step() -> (diff: String, destroyed: [Int], isWhole: Bool) {
    let old = (root: root, components: components)
    var values = root.values
    mutate(&values, root.template)
    root.values = values
    let destroyed = dropUnreachedComponents()
    if random.one(in: 60) { return (mount(), destroyed, true) }
    return (JSON.object(changes(since: old)).text, destroyed, false)
  }
}
