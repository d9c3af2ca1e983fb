internal import MarkupDocument

/// Something that can be read, and that tells its readers when it differs: a shared value, a property of a model, an
/// element.
protocol ReadSource: AnyObject, Sendable {
  /// Called under the reader's lock: it must not call back.
  func add(_ reader: Reader)
  func remove(_ reader: Reader)
}

/// What a reader reads of: one object that holds a value, or one node of a coordinator.
struct ReadKey: Hashable, Sendable {
  let source: ObjectIdentifier
  var node: NodeRef?

  init(_ source: AnyObject, node: NodeRef? = nil) {
    self.source = ObjectIdentifier(source)
    self.node = node
  }
}

/// Which part of it: of a value there is one.
enum ReadPart: Hashable, Sendable {
  case value
  case existence
  case tag
  case attribute(String)
  case text
  case children
}

/// The readers of one value, in the order in which they came.
final class ReaderList: Sendable {
  private struct Entry: Sendable {
    let order: Int
    let reader: Reader
  }

  private struct State: Sendable {
    var entries: [ObjectIdentifier: Entry] = [:]
    var last = 0
  }

  private let state = Guarded(State())

  var count: Int { state.withLock { $0.entries.count } }

  func add(_ reader: Reader) {
    state.withLock { state in
      state.last += 1
      state.entries[ObjectIdentifier(reader)] = Entry(order: state.last, reader: reader)
    }
  }

  func remove(_ reader: Reader) {
    let gone = state.withLock { $0.entries.removeValue(forKey: ObjectIdentifier(reader)) }
    withExtendedLifetime(gone) {}
  }

  /// Tells every reader that the value was set to a different one.
  ///
  /// - Returns: the last refusal of a reader that would run for ever.
  /// - Complexity: O(*n* log *n*) for *n* readers.
  func signal(_ key: ReadKey) -> PublicationCycle? {
    let entries = state.withLock { $0.entries.isEmpty ? [] : $0.entries.values.sorted { $0.order < $1.order } }
    var refused: PublicationCycle?
    for entry in entries {
      do throws(PublicationCycle) { try entry.reader.signal(key) } catch { refused = error }
    }
    return refused
  }
}
