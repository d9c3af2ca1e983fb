import DocumentInvariants
import LiveViewMirror
import MirrorAnalysis
import MarkupDocument
import RecordingFixtures
import RenderedTree
import Testing

/// Bodies of a random server with random damage: none of them crashes the mirror, and a refused
/// body leaves the view unchanged.
@Suite struct MutatedBodyTests {
  static let bodies = 3_000

  @Test(arguments: WireForm.allCases)
  func `a mutated body is either refused or applied completely`(wire: WireForm) throws {
    var random = SplitMix(state: 99)
    var tried = 0
    var refused = 0
    var seed: UInt64 = 0
    while tried < Self.bodies {
      seed += 1
      var server = RandomServer(wire: wire, seed: seed)
      let mount = Array(server.mount().utf8)
      let view = LiveViewCoordinator(id: "main", options: UpdateOptions().withAnalyses)
      try view.mount(mount, dialect: .html)
      for _ in 0..<20 {
        let good = Array(server.step().diff.utf8)
        for _ in 0..<5 {
          let isMount = random.one(in: 8)
          let bad = Self.broken(isMount ? mount : good, &random)
          tried += 1
          if let fault = try attempt(bad, isMount: isMount, on: view, &refused) {
            Issue.record("seed \(seed): \(fault)\nfor \(String(decoding: bad, as: UTF8.self))")
            return
          }
        }
        // A valid body is applied to a view without a damaged one. If the view has applied a
        // damaged body, it is mounted again.
        try view.mount(Array(server.mount().utf8), dialect: .html)
        #expect(view.markup == Document(parsing: server.markup).markup)
      }
    }
    // The test would prove nothing if the damage left every body valid, or none.
    #expect((Self.bodies / 4...Self.bodies).contains(refused))
    #expect(refused < tried)
  }

  /// The violated expectation after a body was tried; `nil` if there is none.
  private func attempt(
    _ body: [UInt8], isMount: Bool, on view: LiveViewCoordinator, _ refused: inout Int
  ) throws -> String? {
    let before = Untouched(view)
    let old = try #require(view.document)
    let record: ChangeRecord
    do throws(UpdateError) {
      record = isMount ? try view.mount(body, dialect: .html) : try view.update(body)
    } catch {
      refused += 1
      let after = Untouched(view)
      if after != before { return "\(error) changed \(before) to \(after)" }
      return (error.pointer == nil) == (error.offset == nil) ? "\(error) has no place" : nil
    }
    let new = try #require(view.document)
    let faults = new.checkInvariants()
    if !faults.isEmpty { return faults.joined(separator: ", ") }
    guard let rendered = try? view.view?.rendered.render().markup else { return "the tree has no markup" }
    // The page alone does not show which nodes the client keeps, and which components it skips.
    let page = Page(parsing: rendered, dialect: .html, isInView: true)
    let isTold =
      String(decoding: rendered, as: UTF8.self).contains("phx-update")
      || view.view?.rendered.components.isEmpty == false || old.hasDuplicateIDs
    if !isTold, Outline.lines(of: new.tree) != Outline.lines(of: page.tree) { return "the document is \(view.markup)" }
    return isMount ? nil : RandomServerTests.fault(of: record, from: old, to: new)
  }

  // MARK: - Damage

  private static func broken(_ body: [UInt8], _ random: inout SplitMix) -> [UInt8] {
    var body = body
    for _ in 0...random.below(2) {
      switch random.below(7) {
      case 0: body[random.below(body.count)] ^= 1 << UInt8(random.below(8))
      case 1: body[random.below(body.count)] = UInt8(random.below(256))
      case 2: body.removeSubrange(range(in: body, &random))
      case 3:
        let piece = body[range(in: body, &random)]
        body.insert(contentsOf: piece, at: random.below(body.count + 1))
      case 4:
        // Another digit: it may refer to another slot, position or component.
        let digits = body.indices.filter { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(body[$0]) }
        if let position = digits.randomElement(using: &random) { body[position] = UInt8(48 + random.below(10)) }
      case 5:
        let values = tokens(of: body)
        if let a = values.randomElement(using: &random), let b = values.randomElement(using: &random) {
          body.replaceSubrange(a, with: Array(body[b]))
        }
      default:
        let values = tokens(of: body)
        let strange = [
          "null", "-1", "0", "1", "{}", "[]", "\"\"", "1e9", "9223372036854775807", "{\"s\":[\"\"]}",
          "{\"k\":{\"kc\":0}}",
        ]
        if let value = values.randomElement(using: &random), let text = strange.randomElement(using: &random) {
          body.replaceSubrange(value, with: Array(text.utf8))
        }
      }
      if body.isEmpty { body = Array("{}".utf8) }
    }
    return body
  }

  private static func range(in body: [UInt8], _ random: inout SplitMix) -> Range<Int> {
    let start = random.below(body.count)
    return start..<min(body.count, start + 1 + random.below(12))
  }

  /// The ranges of all strings, numbers, objects and arrays.
  private static func tokens(of body: [UInt8]) -> [Range<Int>] {
    var tokens: [Range<Int>] = []
    var open: [Int] = []
    var position = 0
    while position < body.count {
      switch body[position] {
      case UInt8(ascii: "{"), UInt8(ascii: "["): open.append(position)
      case UInt8(ascii: "}"), UInt8(ascii: "]"): if let start = open.popLast() { tokens.append(start..<position + 1) }
      case UInt8(ascii: "\""):
        let start = position
        position += 1
        while position < body.count, body[position] != UInt8(ascii: "\"") {
          position += body[position] == UInt8(ascii: "\\") ? 2 : 1
        }
        tokens.append(start..<min(body.count, position + 1))
      case UInt8(ascii: "0")...UInt8(ascii: "9"):
        let start = position
        while position + 1 < body.count, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(body[position + 1]) {
          position += 1
        }
        tokens.append(start..<position + 1)
      default: break
      }
      position += 1
    }
    return tokens
  }
}

extension Document {
  init(parsing markup: String) {
    self.init(dialect: .html, epoch: 1)
    let morph = Morph.changes(from: self, to: Page(parsing: Array(markup.utf8), dialect: .html))
    apply(morph.changes, marks: morph.marks)
  }

  var markup: String { markup(of: root) }
}
