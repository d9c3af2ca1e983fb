import LiveViewMirror
import MirrorAnalysis
import MarkupDocument
import MirrorSupport
import NodeObservation
import RecordingFixtures
import RenderedTree
import Testing

/// Snapshots that were damaged, by accident or on purpose.
@Suite struct DamagedSnapshotTests {
  private static func restore(_ bytes: [UInt8]) throws(SnapshotError) -> ViewState {
    try ViewState(restoring: bytes, publishers: NodePublishers(), options: UpdateOptions().withAnalyses, clock: .system)
  }

  /// A random page after some diffs.
  private static func page(_ profile: OracleProfile, seed: UInt64, steps: Int) throws -> LiveViewCoordinator {
    var page = RandomPage(profile: profile, seed: seed)
    let view = LiveViewCoordinator(id: "main", options: UpdateOptions().withAnalyses)
    try view.mount(Array(page.mount().utf8), dialect: .html)
    for _ in 0..<steps { _ = try? view.update(page.step().diff) }
    return view
  }

  private static func snapshot(of view: LiveViewCoordinator) throws -> [UInt8] { try #require(view.view).snapshot() }

  /// The bytes with the checksum that they should have.
  private static func sealed(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    let hash = bytes.withUnsafeBytes(ByteHash.of)
    return Array(bytes) + (0..<8).map { UInt8(truncatingIfNeeded: hash >> (8 * UInt64($0))) }
  }

  @Test func `no beginning of a snapshot is one, with or without a right checksum`() throws {
    let whole = try Self.snapshot(
      of: .mounted(
        #"{"0":"a","1":{"s":["<li>","</li>"],"k":{"0":{"0":"x"},"kc":1}},"s":["<p id=\"a\">","</p><ul>","</ul>"]}"#))
    _ = try Self.restore(whole)
    for end in whole.indices {
      #expect(throws: SnapshotError.self) { try Self.restore(Array(whole[..<end])) }
      if end < whole.count - 8 { #expect(throws: SnapshotError.self) { try Self.restore(Self.sealed(whole[..<end])) } }
    }
    #expect(throws: SnapshotError.self) { try Self.restore(Self.sealed(whole.dropLast(8) + [0])) }
  }

  @Test func `the checksum finds every change of a byte`() throws {
    var random = SplitMix(state: 1)
    let whole = try Self.snapshot(of: Self.page(.streams, seed: 3, steps: 15))
    for _ in 0..<10_000 {
      var bytes = whole
      let place = random.below(bytes.count)
      bytes[place] ^= UInt8(1 + random.below(255))
      #expect(throws: SnapshotError.self) { try Self.restore(bytes) }
    }
  }

  @Test(arguments: OracleProfile.all)
  func `with a right checksum, changed bytes are refused or give a state that can be written again`(
    profile: OracleProfile
  ) throws {
    var (random, restored) = (SplitMix(state: 2), 0)
    let count = TestEffort.count(400, all: 2_000, long: 100_000)
    let bodies = try (1...4).map { try Self.snapshot(of: Self.page(profile, seed: $0, steps: 12)).dropLast(8) }
    for _ in 0..<count {
      var bytes = bodies[random.below(bodies.count)]
      for _ in 0...random.below(2) {
        let place = 5 + random.below(bytes.count - 5)
        switch random.below(4) {
        case 0: bytes[place] ^= UInt8(1 + random.below(255))
        case 1: bytes[place] = bytes[place] &+ (random.one(in: 2) ? 1 : 255)
        case 2: bytes.remove(at: place)
        default: bytes.insert(UInt8(random.below(256)), at: place)
        }
      }
      guard let state = try? Self.restore(Self.sealed(bytes)) else { continue }
      restored += 1
      let again = state.snapshot()
      #expect(try Self.restore(again).snapshot() == again)
    }
    #expect(restored > 0)
  }

  @Test func `another beginning and another format are named`() throws {
    var bytes = try Self.snapshot(of: .mounted(#"{"s":["a"]}"#))
    bytes[4] = 200
    #expect(throws: SnapshotError.unknownFormat(200)) { try Self.restore(bytes) }
    bytes[0] = 0
    #expect(throws: SnapshotError.notASnapshot) { try Self.restore(bytes) }
    #expect(throws: SnapshotError.notASnapshot) { try Self.restore([]) }
    #expect(
      SnapshotError.malformed("a flag must be 0 or 1", at: 7).description
        == "the snapshot is malformed at byte 7: a flag must be 0 or 1")
  }

  @Test func `a snapshot is of one view`() throws {
    let bytes = try Self.snapshot(of: .mounted(#"{"s":["a"]}"#))
    #expect(throws: SnapshotError.self) {
      try LiveViewCoordinator(restoring: bytes, id: "other", options: UpdateOptions().withAnalyses)
    }
  }

  @Test func `a deep tree needs no deep stack`() throws {
    let depth = 240
    let json =
      String(repeating: #"{"s":["<div>","</div>"],"0":"#, count: depth) + #""x""# + String(repeating: "}", count: depth)
    let view = try LiveViewCoordinator.mounted(json)
    let bytes = try Self.snapshot(of: view)
    #expect(try Self.restore(bytes).snapshot() == bytes)
  }
}
