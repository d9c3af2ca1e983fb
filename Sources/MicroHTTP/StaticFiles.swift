#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The files of a directory.
///
///     router.on(.get, "/assets/{file...}", try StaticFiles(directory: "Public"))
///
/// The path is the rest that the pattern leaves over. It is walked a segment at a time, from one open directory into the
/// next, and no link is followed on the way: so there is no name that leads out, and no moment between a check and its
/// use. Names that begin with a dot are not served; what is no regular file is not there.
///
/// Files are read for every request (`Cache-Control: no-cache` and an `ETag`): they are few and small, and whoever edits one
/// wants to see it.
public struct StaticFiles: HTTPHandler {
  private let directory: String
  private let headers: HTTPHeaders

  /// - Parameter headers: what every file's answer says besides its type, such as who may include it.
  /// - Throws: ``StaticFilesError`` when there is no such directory.
  public init(directory: String, headers: HTTPHeaders = [:]) throws(StaticFilesError) {
    self.headers = headers
    // Resolved now, so that the working directory may change later.
    guard let resolved = realpath(directory, nil) else { throw .noDirectory(directory) }
    defer { free(resolved) }
    self.directory = String(cString: resolved)
    guard let root = OpenFile(directory: self.directory), root.kind == .directory else {
      throw .noDirectory(directory)
    }
  }

  public func handle(_ request: HTTPRequest) throws -> HTTPResponse {
    guard let name = request.parameters.rest.last, let bytes = read(request.parameters.rest) else {
      throw HTTPError(.notFound, "There is no file at \(request.path).")
    }
    var response = HTTPResponse(
      headers: [
        "Content-Type": Self.contentType(of: name),
        // The type is what the name says. A browser that guesses from the content could make a page of a text.
        "X-Content-Type-Options": "nosniff",
      ], body: .bytes(bytes))
    for field in headers.fields { response.headers.add(field.name, field.value) }
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

  /// A slash or a NUL in a name can only come from a decoded escape.
  private static func isPlainName(_ name: String) -> Bool {
    !name.isEmpty && !name.utf8.starts(with: ".".utf8)
      && !name.utf8.contains { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") || $0 == 0 }
  }
}

/// Why files cannot be served.
public enum StaticFilesError: Error, Sendable, Hashable, CustomStringConvertible {
  case noDirectory(String)

  public var description: String {
    switch self {
    case .noDirectory(let path): "\u{201C}\(path)\u{201D} is no directory that can be read"
    }
  }
}
