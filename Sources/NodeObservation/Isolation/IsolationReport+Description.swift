extension IsolationReport: CustomStringConvertible {
  /// The coalesced calls of the three strategies on one line. The uncoalesced calls follow if they differ:
  ///
  ///     isolation: 2 calls (one subject: 8, whole document: 4); change by change 3 (12, 12)
  public var description: String {
    let isSame = [selective, filtered, whole].allSatisfy { $0.coalesced == $0.uncoalesced }
    let each =
      isSame
      ? "" : "; change by change \(selective.uncoalesced) (\(filtered.uncoalesced), \(whole.uncoalesced))"
    return "isolation: \(selective.coalesced) call\(selective.coalesced == 1 ? "" : "s") "
      + "(one subject: \(filtered.coalesced), whole document: \(whole.coalesced))\(each)"
  }
}
