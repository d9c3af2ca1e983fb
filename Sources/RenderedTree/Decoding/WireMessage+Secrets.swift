internal import MirrorSupport

extension WireMessage {
  /// The message without the secrets in the events and the reply that the server sends to the client's scripts. The page may show secrets; it is
  /// what the mirror is for.
  ///
  /// - Complexity: O(*bytes of the events and the reply* · *names*); O(1) without them.
  package func withoutSecrets(_ filter: ParameterFilter) -> WireMessage {
    switch content {
    case .rendered(let diff), .diff(let diff):
      guard diff.events != nil || diff.reply != nil else { return self }
      var (message, filtered) = (self, diff)
      for part in [\Diff.events, \Diff.reply] {
        guard let before = diff[keyPath: part] else { continue }
        let after = filter.withoutSecrets(before)
        if after == before { continue }
        filtered[keyPath: part] = after
        message.json = JSONText(message.json.text.replacing(before.text, with: after.text))
      }
      if case .rendered = content { message.content = .rendered(filtered) } else { message.content = .diff(filtered) }
      return message
    default: return self
    }
  }
}
