/// The tree of one LiveView, as its client holds it: decoded from Rendered JSON, changed by diffs,
/// rendered as markup.
///
/// ```swift
/// var view = try RenderedView(#"{"0": "1", "s": ["<p>", "</p>"]}"#)
/// try view.merge(#"{"0": "2"}"#)
/// print(try view.markup())       // <p>2</p>
/// ```
///
/// Programs that need only markup use it. The mirror itself uses `Rendered`. The rules are those
/// of LiveView's client, 1.0 to 1.2. Of a stream, the markup contains only the items that its
/// latest update has sent: a client keeps the earlier items in its document, which this type lacks.
public struct RenderedView: Sendable {
  private var rendered: Rendered

  /// Decodes the Rendered JSON of a mount: the value of `rendered` in the reply to a join.
  ///
  /// - Throws: ``RenderedFailure`` if the text is not a complete Rendered.
  /// - Complexity: O(*bytes*).
  public init(_ json: String) throws(RenderedFailure) {
    rendered = try RenderedFailure.wrapping { try Rendered(mounting: try Self.diff(json, isMount: true)) }
  }

  /// Merges a diff. If it throws, the tree is unchanged.
  ///
  /// - Throws: ``RenderedFailure`` if the diff is not JSON or does not fit the tree.
  /// - Complexity: O(*bytes* + *sizes of the lists that the diff refers to*).
  public mutating func merge(_ json: String) throws(RenderedFailure) {
    rendered = try RenderedFailure.wrapping { try rendered.merging(try Self.diff(json, isMount: false)).rendered }
  }

  /// The markup of the view.
  ///
  /// - Throws: ``RenderedFailure`` if the tree names a component that it does not have, or has a
  ///   cycle.
  /// - Complexity: O(*markup*).
  public func markup() throws(RenderedFailure) -> String {
    try RenderedFailure.wrapping { String(decoding: try rendered.render().markup, as: UTF8.self) }
  }

  private static func diff(_ json: String, isMount: Bool) throws -> Diff {
    switch try WireDecoder().update(Array(json.utf8), isMount: isMount).content {
    case .rendered(let diff), .diff(let diff): return diff
    case .destroyed, .join, .event, .refused, .other:
      throw RenderedFailure(description: "this is a frame of the channel, not \(isMount ? "a Rendered" : "a diff")")
    }
  }
}

/// Why Rendered JSON or a diff cannot be used: what, where, and what to do.
public struct RenderedFailure: Error, Sendable, CustomStringConvertible {
  /// The reason, with the place in the JSON.
  public let description: String

  fileprivate static func wrapping<Result>(_ body: () throws -> Result) throws(RenderedFailure) -> Result {
    do { return try body() } catch let error as RenderedFailure { throw error } catch {
      throw RenderedFailure(description: "\(error)")
    }
  }
}
