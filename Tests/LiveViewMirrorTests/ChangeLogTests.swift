import LiveViewMirror
import MarkupDocument
import MirrorViews
import Testing

@Suite struct ChangeLogTests {
  @Test
  func `every version is found between rejections, and a copy of the log stays unchanged`() throws {
    let view = try LiveViewCoordinator.mounted(#"{"0":"","s":["<p>","</p>"]}"#)
    var copies: [ChangeLog] = []
    for number in 0..<400 {
      if number % 5 == 0 { #expect(throws: UpdateError.self) { try view.update(#"{"9":"x"}"#) } }
      let record = try view.update(#"{"0":"\#(number)"}"#)
      #expect(view.log.record(of: record.version)?.timings == record.timings)
      if number % 50 == 0 { copies.append(view.log) }
    }
    let log = view.log
    #expect((log.diffCount, log.rejectionCount) == (400, 80))
    #expect(log.record(of: 0)?.input == #"{"0":"","s":["<p>","</p>"]}"#)
    for version in 1...400 { #expect(log.record(of: version)?.input == #"{"0":"\#(version - 1)"}"#) }
    #expect(log.record(of: 401) == nil)
    #expect(log.record(of: -1) == nil)
    for (index, copy) in copies.enumerated() {
      #expect((copy.diffCount, copy.rejectionCount) == (index * 50 + 1, index * 10 + 1))
      #expect(copy.last(.max).map(\.cursor) == log.slice(after: nil, limit: index * 60 + 3).entries.map(\.cursor))
    }
  }
}
