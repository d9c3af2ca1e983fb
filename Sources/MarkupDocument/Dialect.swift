/// The two languages a LiveView renders to. They are read by different rules and written by different rules.
public enum Dialect: String, Sendable, CaseIterable {
  /// A browser's page: HTML as the WHATWG standard reads it, in the context of a `div`.
  case html
  /// LiveView Native's markup: case-sensitive names, `/>` closes anything, text trimmed and blank runs dropped.
  case native
}
