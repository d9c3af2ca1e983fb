import CLibrary

/// Serves the files of a directory.
///
///     router.on(.get, "/assets/{file...}", try StaticFiles(directory: "Public"))
///
/// The path is the rest that the pattern has matched. Each segment is opened relative to the open directory before it, and
/// symbolic links are not followed. So no path leads out of the directory, and there is no gap between a check and the use of a
/// path. Names that begin with a dot, and anything that is not a regular file, get a 404.
///
/// Files are read for every request, since they are few and small, and an edited file is served at once. Responses have
/// `Cache-Control: no-cache` and an `ETag`.
public struct StaticFiles: HTTPHandler {
  private let directory: String
  private let headers: HTTPHeaders

  /// - Parameters:
  ///   - directory: the directory.
  ///   - headers: headers of every response besides the media type, such as `Cross-Origin-Resource-Policy`.
  /// - Throws: ``StaticFilesError`` if the directory does not exist or cannot be read.
  public init(directory: String, headers: HTTPHeaders = [:]) throws(StaticFilesError) {
    self.headers = headers
    // Resolved once, so that a later change of the working directory has no effect.
    guard let resolved = realpath(directory, nil) else { throw .noDirectory(directory) }
    defer { free(resolved) }
    self.directory = String(cString: resolved)
    guard let root = OpenFile(directory: self.directory), root.kind == .directory else {
      throw .noDirectory(directory)
    }
  }

  /// Serves the file that the rest of the route's pattern names.
  ///
  /// - Throws: 404 if there is no such file.
  public func handle(_ request: HTTPRequest) throws -> HTTPResponse {
    guard let name = request.parameters.rest.last, let bytes = read(request.parameters.rest) else {
      throw HTTPError(.notFound, "There is no file at \(request.path).")
    }
    var response = HTTPResponse(
      headers: [
        "Content-Type": Self.contentType(of: name),
        // The name determines the type. A browser that guesses from the content could show a text as a page.
        "X-Content-Type-Options": "nosniff",
      ], body: .bytes(bytes))
    for field in headers.fields { response.headers.add(field.name, field.value) }
    response.isStatic = true
    return response.validated()
  }

  private func read(_ path: [String]) -> [UInt8]? {
    guard path.allSatisfy(Self.isPlainName), var place = OpenFile(directory: directory) else { return nil }
    for name in path {
      guard place.kind == .directory, let next = OpenFile(name, in: place) else { return nil }
      place = next
    }
    return place.kind == .regular ? place.contents() : nil
  }

  /// Whether a name is served. A slash or NUL in a name can only come from a decoded escape.
  private static func isPlainName(_ name: String) -> Bool {
    !name.isEmpty && !name.utf8.starts(with: ".".utf8)
      && !name.utf8.contains { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") || $0 == 0 }
  }
}

/// Why the files of a directory cannot be served.
public enum StaticFilesError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The path is not a directory, or the directory cannot be read.
  case noDirectory(String)

  /// A message for the user, without a full stop.
  public var description: String {
    switch self {
    case .noDirectory(let path): "\u{201C}\(path)\u{201D} must be a readable directory"
    }
  }
}
