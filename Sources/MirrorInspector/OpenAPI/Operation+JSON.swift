internal import MicroHTTP
internal import MirrorSupport

extension Operation {
  /// The operation object of the document. ``OpenAPIDocument`` has one for each described route.
  ///
  /// - Parameter hasToken: whether the server requires a token.
  func json(hasToken: Bool) -> JSON {
    var members: [(String, JSON)] = [
      ("operationId", .string(id)), ("tags", [.string(tag.rawValue)]), ("summary", .string(summary)),
    ]
    if let description { members.append(("description", .string(description))) }
    let parameters = pathParameters + allParameters
    if !parameters.isEmpty { members.append(("parameters", .array(parameters.map(\.json)))) }
    if let body { members.append(("requestBody", body.json)) }
    members.append(("responses", .object(self.responses(hasToken: hasToken).map { ($0.status, $0.json) })))
    if hasToken, isOpen { members.append(("security", [])) }
    return .object(members)
  }

  private var pathParameters: [Parameter] { Self.parameters(of: pattern).compactMap { Parameter.inPaths[$0] } }

  /// All responses, in the order of their status codes. A response that many routes have is a
  /// reference.
  private func responses(hasToken: Bool) -> [(status: String, json: JSON)] {
    var shared = OperationResponse.ofServer
    if body != nil { shared += OperationResponse.ofBody }
    if isValidated { shared += OperationResponse.ofConditions }
    if hasToken, !isOpen { shared.append(.unauthorized) }
    var byStatus = Dictionary(
      uniqueKeysWithValues: shared.map { ($0.status.code, OpenAPIDocument.reference(to: $0)) })
    let absence = isOfNew ? nil : (pathParameters + parameters).compactMap(\.absence).max()
    for response in (absence?.responses ?? []) + responses { byStatus[response.status.code] = response.json }
    return byStatus.sorted { $0.key < $1.key }.map { (String($0.key), $0.value) }
  }
}
