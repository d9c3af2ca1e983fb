import MarkupDocument
import Testing

/// Streams of many items with indexes and limits. If one step examined all items, these tests would
/// take minutes.
@Suite struct LargeStreamTests {
  static let ids = (0..<20_000).map { "i\($0)" }

  private func items(_ at: Int, limit: Int? = nil) -> [StreamPatch] {
    [StreamTests.patch(Self.ids.map { .init(id: $0, at: at, limit: limit) })]
  }

  private func shown(_ held: ContentBeforeJoin) -> [String] {
    held.document.nodes(from: held.document.root).compactMap { held.document.content(of: $0)?.element?.id }
  }

  @Test(arguments: [0, -1])
  func `many items are inserted at their indexes`(at: Int) {
    var held = ContentBeforeJoin(StreamTests.list([]))
    held.update(StreamTests.list(Self.ids), streams: items(at))
    #expect(shown(held) == ["l"] + (at == 0 ? Self.ids.reversed() : Self.ids))
    held.update(StreamTests.list(Self.ids, "!"), streams: items(at))
    #expect(shown(held) == ["l"] + (at == 0 ? Self.ids.reversed() : Self.ids))
    #expect(held.faults == [])
  }

  @Test(arguments: [(0, 100), (-1, -100)])
  func `a limit is applied after every item`(at: Int, limit: Int) {
    var held = ContentBeforeJoin(StreamTests.list([]))
    held.update(StreamTests.list(Self.ids), streams: items(at, limit: limit))
    #expect(shown(held) == ["l"] + (at == 0 ? Self.ids.suffix(100).reversed() : Self.ids.suffix(100)))
    #expect(held.faults == [])
  }
}
