extension HTTPResponse {
  /// The answer with an `ETag` of its bytes, and the word that a client may keep it if it asks each time whether it still
  /// holds: ``ContentNegotiation`` then says 304.
  ///
  /// For what takes long to send and does not change with every request. Only a 200 whose bytes are all there gets one.
  /// O(*n*) for *n* bytes, 1.4 ms for one MB.
  public func validated() -> HTTPResponse {
    guard status == .ok, case .bytes(let bytes) = body else { return self }
    var response = self
    response.headers["ETag"] = EntityTag(of: bytes).description
    response.headers["Cache-Control"] = "no-cache"
    return response
  }
}
