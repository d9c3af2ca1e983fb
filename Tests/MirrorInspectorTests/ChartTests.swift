import Foundation
import LiveViewMirror
import MarkupDocument
import Testing

@testable import MirrorInspector

/// The chart above the timeline: its axis, and the bar of the mount.
@Suite struct ChartTests {
  private func chart(_ rendered: String, diffs: Int) throws -> ParsedPage {
    let view = try SampleView.mounted(rendered, diffs: (1...diffs).map { #"{"0":"\#($0 % 10)"}"# })
    return ParsedPage(try view.page())
  }

  private static let small = #"{"s":["<p>","</p>"],"0":"0"}"#

  @Test func `the times of three bars are below the chart`() throws {
    for (diffs, count) in [(1, 2), (2, 3), (200, 3)] {
      let page = try chart(Self.small, diffs: diffs)
      let axis = try #require(page.first("p", "axis"))
      #expect(page.all("time", in: axis).count == count)
    }
    #expect(ParsedPage(try SampleView.counter().page()).first("p", "axis") == nil)
  }

  @Test func `the bar of a mount that is larger than the chart has a gap, and its title says so`() throws {
    let page = try chart(#"{"s":["<p>\#(String(repeating: "x", count: 500))","</p>"],"0":"0"}"#, diffs: 3)
    let chart = try #require(page.first("svg", "chart"))
    #expect(page.all("rect", "gap", in: chart).count == 1)
    let titles = page.all("title", in: chart).map { page.words(of: $0) }
    #expect(titles.first == "v0: 528 B, cut off: larger than the largest diff")
    #expect(titles.dropFirst() == ["v1: 9 B", "v2: 9 B", "v3: 9 B"])
    let diff = #"{"0":"\#(String(repeating: "y", count: 100))"}"#
    let even = ParsedPage(try SampleView.mounted(Self.small, diffs: [diff]).page())
    #expect(even.elements("rect", class: "gap").isEmpty)
  }

  @Test func `most new versions of a long log change neither the chart nor its axis`() throws {
    let regions = try (197...200).map { diffs -> String in
      let html = try SampleView.mounted(Self.small, diffs: (1...diffs).map { #"{"0":"\#($0 % 10)"}"# }).page().text
      let start = try #require(html.range(of: #"<div id="chart""#)?.lowerBound)
      let end = try #require(html.range(of: #"<div id="place""#)?.lowerBound)
      // The times are those at which the sample view got its diffs.
      return String(html[start..<end]).replacing(/<time.*?<\/time>/, with: "")
    }
    #expect(Set(regions).count == 2)
  }
}
