import MarkupDocument
import MirrorSupport
import RenderedTree
import Testing

@testable import LiveViewMirror
import MirrorAnalysis

/// An update for which the memory of the process does not suffice is refused.
@Suite struct ProcessMemoryTests {
  /// The process takes more than a byte, so every update that is checked is refused.
  private let views = LiveViews(options: UpdateOptions(memory: 1).withAnalyses)

  private func list(_ tag: String, _ count: Int) -> [UInt8] {
    let rows = (0..<count).map { "[\"\($0)\"]" }.joined(separator: ",")
    return Array(#"{"0":{"s":["<\#(tag)>","</\#(tag)>"],"d":[\#(rows)]},"s":["<div>","</div>"]}"#.utf8)
  }

  private func refusal(_ update: () throws(UpdateError) -> ChangeRecord) -> String? {
    do throws(UpdateError) {
      _ = try update()
      return nil
    } catch {
      #expect(error.kind == .outOfMemory)
      return error.reason
    }
  }

  @Test func `the resident memory of the process is known`() {
    #if os(Linux)
      #expect(ProcessMemory.resident ?? 0 > 1 << 20)
      ProcessMemory.returnFreeHeap()
    #endif
  }

  @Test func `a large mount, a full update of many nodes and a long body are refused, small ones are not`() throws {
    #expect(refusal { () throws(UpdateError) in try views.mount("a", list("p", 10), dialect: .html) } == nil)
    #expect(refusal { () throws(UpdateError) in try views.update("a", list("b", 20)) } == nil)
    let reasons = [
      refusal { () throws(UpdateError) in try views.mount("b", list("p", 30_000), dialect: .html) },
      refusal { () throws(UpdateError) in try views.update("a", list("p", 30_000)) },
      refusal { () throws(UpdateError) in
        try views.update("a", Array(#"{"0":"\#(String(repeating: "x", count: 3 << 20))"}"#.utf8))
      },
    ]
    for reason in reasons {
      #expect(reason?.contains("start the mirror with more memory (--memory)") == true, "\(reason ?? "accepted")")
    }
    #expect(views["b"] == nil)
    #expect(views["a"]?.markup.contains("<b>19</b>") == true)
  }

  @Test func `a mount that was accepted before is not refused for what is kept beside it`() throws {
    let view = try LiveViewCoordinator.mounted(#"{"s":["<p>1</p>"]}"#)
    var previous = try #require(view.view)
    previous.markupBefore = String(repeating: "a", count: 121 << 20)
    let message = try WireDecoder().update(Array(#"{"s":["<p>2</p>"]}"#.utf8), isMount: true)
    func mount(within bound: MemoryBound) throws(UpdateError) -> ChangeRecord {
      try ViewState.mounting(
        message, Mount(dialect: .html, container: .kept, epoch: 2, previous: previous, markupBefore: nil), id: "main",
        publishers: view.publishers, options: UpdateOptions().withAnalyses, clock: .system, within: bound
      ).record
    }
    #expect(throws: UpdateError.self) { try mount(within: .unlimited) }
    #expect(try mount(within: MemoryBound(nil, refuses: false)).version == 0)
  }
}
