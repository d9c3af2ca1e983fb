import LiveViewMirror
import MicroHTTP
import PostgresFixture
import Testing

/// A journal that several mirrors share.
enum SharedKind: CaseIterable {
  case memory, postgres

  static var allCases: [SharedKind] { PostgresServer.isLeftOut ? [.memory] : [.memory, .postgres] }
}

/// Three mirrors with one journal.
final class SharedMirrors: @unchecked Sendable {
  static let counter = #"{"0":"0","s":["<p>Count: ","</p>"]}"#

  let all: [JournaledMirror]
  private let memory: SharedMemory?
  private let place: JournalPlace?

  init(_ kind: SharedKind) throws {
    let memory = kind == .memory ? SharedMemory() : nil
    let place = kind == .memory ? nil : try JournalPlace(.postgres)
    all = try (0..<3).map { _ in try JournaledMirror(memory.map { $0.store() } ?? place?.open()) }
    (self.memory, self.place) = (memory, place)
  }

  deinit {
    for mirror in all { mirror.stop() }
  }

  subscript(number: Int) -> JournaledMirror { all[number % all.count] }

  /// The number of views that were not written because another mirror had changed them; `nil` if the journal does not count them.
  var conflicts: Int? { memory?.conflicts }

  /// - Parameter view: from now on, each change of this view fails, as if another mirror had changed it first; `nil` for none.
  func refuse(_ view: String?) { memory?.refused = view }

  /// Checks that all mirrors show the same, byte for byte.
  func agree(_ comment: String = "", sourceLocation: SourceLocation = #_sourceLocation) throws {
    let first = try all[0].everything()
    for mirror in all.dropFirst() {
      let difference = difference(first, try mirror.everything())
      #expect(difference == nil, "\(comment)", sourceLocation: sourceLocation)
    }
  }
}
