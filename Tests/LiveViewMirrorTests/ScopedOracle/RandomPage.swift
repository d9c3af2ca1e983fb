import RecordingFixtures

/// A LiveView with random templates and random state, which it sends as a LiveView server does.
///
/// Create it with a seed and a profile, then call ``mount()`` once and ``step()`` any number of
/// times.
struct RandomPage: Sendable {
  let profile: OracleProfile
  let wire: WireForm
  var random: SplitMix
  var templates: [PageTemplate] = []
  /// The number of templates whose generation has begun but not ended. They count towards
  /// `maximumTemplates`.
  var openTemplates = 0
  /// Open elements that must not contain themselves.
  var openTags: Set<String> = []
  var componentTemplates: [PageContext: [Int]] = [:]
  var root = PageFragment(template: 0, values: [])
  var components: [Int: PageFragment] = [:]
  var nextKey = 0
  var nextCID = 1
  var nextID = 0
  var nextStream = 0
  /// Ids whose owners are removed in this step.
  var freeIDs: [String] = []
  /// How often each feature was generated.
  var features: [String: Int] = [:]
  var plan = ChangePlan()

  init(profile: OracleProfile, seed: UInt64) {
    self.profile = profile
    random = SplitMix(state: seed)
    // Discards the first number, which is similar for neighbouring seeds.
    _ = random.next()
    wire = WireForm.allCases[random.below(WireForm.allCases.count)]
    // A component may be used inside these elements, so its template must not contain them.
    openTags = ["a", "button", "form", "label"]
    for (context, count) in [(PageContext.flow, 2), (.items, 1), (.rows, 1)] where random.below(30) < profile.components
    {
      let made = (0..<count).map { _ in makeTemplate(context, depth: 2, as: .component) }
      componentTemplates[context] = made
    }
    // A template whose slots may contain the templates before it.
    if componentTemplates[.flow] != nil {
      let outer = makeTemplate(.flow, depth: 1, as: .component)
      componentTemplates[.flow]?.append(outer)
    }
    openTags = []
    let top = makeTemplate(.flow, depth: 0, as: .page)
    root = PageFragment(template: top, values: make(top, depth: 0))
  }

  mutating func note(_ feature: String) { features[feature, default: 0] += 1 }

  // MARK: - Creating values

  mutating func make(_ template: Int, depth: Int) -> [PageValue] {
    templates[template].holes.map { make($0, depth: depth) }
  }

  mutating func make(_ hole: PageHole, depth: Int) -> PageValue {
    switch hole {
    case .text(let kind): return .text(text(kind))
    case .block(let choice):
      if random.one(in: 3) { return .text("") }
      let template = pick(choice)
      return .fragment(PageFragment(template: template, values: make(template, depth: depth + 1)))
    case .list(let template):
      let count = random.below(depth < 2 ? 5 : 3)
      let entries = (0..<count).map { _ in makeEntry(template, depth: depth + 1) }
      return .list(PageList(template: template, entries: entries, wasSent: !entries.isEmpty))
    case .component(let choice):
      if depth > 5 || random.one(in: 4) { return .text("") }
      if let cid = takeHiddenComponent(of: choice) { return .component(cid) }
      note("component made")
      let cid = nextCID
      nextCID += 1
      let template = pick(choice)
      components[cid] = PageFragment(template: template, values: make(template, depth: depth + 2))
      return .component(cid)
    case .stream(let template):
      nextStream += 1
      var stream = PageStream(ref: "\(nextStream)", template: template)
      for _ in 0..<random.below(4) { insertItem(into: &stream, at: -1, limit: nil) }
      return .stream(stream)
    }
  }

  mutating func makeEntry(_ template: Int, depth: Int) -> PageList.Entry {
    nextKey += 1
    return PageList.Entry(key: nextKey, values: make(template, depth: depth))
  }

  /// Inserts an item into a stream, or updates an item.
  ///
  /// - Parameter id: the id of the existing item to update; `nil` inserts a new item.
  mutating func insertItem(
    into stream: inout PageStream, at place: Int, limit: Int?, id: String? = nil, updateOnly: Bool = false
  ) {
    var values = make(stream.template, depth: 3)
    var name = id ?? uniqueID()
    // Sometimes two insertions of one diff have the same id.
    if id == nil, let known = stream.inserts.last?.id, profile.rules > 0, random.one(in: 12) { name = known }
    if let place = templates[stream.template].holes.firstIndex(where: { $0.isItemID }) {
      if case .text(let made) = values[place], id == nil, name != stream.inserts.last?.id { name = made }
      values[place] = .text(name)
    }
    guard !stream.inserts.contains(where: { $0.id == name }) || profile.rules > 0 else { return }
    stream.inserts.append(.init(id: name, at: place, limit: limit, updateOnly: updateOnly, values: values))
    stream.items.removeAll { $0.id == name }
    stream.items.append((name, values.components))
  }
}

extension PageHole {
  var isItemID: Bool { if case .text(.itemID) = self { true } else { false } }
}
