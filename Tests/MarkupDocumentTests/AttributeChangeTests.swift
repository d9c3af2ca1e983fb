import RecordingFixtures
import Testing

@testable import MarkupDocument

/// Attribute changes are applied one by one or, if there are many, with a table; the result is the
/// same.
@Suite struct AttributeChangeTests {
  private func element(_ names: [Int], _ random: inout SplitMix) -> Element {
    Element(tag: "p", attributes: names.map { .init("a\($0)", "\(Int.random(in: 0..<3, using: &random))") })
  }

  @Test(arguments: [4, 12, 40, 400])
  func `applying the changes between two elements gives the second element`(count: Int) {
    var random = SplitMix(state: UInt64(count))
    for _ in 0..<100 {
      let names = Array(0..<count).shuffled(using: &random)
      let before = element(names.prefix(count * 2 / 3).sorted(), &random)
      let after = element(names.suffix(count * 2 / 3), &random)
      var changed = before
      changed.apply(before.changes(to: after))
      #expect(changed.sameAttributes(as: after))
      // Kept attributes keep their order; new attributes follow.
      let kept = before.attributes.map(\.name).filter { after[$0] != nil }
      #expect(changed.attributes.prefix(kept.count).map(\.name) == kept)
      #expect(changed.attributes.count == after.attributes.count)
    }
  }
}
