import MicroHTTP
import Testing

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

@Suite("StaticFiles")
final class StaticFilesTests {
  /// `secret.txt` and `public/`, which is served.
  private let root: String
  private let router: Router

  init() throws {
    var template = Array("/tmp/static-files-XXXXXX".utf8CString)
    root = mkdtemp(&template).map { String(cString: $0) } ?? ""
    try #require(!root.isEmpty)
    mkdir("\(root)/public", 0o755)
    mkdir("\(root)/public/deep", 0o755)
    mkdir("\(root)/outside", 0o755)
    Self.write("secret", to: "\(root)/secret.txt")
    Self.write("secret", to: "\(root)/outside/secret.txt")
    Self.write("body { }", to: "\(root)/public/style.css")
    Self.write("", to: "\(root)/public/empty.bin")
    Self.write("let a = 1", to: "\(root)/public/deep/a b.js")
    Self.write("é", to: "\(root)/public/%2e.txt")
    Self.write("hidden", to: "\(root)/public/.hidden")
    symlink("../secret.txt", "\(root)/public/link.txt")
    symlink("../outside", "\(root)/public/linked")
    mkfifo("\(root)/public/pipe", 0o644)
    var router = Router()
    router.on(.get, "/assets/{file...}", try StaticFiles(directory: "\(root)/public/"))
    self.router = router
  }

  deinit {
    for file in [
      "public/pipe", "public/linked", "public/link.txt", "public/.hidden", "public/%2e.txt", "public/deep/a b.js",
      "public/empty.bin", "public/style.css", "outside/secret.txt", "secret.txt",
    ] { unlink("\(root)/\(file)") }
    for directory in ["public/deep", "public", "outside", ""] { rmdir("\(root)/\(directory)") }
  }

  private static func write(_ text: String, to path: String) {
    let descriptor = open(path, O_WRONLY | O_CREAT, 0o644)
    _ = text.utf8CString.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count - 1) }
    close(descriptor)
  }

  @Test(
    "a file is served with the type of its name",
    arguments: [
      ("/assets/style.css", "text/css; charset=utf-8", "body { }"),
      ("/assets/deep/a%20b.js", "text/javascript; charset=utf-8", "let a = 1"),
      ("/assets/%252e.txt", "text/plain; charset=utf-8", "é"),
      ("/assets/empty.bin", "application/octet-stream", ""),
    ])
  func files(target: String, type: String, content: String) throws {
    try expect(
      router, .get, target,
      gives: """
        200
        Content-Type: \(type)
        Cache-Control: no-cache
        X-Content-Type-Options: nosniff\(content.isEmpty ? "" : "\n\n\(content)")
        """)
  }

  @Test("HEAD tells the length of a file")
  func head() throws {
    try expect(
      router, .head, "/assets/style.css",
      gives: """
        200
        Content-Type: text/css; charset=utf-8
        Cache-Control: no-cache
        X-Content-Type-Options: nosniff
        Content-Length: 8
        """)
  }

  @Test(
    "what lies outside, is hidden, is a link or is no file is not there",
    arguments: [
      "/assets/../secret.txt", "/assets/%2e%2e/secret.txt", "/assets/..%2fsecret.txt", "/assets/deep/../../secret.txt",
      "/assets/%2E%2E%2Fsecret.txt", "/assets/..%5csecret.txt", "/assets/./style.css", "/assets/link.txt",
      "/assets/linked/secret.txt", "/assets/.hidden", "/assets/pipe", "/assets/deep", "/assets/deep/", "/assets/",
      "/assets//style.css", "/assets/style.css/", "/assets/none.css", "/assets/%2fetc%2fpasswd", "/assets//etc/passwd",
      "/assets/%252e%252e/secret.txt",
    ])
  func notServed(target: String) throws {
    try expect(
      router, .get, target,
      gives: """
        404
        Content-Type: application/problem+json

        {"type":"about:blank","title":"Not Found","status":404,"detail":"There is no file at \(target)."}
        """)
  }

  @Test("a NUL does not end a name early")
  func nul() throws {
    #expect(try exchange(request(.get, "/assets/style.css%00.txt"), with: router).status == 400)
  }

  @Test("a directory that is none is an error", arguments: ["secret.txt", "none"])
  func noDirectory(name: String) {
    #expect(throws: StaticFilesError.noDirectory("\(root)/\(name)")) {
      try StaticFiles(directory: "\(self.root)/\(name)")
    }
  }
}
