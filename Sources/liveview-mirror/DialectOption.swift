internal import ArgumentParser
internal import CommandSupport
internal import MarkupDocument

/// The dialect of recorded pages. Every command that reads a recording has this option, such as
/// ``Replay``.
struct DialectOption: ParsableArguments {
  @Option(
    name: .customLong("dialect"), help: "The dialect of pages that do not name one: \(Dialect.names).",
    completion: .list(Dialect.allCases.map(\.rawValue)))
  var name = Dialect.html.rawValue

  func validate() throws {
    if Dialect(rawValue: name) == nil { throw invalid("--dialect", name, "must be \(Dialect.names)") }
  }

  var value: Dialect { Dialect(rawValue: name) ?? .html }
}
