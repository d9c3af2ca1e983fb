/// What a view had reached when it was removed. A later view with the same id continues from there.
struct ViewEnd: Sendable, Hashable {
  /// The epoch of the last mount; 0 if there was none.
  var epoch = 0
  /// See ``StoredRow/revision``.
  var revision = 0

  /// The item of the journal that removes the view.
  func removal(of id: String, because reason: RemovalReason) -> Journal.Item.Content {
    var row = JournalRow(lastEpoch: epoch)
    row.removal = reason
    return .removal(of: id, row, revision: revision)
  }
}
