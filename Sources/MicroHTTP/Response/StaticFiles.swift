internal import MirrorSupport

/// Serves the files of a directory.
///
///     router.on(.get, "/assets/{file...}", try StaticFiles(directory: "Public"))
///
/// The path is the rest that the pattern has matched. Each segment is opened relative to the open
/// directory before it, and symbolic links are not followed. So no path leads out of the directory,
/// and there is no gap between a check and the use of a path. Names that begin with a dot, and
/// anything that is not a regular file, get a 404.
///
/// A style sheet may be divided into parts, see ``StyleSheetParts``.
///
/// Files are read for every request, because they are few and small. So an edited file is served at
/// once. Responses have `Cache-Control: no-cache` and an `ETag`. `liveview-mirror serve` serves the
/// folder `Public` with it.
public struct StaticFiles: HTTPHandler {
  private let directory: String
  private let folders: [String]
  private let headers: HTTPHeaders

  /// - Parameters:
  ///   - directory: the directory.
  ///   - folders: folders of the directory whose files have a second, short path: their name alone.
  ///     With `["tap"]`, the file `tap/tap.js` is also served as `/assets/tap.js`. The first folder
  ///     that has the name is used.
  ///   - headers: headers of every response besides the media type, such as
  ///     `Cross-Origin-Resource-Policy`.
  /// - Throws: ``StaticFilesError`` if the directory does not exist or cannot be read.
  public init(
    directory: String, folders: [String] = [], headers: HTTPHeaders = [:]
  ) throws(StaticFilesError) {
    self.folders = folders
    self.headers = headers
    guard let resolved = OpenFile.path(ofDirectory: directory) else { throw .noDirectory(directory) }
    self.directory = resolved
  }

  /// Serves the file that the rest of the route's pattern names.
  ///
  /// - Throws: 404 if there is no such file.
  public func handle(_ request: HTTPRequest) throws -> HTTPResponse {
    guard let name = request.parameters.rest.last, let bytes = find(request.parameters.rest) else {
      throw HTTPError(.notFound, "There is no file at \(request.path).")
    }
    var response = HTTPResponse(
      headers: [
        "Content-Type": Self.contentType(of: name),
        // The name determines the type. A browser that guesses from the content could show a text
        // as a page.
        "X-Content-Type-Options": "nosniff",
      ], body: .bytes(bytes))
    for field in headers.fields { response.headers.add(field.name, field.value) }
    response.isStatic = true
    return response.validated()
  }

  /// The content for the path of a URL: the file with this path or, if the path is one name, a file
  /// of ``folders``.
  private func find(_ path: [String]) -> [UInt8]? {
    var candidates = [path]
    if path.count == 1 { candidates += folders.map { [$0] + path } }
    for candidate in candidates {
      guard let bytes = read(candidate) else { continue }
      guard Self.contentType(of: candidate.last ?? "").hasPrefix("text/css") else { return bytes }
      let folder = candidate.dropLast()
      return StyleSheetParts.inserted(in: bytes) { read(folder + $0) }
    }
    return nil
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

extension StaticFiles {
  /// The media type for a file name's extension. Text is declared as UTF-8, since the program's own
  /// files are UTF-8.
  static func contentType(of name: String) -> String {
    let ending = name.split(separator: ".", omittingEmptySubsequences: false).dropFirst().last ?? ""
    return contentTypes[ending.asciiLowercased] ?? "application/octet-stream"
  }

  private static let contentTypes = [
    "avif": "image/avif",
    "css": "text/css; charset=utf-8",
    "csv": "text/csv; charset=utf-8",
    "gif": "image/gif",
    "htm": "text/html; charset=utf-8",
    "html": "text/html; charset=utf-8",
    "ico": "image/vnd.microsoft.icon",
    "jpeg": "image/jpeg",
    "jpg": "image/jpeg",
    "js": "text/javascript; charset=utf-8",
    "json": "application/json",
    "map": "application/json",
    "md": "text/markdown; charset=utf-8",
    "mjs": "text/javascript; charset=utf-8",
    "ndjson": "application/x-ndjson",
    "pdf": "application/pdf",
    "png": "image/png",
    "svg": "image/svg+xml",
    "ttf": "font/ttf",
    "txt": "text/plain; charset=utf-8",
    "wasm": "application/wasm",
    "webmanifest": "application/manifest+json",
    "webp": "image/webp",
    "woff": "font/woff",
    "woff2": "font/woff2",
    "xml": "application/xml",
  ]
}
