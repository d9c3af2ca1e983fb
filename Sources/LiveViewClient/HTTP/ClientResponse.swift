/// What a server sent back for a ``ClientRequest``, without responses of the class 1xx.
package struct ClientResponse: Sendable {
  package var status: Int
  package var headers: [(name: String, value: String)]
  package var body: [UInt8] = []

  /// The values of a header, in the order of the response.
  package func values(of name: String) -> [String] {
    headers.filter { $0.name.lowercased() == name }.map(\.value)
  }
}
