extension IsolationReport: CustomStringConvertible {
  /// The coalesced calls of the three strategies on one line. The uncoalesced calls follow if they differ:
  ///
  ///     subscriber calls: 2 (one subject: 8, whole document: 4); change by change 3 (12, 12)
  public var description: String {
    let isSame = [selective, filtered, whole].allSatisfy { $0.coalesced == $0.uncoalesced }
    let each =
      isSame
      ? "" : "; change by change \(selective.uncoalesced) (\(filtered.uncoalesced), \(whole.uncoalesced))"
    return
      "subscriber calls: \(selective.coalesced) (one subject: \(filtered.coalesced), whole document: \(whole.coalesced))\(each)"
  }
}
