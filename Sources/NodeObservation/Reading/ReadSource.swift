package import MarkupDocument
internal import MirrorSupport

/// A tracked source that notifies its readers when it changes: a shared value, a state, an element.
/// A ``Reader`` adds itself before it first reads the source, and removes itself after a run that
/// has not read it.
///
/// Both methods are called under the reader's lock, so they must not call the reader.
package protocol ReadSource: AnyObject, Sendable {
  /// Adds a reader to notify.
  func add(_ reader: Reader)
  /// Removes a reader.
  func remove(_ reader: Reader)
}

/// Identifies a tracked source: one object that holds a value, or one node of a coordinator.
package struct ReadKey: Hashable, Sendable {
  /// The object that holds the value, or the coordinator.
  package let source: ObjectIdentifier
  /// The node of the coordinator; `nil` for an object that holds a value.
  package var node: NodeRef?

  /// Makes the key of an object that holds a value, or of a node in a coordinator. The object must
  /// stay alive while the key is in use.
  package init(_ source: AnyObject, node: NodeRef? = nil) {
    self.source = ObjectIdentifier(source)
    self.node = node
  }
}

/// The part of a source that was read. A source that holds a value has only one part, ``value``.
package enum ReadPart: Hashable, Sendable {
  /// The value of an object that holds one.
  case value
  /// Whether the node is in the document.
  case existence
  /// The tag of an element.
  case tag
  /// One attribute of an element, by its name.
  case attribute(String)
  /// The direct texts of an element.
  case text
  /// The direct child elements of an element.
  case children
}

/// The readers of one value, in the order in which they were added. Each object that holds a shared
/// value or a state has one list.
package final class ReaderList: Sendable {
  private struct Entry: Sendable {
    let order: Int
    let reader: Reader
  }

  private struct State: Sendable {
    var entries: [ObjectIdentifier: Entry] = [:]
    var last = 0
  }

  private let state = Guarded(State())

  /// An empty list.
  package init() {}

  /// The number of readers.
  package var count: Int { state.withLock { $0.entries.count } }

  /// Adds a reader at the end.
  package func add(_ reader: Reader) {
    state.withLock { state in
      state.last += 1
      state.entries[ObjectIdentifier(reader)] = Entry(order: state.last, reader: reader)
    }
  }

  /// Removes a reader. Ignores a reader that is not in the list.
  package func remove(_ reader: Reader) {
    let released = state.withLock { $0.entries.removeValue(forKey: ObjectIdentifier(reader)) }
    withExtendedLifetime(released) {}
  }

  /// Notifies every reader that the value has changed.
  ///
  /// - Returns: the last error of a reader that kept triggering itself; `nil` if all readers
  ///   accepted the signal.
  /// - Complexity: O(*n* log *n*) for *n* readers.
  package func signal(_ key: ReadKey) -> PublicationCycle? {
    let entries = state.withLock { $0.entries.isEmpty ? [] : $0.entries.values.sorted { $0.order < $1.order } }
    var refused: PublicationCycle?
    for entry in entries {
      do throws(PublicationCycle) { try entry.reader.signal(key) } catch { refused = error }
    }
    return refused
  }
}
