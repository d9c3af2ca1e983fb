import LiveViewMirror
import MarkupDocument
import Testing

extension OraclePair {
  /// Expects equal results of both pipelines after the mount and after each diff.
  ///
  /// - Returns: the path of the last diff.
  @discardableResult
  static func expectSame(
    _ mount: String, _ diffs: String..., dialect: Dialect = .html, client: String = ClientVersion.newest.rawValue,
    sourceLocation: Testing.SourceLocation = #_sourceLocation
  ) -> UpdatePath {
    var pair = OraclePair()
    let fault = pair.mount(mount, dialect, client: client)
    #expect(fault == nil, sourceLocation: sourceLocation)
    for diff in diffs {
      let fault = pair.update(diff, isThorough: true)
      #expect(fault == nil, sourceLocation: sourceLocation)
    }
    return pair.path
  }
}
