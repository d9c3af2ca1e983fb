import RecordingFixtures

/// The form in which updates are sent: LiveView 1.0 (`d`), 1.1 (`k`, templates at the root) or 1.2
/// (`km`).
enum WireForm: CaseIterable, Sendable { case v10, v11, v12 }

/// The templates that one part of an update refers to by number.
struct TemplateTable: Sendable {
  private var numbers: [Int: Int] = [:]
  /// The templates, by number.
  private(set) var order: [Int] = []

  mutating func number(of template: Int) -> Int {
    if let known = numbers[template] { return known }
    numbers[template] = order.count
    order.append(template)
    return order.count - 1
  }
}

/// A page with random values, sent as a LiveView server sends it.
///
/// The format of the messages does not depend on the values. Random choices come from ``random``,
/// so one server sends equal changes in different forms.
protocol PageServer {
  var wire: WireForm { get }
  var random: SplitMix { get set }
  var root: PageFragment { get }
  var components: [Int: PageFragment] { get set }
  /// Additional members of every component that is sent with its statics or with a reference to
  /// them.
  var componentMembers: [(String, JSON)] { get }

  func statics(of template: Int) -> [String]
  /// Whether a fragment of the template has one root element (`r`).
  func isRoot(_ template: Int) -> Bool
  /// The template that is sent for this one: several templates with equal statics have one number
  /// in a ``TemplateTable``.
  func representative(of template: Int) -> Int
  mutating func note(_ feature: String)
}

extension PageServer {
  var componentMembers: [(String, JSON)] { [] }

  func isRoot(_ template: Int) -> Bool { false }

  func representative(of template: Int) -> Int { template }

  mutating func note(_ feature: String) {}

  // MARK: - The page

  /// The whole page, as in a mount.
  mutating func whole() -> [(String, JSON)] {
    var table = wire == .v10 ? nil : TemplateTable()
    var members = full(root, against: nil, &table)
    appendTemplates(of: table, to: &members)
    var none: TemplateTable?
    if !components.isEmpty {
      let whole = components.sorted { $0.key < $1.key }.map { cid, component in
        ("\(cid)", JSON.object(full(component, against: nil, &none) + componentMembers))
      }
      members.append(("c", .object(whole)))
    }
    return members
  }

  func components(reachedFrom values: [PageValue]) -> Set<Int> {
    var reached: Set<Int> = []
    var pending = values.components
    while let cid = pending.popLast() {
      if reached.insert(cid).inserted { pending += components[cid]?.values.components ?? [] }
    }
    return reached
  }

  /// Removes the components that the page does not reach.
  ///
  /// - Returns: the removed components.
  mutating func dropUnreachedComponents() -> [Int] {
    let reached = components(reachedFrom: root.values)
    let dropped = components.keys.filter { !reached.contains($0) }.sorted()
    for cid in dropped { components[cid] = nil }
    return dropped
  }

  // MARK: - Whole values

  /// The members of a whole fragment. With a `source` of the same template, the statics are left
  /// out: the receiver inherits them.
  mutating func full(
    _ fragment: PageFragment, against source: PageFragment?, _ table: inout TemplateTable?
  ) -> [(String, JSON)] {
    var members = slots(fragment.values, against: source?.values, &table)
    if source == nil {
      members.append(statics(fragment.template, &table))
      if isRoot(fragment.template) { members.append(("r", .int(1))) }
    }
    return members
  }

  mutating func full(_ value: PageValue, against source: PageValue?, _ table: inout TemplateTable?) -> JSON {
    switch value {
    case .text(let text): return .string(text)
    case .component(let cid): return .int(cid)
    case .fragment(let fragment):
      var same: PageFragment?
      if case .fragment(let known) = source, known.template == fragment.template { same = known }
      return .object(full(fragment, against: same, &table))
    case .list(let list):
      if !list.wasSent { return .string("") }
      var inherits = false
      if case .list(let known) = source { inherits = known.wasSent }
      return whole(list, withStatics: !inherits, &table)
    case .stream(let stream): return whole(stream, withStatics: true, &table)
    }
  }

  mutating func slots(
    _ values: [PageValue], against source: [PageValue]? = nil, _ table: inout TemplateTable?
  ) -> [(String, JSON)] {
    var members: [(String, JSON)] = []
    for (index, value) in values.enumerated() {
      members.append(("\(index)", full(value, against: source?[index], &table)))
    }
    return members
  }

  mutating func whole(_ list: PageList, withStatics: Bool, _ table: inout TemplateTable?) -> JSON {
    whole(list.entries.map(\.values), of: list.template, withStatics: withStatics, [], &table)
  }

  mutating func whole(_ stream: PageStream, withStatics: Bool, _ table: inout TemplateTable?) -> JSON {
    let inserts = stream.inserts.map { item -> JSON in
      let fields: [JSON] = [.string(item.id), .int(item.at), item.limit.map { .int($0) } ?? .null]
      return .array(wire == .v10 ? fields : fields + [item.updateOnly ? .bool(true) : .null])
    }
    var fields: [JSON] = [.string(stream.ref), .array(inserts), .array(stream.deletes.map { .string($0) })]
    if stream.isReset { fields.append(.bool(true)) }
    return whole(
      stream.inserts.map(\.values), of: stream.template, withStatics: withStatics, [("stream", .array(fields))], &table)
  }

  private mutating func whole(
    _ rows: [[PageValue]], of template: Int, withStatics: Bool, _ more: [(String, JSON)],
    _ table: inout TemplateTable?
  ) -> JSON {
    let isOutermost = table == nil
    var inner: TemplateTable? = table ?? TemplateTable()
    var entries: [[(String, JSON)]] = []
    for row in rows { entries.append(slots(row, &inner)) }
    var members = [keyed(entries)] + more
    if withStatics {
      if isOutermost, wire == .v10 || random.one(in: 2) {
        var none: TemplateTable?
        members.append(statics(template, &none))
      } else {
        members.append(statics(template, &inner))
      }
    }
    if isOutermost { appendTemplates(of: inner, to: &members) } else { table = inner }
    return .object(members)
  }

  private func keyed(_ entries: [[(String, JSON)]]) -> (String, JSON) {
    if wire == .v10 { return ("d", .array(entries.map { .array($0.map(\.1)) })) }
    return ("k", .object(entries.enumerated().map { ("\($0)", .object($1)) } + [("kc", .int(entries.count))]))
  }

  // MARK: - Templates

  func appendTemplates(of table: TemplateTable?, to members: inout [(String, JSON)]) {
    guard let table, !table.order.isEmpty else { return }
    members.append(("p", .object(table.order.enumerated().map { ("\($0)", strings(statics(of: $1))) })))
  }

  private func statics(_ template: Int, _ table: inout TemplateTable?) -> (String, JSON) {
    if let number = table?.number(of: representative(of: template)) { return ("s", .int(number)) }
    return ("s", strings(statics(of: template)))
  }

  private func strings(_ strings: [String]) -> JSON { .array(strings.map { .string($0) }) }
}
