/// What caused a diff: an event of the client, or the server by itself. ``Recorder`` notes it for
/// each diff.
package enum DiffCause: Sendable, Hashable {
  /// The diff answers an event of the client with this name, such as `inc`.
  case event(String)
  /// The server pushed the diff: because of a message, a timer or PubSub. A diff has this cause too
  /// if the recording does not contain the client's frames.
  case serverPush

  /// The name for readers.
  package var name: String {
    switch self {
    case .event(let name): name
    case .serverPush: "(server push)"
    }
  }

  /// The name of the event; `nil` for a server push.
  package var event: String? { if case .event(let name) = self { name } else { nil } }
}

extension DiffCause: Comparable {
  /// Events by name, then server pushes.
  package static func < (a: DiffCause, b: DiffCause) -> Bool {
    switch (a, b) {
    case (.event(let a), .event(let b)): a < b
    case (.event, .serverPush): true
    case (.serverPush, _): false
    }
  }
}
