import LiveViewMirror
import MirrorAnalysis
import MarkupDocument
import MirrorViews
import NodeObservation
import RecordingFixtures
import Testing

/// Every count of subscribers and evaluations equals that of a naive registry, which lists the
/// subscribers of each node anew, and of a naive evaluator, which compares the inputs and outputs
/// of all bodies in the documents before and after.
@Suite struct CountedViewsTests {
  @Test func `subscribers, notified ones, evaluations, and evaluations for nothing equal naive counts`() throws {
    var (evaluated, forNothing, throughChildren) = (0, 0, 0)
    let steps = 100
    for seed in 0..<UInt64(TestEffort.count(20, all: 200, long: 1_000)) {
      var random = SplitMix(state: seed)
      var page = CountedPage(&random)
      let view = LiveViewCoordinator(
        id: "main", options: UpdateOptions(pipeline: seed % 4 == 0 ? .full : .scoped, drawsPage: true).withAnalyses,
        registry: CountedPage.registry)
      try view.mount(page.json(isMount: true), dialect: .html)
      var clients: [(node: NodeRef, subscription: NodeSubscription)] = []
      for step in 1...steps {
        // On some pages, only the views that must be drawn are.
        if seed % 3 != 0 { _ = view.page?.markup }
        let before = try #require(view.document)
        if random.one(in: 3), let node = before.nodes(from: before.root).randomElement(using: &random) {
          clients.append((node, view.publishers.subscribe(to: node) { _ in }))
        }
        if random.one(in: 4), !clients.isEmpty {
          clients.remove(at: random.below(clients.count)).subscription.cancel()
        }
        page.change(&random)
        let record = try view.update(page.json(isMount: false))
        let naive = NaiveViews(
          before: before, after: try #require(view.document), clients: clients.map(\.node), isDrawn: seed % 3 != 0)
        let faults = naive.faults(of: record, of: view)
        #expect(faults.isEmpty, "seed \(seed), step \(step): \(faults.joined(separator: "; "))")
        if !faults.isEmpty { return }
        evaluated += record.isolation.views?.evaluations.count ?? 0
        forNothing += record.isolation.views?.forNothing ?? 0
        throughChildren += record.isolation.views?.evaluations.count { $0.reasons.contains { $0.isOfChild } } ?? 0
      }
    }
    // Otherwise the test would compare zeros.
    #expect(evaluated > 1_000 && forNothing > 100 && throughChildren > 100)
  }
}

extension EvaluationReason {
  fileprivate var isOfChild: Bool { if case .child = self { true } else { false } }
}

// MARK: - Pages

/// A random tree of elements with a text each, as one dynamic.
private struct CountedPage {
  private final class Node {
    let tag: String
    let id: Int?
    var (level, number, text) = ("off", 0, "")
    var children: [Node] = []

    init(_ tag: String, id: Int?) { (self.tag, self.id) = (tag, id) }

    var markup: String {
      let id = id.map { " id=\"\($0)\"" } ?? ""
      let content = children.map(\.markup).joined()
      return "<\(tag)\(id) class=\"\(level)\" n=\"\(number)\">\(text)\(content)</\(tag)>"
    }

    var all: [Node] { [self] + children.flatMap(\.all) }
  }

  private let root = Node("x-plain", id: 0)
  private var lastID = 0

  init(_ random: inout SplitMix) { for _ in 0..<12 { add(&random) } }

  private mutating func add(_ random: inout SplitMix) {
    lastID += 1
    let tags = ["x-plain", "x-group", "x-outer", "x-reader"]
    let node = Node(tags[random.below(tags.count)], id: random.one(in: 2) ? lastID : nil)
    let nodes = root.all
    let parent = nodes[random.below(nodes.count)]
    parent.children.insert(node, at: random.below(parent.children.count + 1))
  }

  mutating func change(_ random: inout SplitMix) {
    for _ in 0...random.below(2) {
      let nodes = root.all
      let node = nodes[random.below(nodes.count)]
      switch random.below(8) {
      case 0: if nodes.count < 30 { add(&random) }
      case 1: if !node.children.isEmpty { node.children.remove(at: random.below(node.children.count)) }
      case 2: node.children.shuffle(using: &random)
      case 3:
        // A node that goes to another parent keeps its identity if it has an id.
        let other = nodes[random.below(nodes.count)]
        if let place = node.children.firstIndex(where: { child in !child.all.contains { $0 === other } }) {
          other.children.append(node.children.remove(at: place))
        }
      case 4: node.text = ["", "a", "b"][random.below(3)]
      case 5: node.number = random.below(4)
      default: node.level = ["on", "off", "other"][random.below(3)]
      }
    }
  }

  func json(isMount: Bool) -> [UInt8] {
    let markup = root.markup.replacing("\"", with: "\\\"")
    return Array((isMount ? #"{"s":["",""],"0":"\#(markup)"}"# : #"{"0":"\#(markup)"}"#).utf8)
  }

  // MARK: - Views

  static var registry: ViewRegistry {
    var registry = ViewRegistry { _ in Plain() }
    registry.register("x-group") { _ in Group() }
    registry.register("x-outer") { _ in Outer() }
    registry.register("x-reader") { _ in Reader() }
    return registry
  }

  private struct Plain: PageView {
    @ObservedElement private var element
    @Attribute("class") private var level: String?
    var body: some View { Tag("div", ["class": level]) { Children(of: element) } }
  }

  private struct Group: PageView {
    @ObservedElement(observeChildren: true) private var element
    var body: some View {
      Tag("div") {
        Text("\(element.childElements.count { $0.element["class"] == "on" })")
        Children(of: element)
      }
    }
  }

  private struct Outer: PageView {
    @ObservedElement private var element
    var body: some View {
      Tag("div") {
        Inner(level: element["class"] ?? "")
        Children(of: element)
      }
    }
  }

  private struct Inner: PageView {
    let level: String
    var body: some View { Text(String(level.prefix(1))) }
  }

  private struct Reader: PageView {
    @ObservedElement private var element
    var body: some View {
      Tag("div") {
        Reading()
        Children(of: element)
      }
    }
  }

  private struct Reading: PageView {
    @Attribute("n") private var number = 0
    var body: some View { Text("\(number / 2)") }
  }
}

// MARK: - Naive counts

private struct NaiveViews {
  let before: Document
  let after: Document
  let clients: [NodeRef]
  /// Whether each view was drawn before the update.
  let isDrawn: Bool

  /// One body: the view's type, what it depends on, and what it writes.
  private struct Body: Equatable {
    var inputs: String
    var output: String
  }

  func faults(of record: ChangeRecord, of view: LiveViewCoordinator) -> [String] {
    var faults: [String] = []
    func compare(_ what: String, _ is: some Equatable, _ should: some Equatable) {
      if "\(`is`)" != "\(should)" { faults.append("\(what): \(`is`), naively \(should)") }
    }
    let notified = before.nodes(from: before.root).filter { after.contains($0) && isNotified($0) }
    compare("notified", Set(record.notified).map(\.number).sorted(), notified.map(\.number).sorted())
    let called = notified.reduce(0) { $0 + subscribers(of: $1, in: before) }
    compare("observers", record.observerCount, called)
    let all = after.nodes(from: after.root)
    compare("everybody", record.allObserverCount, max(called, all.reduce(0) { $0 + subscribers(of: $1, in: after) }))
    for node in all {
      compare("subscribers of \(node)", view.publishers.count(of: node).total, subscribers(of: node, in: after))
    }
    // A view may continue as that of a new element with the same id, which is evaluated as well.
    let evaluations = (record.isolation.views?.evaluations ?? []).filter {
      before.contains($0.node) && $0.node != before.root
    }
    let expected = evaluated(notified: Set(notified)).sorted()
    if isDrawn {
      compare("evaluations", evaluations.map(line).sorted(), expected)
    } else {
      // Views that were not drawn are drawn when they are notified, so all of their inner views are
      // new.
      let own = evaluations.filter { $0.type != "Inner" && $0.type != "Reading" }.map { "\($0.node.number) \($0.type)" }
      compare(
        "evaluations", own.sorted(),
        expected.map { String($0.prefix { $0 != ":" }) }.filter { !$0.hasSuffix("Inner") && !$0.hasSuffix("Reading") }
          .sorted())
    }
    return faults
  }

  private func line(_ evaluation: Evaluation) -> String {
    "\(evaluation.node.number) \(evaluation.type):\(evaluation.isForNothing ? " for nothing" : "")"
  }

  // MARK: - The registry

  private func subscribers(of node: NodeRef, in document: Document) -> Int {
    let readers = clients.count { $0 == node }
    guard document.content(of: node)?.element != nil else { return (node == document.root ? 1 : 0) + readers }
    return 1 + readers + (document.parent(of: node).map { tag(of: $0, in: document) } == "x-group" ? 1 : 0)
  }

  private func tag(of node: NodeRef, in document: Document) -> String {
    document.content(of: node)?.element?.tag ?? ""
  }

  private func isNotified(_ node: NodeRef) -> Bool {
    if let element = after.content(of: node)?.element, before.content(of: node)?.element != element { return true }
    let (old, new) = (before.children(of: node), after.children(of: node))
    if old != new { return true }
    return new.contains { child in
      let (a, b) = (before.content(of: child), after.content(of: child))
      return b?.element == nil && a != b
    }
  }

  // MARK: - The evaluator

  private func evaluated(notified: Set<NodeRef>) -> [String] {
    var lines: [String] = []
    for node in before.nodes(from: before.root) where before.content(of: node)?.element != nil && after.contains(node) {
      let isGroup = tag(of: node, in: before) == "x-group"
      let isDue =
        notified.contains(node)
        || isGroup && before.children(of: node).contains { notified.contains($0) && isElement($0) }
      if !isDue { continue }
      let (old, new) = (bodies(of: node, in: before), bodies(of: node, in: after))
      let innerInputs =
        old.filter { $0.key == "Inner" }.values.first?.inputs == new.filter { $0.key == "Inner" }.values.first?.inputs
      for (type, body) in new {
        let isSame = old[type]?.output == body.output
        switch type {
        case "Inner":
          if old[type]?.inputs != body.inputs { lines.append("\(node.number) Inner:\(isSame ? " for nothing" : "")") }
        case "Outer": lines.append("\(node.number) Outer:\(isSame && innerInputs ? " for nothing" : "")")
        default: lines.append("\(node.number) \(type):\(isSame ? " for nothing" : "")")
        }
      }
    }
    return lines
  }

  private func isElement(_ node: NodeRef) -> Bool { before.content(of: node)?.element != nil }

  /// The bodies in the view of an element, by their types.
  private func bodies(of node: NodeRef, in document: Document) -> [String: Body] {
    guard let element = document.content(of: node)?.element else { return [:] }
    let content = document.children(of: node).map { child in
      if case .text(let text)? = document.content(of: child) { text } else { "{\(child.number)}" }
    }.joined()
    switch element.tag {
    case "x-group":
      let count = document.children(of: node).count { document.content(of: $0)?.element?["class"] == "on" }
      return ["Group": Body(inputs: "", output: "\(count)\(content)")]
    case "x-outer":
      let level = element["class"] ?? ""
      return [
        "Outer": Body(inputs: "", output: content), "Inner": Body(inputs: level, output: String(level.prefix(1))),
      ]
    case "x-reader":
      let number = Int(element["n"] ?? "") ?? 0
      return ["Reader": Body(inputs: "", output: content), "Reading": Body(inputs: "", output: "\(number / 2)")]
    default: return ["Plain": Body(inputs: "", output: "\(element["class"] ?? "")|\(content)")]
    }
  }
}
