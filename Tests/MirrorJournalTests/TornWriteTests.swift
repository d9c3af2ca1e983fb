import Foundation
import LiveViewMirror
import MirrorJournal
import RecordingFixtures
import Testing

/// A copy of the database whose write-ahead log was cut at any byte opens, and has a prefix of what
/// was written.
@Suite struct TornWriteTests {
  @Test func `a write-ahead log that was cut holds a prefix`() throws {
    let place = try JournalPlace(.sqlite)
    let mirror = try JournaledMirror(place.open())
    defer { mirror.stop() }
    try mirror.post("/views/counter/rendered", #"{"0":"0","s":["<p>Count: ","</p>"]}"#)
    var pages = [try mirror.text("/views/counter/html")]
    // Sizes of the log after each answered diff: a cut there must keep that diff.
    var answered: [Int] = []
    for count in 1...40 {
      try mirror.post("/views/counter/diffs", #"{"0":"\#(count)"}"#)
      pages.append(try mirror.text("/views/counter/html"))
      answered.append(try log(place).count)
    }
    let (database, log) = (try Data(contentsOf: URL(filePath: place.path)), try log(place))
    #expect(log.count > 40 * 4_096)

    var random = SplitMix(state: 29)
    let edges = answered.flatMap { [$0 - 1, $0, $0 + 1] } + [0, 1, 31, 32, 33, log.count]
    let cuts = edges + (0..<TestEffort.count(60, long: 3_000)).map { _ in random.below(log.count) }
    for cut in cuts where cut <= log.count {
      let torn = try JournalPlace(.sqlite)
      try database.write(to: URL(filePath: torn.path))
      try log.prefix(cut).write(to: URL(filePath: torn.path + "-wal"))
      let mirror = try JournaledMirror(torn.open())
      defer { mirror.stop() }
      guard let view = mirror.views["counter"]?.view else {
        #expect(answered[0] > cut)
        continue
      }
      // Everything up to the last complete transaction is there, and nothing that was not written.
      #expect(view.version >= answered.count { $0 <= cut }, "cut at byte \(cut)")
      #expect(try mirror.text("/views/counter/html") == pages[view.version], "cut at byte \(cut)")
      #expect(try mirror.post("/views/counter/diffs", #"{"0":"next"}"#) == 200)
    }
  }

  private func log(_ place: JournalPlace) throws -> Data { try Data(contentsOf: URL(filePath: place.path + "-wal")) }
}
