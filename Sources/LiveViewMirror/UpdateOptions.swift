/// How the views of a mirror are updated.
public struct UpdateOptions: Sendable, Hashable {
  public enum Pipeline: String, Sendable, CaseIterable {
    /// Touches what a diff names; takes the way of ``full`` with a diff of which it is not certain that the result is the
    /// same.
    case scoped
    /// Renders, parses and compares the whole page for every diff: the oracle of the other.
    case full
  }

  public var pipeline: Pipeline
  /// Whether every scoped update is computed in full as well and compared; a difference is a diagnostic of the update.
  public var verifies: Bool

  /// Whether the views of the page are kept and evaluated, so that it can be shown and every update says which views it
  /// evaluated.
  public var drawsPage: Bool

  public init(pipeline: Pipeline = .scoped, verifies: Bool = false, drawsPage: Bool = false) {
    self.pipeline = pipeline
    self.verifies = verifies
    self.drawsPage = drawsPage
  }
}

/// How one update was computed.
public enum UpdatePath: Sendable, Hashable {
  /// Only what the diff touches was rendered, parsed and compared.
  case scoped
  /// The whole page was, and why.
  case full(reason: String)
}
