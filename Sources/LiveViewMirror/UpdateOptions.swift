/// How the views of a mirror are updated. A mirror or view gets its options when it is made, and
/// keeps them.
public struct UpdateOptions: Sendable, Hashable {
  /// How diffs are applied.
  public enum Pipeline: String, Sendable, CaseIterable {
    /// Applies a diff by a scoped update. If it is not certain that the result equals that of
    /// ``full``, a full update is used instead.
    case scoped
    /// Renders, parses and compares the whole page for every diff. The result is correct by
    /// definition.
    case full
  }

  /// How diffs are applied.
  public var pipeline: Pipeline
  /// Whether each scoped update is compared with a full update. A difference is reported as a
  /// diagnostic of the update.
  public var verifies: Bool

  /// Whether the mirror keeps and evaluates the views of the page's elements, as a native client
  /// does. Then the page can be drawn, and each record lists the evaluated views.
  public var drawsPage: Bool

  /// The names of parameters whose values are never stored with a client's event. A parameter is
  /// filtered if its name contains one of these, in any case. Values of password fields are never
  /// stored either.
  public var filteredParameters: [String]

  /// The default: `password`, which Phoenix filters from its log by default, too, and `secret` and
  /// `token`.
  public static let usualFilteredParameters = ["password", "secret", "token"]

  /// The memory that the process may have, in bytes; `nil` if it is not bounded. A long body, a
  /// mount or a full update is refused if the resident memory would exceed seven eighths of this
  /// bound.
  public var memory: Int?

  /// The analyses of each view.
  package var projections = ProjectionKinds.needed

  /// Creates options.
  public init(
    pipeline: Pipeline = .scoped, verifies: Bool = false, drawsPage: Bool = false,
    filteredParameters: [String] = Self.usualFilteredParameters, memory: Int? = nil
  ) {
    self.pipeline = pipeline
    self.verifies = verifies
    self.drawsPage = drawsPage
    self.filteredParameters = filteredParameters
    self.memory = memory
  }
}

/// How one update was computed.
public enum UpdatePath: Sendable, Hashable {
  /// Only what the diff touches was rendered, parsed and compared.
  case scoped
  /// The whole page was rendered, parsed and compared, for this reason.
  case full(reason: String)
}
