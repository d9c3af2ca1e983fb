internal import MarkupDocument
internal import RenderedTree

/// A view as it was after one version: where going back in time begins.
///
/// The versions behind it are made from it, by the change sets and inputs that are still kept. It advances with every
/// entry that is not.
package struct Checkpoint: Sendable {
  /// The version that it is; -1 before the mount.
  private(set) var version = -1
  private(set) var document: Document
  /// `nil` before the mount.
  private(set) var rendered: Rendered?

  /// Before the mount.
  init(dialect: Dialect, epoch: Int) { document = Document(dialect: dialect, epoch: epoch) }

  mutating func apply(_ changeSet: ChangeSet) {
    document.apply(changeSet)
    version += 1
  }

  /// Merges an input into the tree. It was merged once, so it can be again.
  ///
  /// - Complexity: O(*bytes of the input*); O(1) for a text.
  mutating func merge(_ input: ViewState.Input, with decoder: WireDecoder) {
    switch input {
    case .destroyed(let components): rendered?.removeComponents(components)
    case .mount(let json, _, let forgotten):
      guard case .rendered(let diff)? = decoder.update(json, isMount: true)?.content else { return }
      rendered = try? Rendered(mounting: diff)
      if let forgotten { rendered?.forgetStreamEntries(in: forgotten.components) }
    case .diff(let json, let forgotten):
      guard case .diff(let diff)? = decoder.update(json, isMount: false)?.content else { return }
      try? rendered?.remerge(diff, forgetting: forgotten)
    case .text(let text, let slot, let path): rendered?.setText(text, inSlot: slot, of: path)
    }
  }
}

extension WireDecoder {
  fileprivate func update(_ json: JSONText, isMount: Bool) -> WireMessage? {
    try? update(Array(json.text.utf8), isMount: isMount)
  }
}
