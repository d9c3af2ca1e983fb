extension WireMessage {
  /// The message without the secrets in the title, and in what the server sends to the client's scripts: events, the reply and unknown keys.
  /// The page may show secrets; it is what the mirror is for.
  ///
  /// A message with secrets is written again as compact JSON. Other messages keep their text.
  ///
  /// - Complexity: O(*bytes* · *names*); O(1) for an update that is only a tree.
  package func withoutSecrets(_ filter: ParameterFilter) -> WireMessage {
    let (diff, isMount): (Diff, Bool)
    switch content {
    case .rendered(let rendered): (diff, isMount) = (rendered, true)
    case .diff(let other): (diff, isMount) = (other, false)
    default: return self
    }
    let hasSecretTitle = diff.title.map { filter.string($0) != $0 } ?? false
    guard hasSecretTitle || diff.events != nil || diff.reply != nil || !diff.unknownKeys.isEmpty,
      let filtered = filter.update(json),
      let decoded = try? WireDecoder().update(Array(filtered.text.utf8), isMount: isMount)
    else { return self }
    var message = self
    (message.content, message.json) = (decoded.content, filtered)
    return message
  }
}
