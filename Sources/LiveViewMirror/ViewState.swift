package import MarkupDocument
package import NodeObservation
package import RenderedTree

/// Everything that is known of one view: a value, so that whoever asks gets one moment of it.
package struct ViewState: Sendable {
  package let id: String
  package var epoch: Int
  package var version: Int
  let options: UpdateOptions
  /// Whether instances know their nodes and the page is what the document shows, so that an update may be a scoped one.
  var isLinked = false
  var size = PageSize()
  package var rendered: Rendered
  package var document: Document
  package var observers: MountedObservers
  package var title: String?
  package var log = ChangeLog()
  /// What the view was fed in this epoch: enough to make every version again.
  package var history = Chunks<Input>()
  package var mountedAt: Int64
  package var updatedAt: Int64

  package enum Input: Sendable {
    case mount(JSONText)
    case diff(JSONText)
    /// Components that the server said are gone. No version comes of it: no page shows them.
    case destroyed([Int])
  }
}

// MARK: - Time travel

extension ViewState {
  /// The document as it was: the change sets applied again, from the empty document on.
  ///
  /// - Complexity: O(*changes of all versions up to this one*).
  package func document(at version: Int) -> Document? {
    if version == self.version { return document }
    guard version >= 0, version < self.version else { return nil }
    var past = Document(dialect: document.dialect, epoch: document.epoch)
    for changeSet in log.changeSets(through: version) { past.apply(changeSet) }
    return past
  }

  /// The merged tree as it was: the inputs decoded and merged again.
  ///
  /// - Complexity: O(*bytes of all inputs up to this version*); from the first stream on, O(*page*) for each version more.
  package func rendered(at version: Int) -> Rendered? {
    if version == self.version { return rendered }
    guard version >= 0, version < self.version else { return nil }
    let decoder = WireDecoder()
    var past: Rendered?
    var reached = -1
    var hasStreams = false
    for input in history {
      switch input {
      case .destroyed(let components): past?.removeComponents(components)
      case .mount(let json), .diff(let json):
        reached += 1
        guard reached <= version else { return past }
        let form = if case .mount = input { WireDecoder.Form.rendered } else { WireDecoder.Form.diff }
        // They were applied once, so they can be again.
        guard let message = try? decoder.decode(Array(json.text.utf8), as: form).first?.get() else { return nil }
        let update: Diff
        switch message.content {
        case .rendered(let diff):
          past = try? Rendered(mounting: diff)
          update = diff
        case .diff(let diff):
          past?.remerge(diff)
          update = diff
        case .destroyed, .other: return nil
        }
        // Once there are streams, what was shown is forgotten as it was then.
        hasStreams = hasStreams || update.hasStreams
        if hasStreams, let rendering = try? past?.render() { past?.forgetStreamEntries(after: [rendering]) }
      }
    }
    return past
  }
}

extension Rendered {
  /// Merges what was merged once before.
  fileprivate mutating func remerge(_ diff: Diff) {
    if diff.root.statics == nil {
      _ = try? merge(diff)
    } else if let merged = try? merging(diff).rendered {
      self = merged
    }
  }
}
