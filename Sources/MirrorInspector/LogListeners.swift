package import LiveViewMirror

/// Several that hear of the logs of views: each in turn, in the order in which they were named.
package struct LogListeners: LogListener {
  private let listeners: [any LogListener]

  package init(_ listeners: any LogListener...) { self.listeners = listeners }

  package func wrote(_ entry: ChangeLog.Entry, at cursor: ChangeLog.Cursor, of view: String) {
    for listener in listeners { listener.wrote(entry, at: cursor, of: view) }
  }

  package func removed(_ view: String, because reason: RemovalReason) {
    for listener in listeners { listener.removed(view, because: reason) }
  }
}
