/// What a server sent back for a ``ClientRequest``, without responses of the class 1xx.
/// ``HTTPConnection`` returns it.
package struct ClientResponse: Sendable {
  package var status: Int
  package var headers: [(name: String, value: String)]
  package var body: [UInt8] = []

  /// The values of a header, in the order of the response. The name must be in lower case.
  package func values(of name: String) -> [String] {
    headers.filter { $0.name.lowercased() == name }.map(\.value)
  }
}
