/// A request as ``HTTPConnection`` sends it. The page loader and `attach` make requests of this
/// type.
package struct ClientRequest: Sendable {
  package var method: String
  /// The path with its query.
  package var target: String
  package var headers: [(name: String, value: String)]
  package var body: [UInt8]

  package init(
    _ method: String, _ target: String, headers: [(name: String, value: String)] = [], body: [UInt8] = []
  ) {
    (self.method, self.target, self.headers, self.body) = (method, target, headers, body)
  }
}
