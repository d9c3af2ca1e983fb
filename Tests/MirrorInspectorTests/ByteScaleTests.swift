import LiveViewMirror
import Testing

@testable import MirrorInspector

/// The bars of the timeline.
@Suite struct ByteScaleTests {
  @Test func `a bar is as long as its size, in proportion to the others`() {
    let scale = ByteScale(for: [512, 1_024, 2_048])
    #expect([512, 1_024, 2_048].map { scale.length(of: $0) } == [5, 10, 20])
    let uneven = ByteScale(for: [20, 500, 5_000])
    #expect([20, 500, 5_000].map { uneven.length(of: $0) } == [1, 1, 12])
  }

  @Test func `a bar is never empty, never too long, and never longer than that of a larger size`() {
    for largest in [0, 1, 2, 3, 500, 1 << 20, .max] {
      let scale = ByteScale(for: [largest])
      let lengths = [0, 1, 2, 20, 500, 5_000, 1 << 30, .max].map { scale.length(of: $0) }
      #expect(lengths == lengths.sorted() && lengths.allSatisfy { (1...20).contains($0) })
      #expect(scale.length(of: largest) >= 10 || largest == 0)
    }
    #expect(ByteScale(for: []).length(of: 7) == 20)
  }

  @Test func `a new largest diff changes the other bars only beyond the next power of two`() {
    let scales = [ByteScale(for: [300]), ByteScale(for: [300, 512])]
    #expect(scales.map { $0.length(of: 300) } == [12, 12])
    #expect(ByteScale(for: [300, 513]).length(of: 300) == 6)
  }

  @Test func `the mount does not make the bars of the diffs invisible`() throws {
    let text = String(repeating: "x", count: 100_000)
    let view = try SampleView.mounted(
      #"{"0":"0","1":"\#(text)","s":["<p>","</p>","<i></i>"]}"#,
      diffs: [#"{"0":"1"}"#, #"{"0":"\#(text.prefix(500))"}"#, #"{"0":"\#(text.prefix(5_000))"}"#])
    let page = ParsedPage(try view.page())
    let bars = page.elements("span", class: "bytes").map {
      $0.element.classes.compactMap { $0.hasPrefix("bar-") ? Int($0.dropFirst(4)) : nil }.first
    }
    #expect(bars == [12, 1, 1, 20])
    #expect(page.elements("span", class: "cut-off").map { page.text(of: $0.place) } == ["100.0 kB"])
  }
}
