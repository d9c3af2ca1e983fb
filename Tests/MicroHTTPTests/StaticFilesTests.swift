import CLibrary
import MicroHTTP
import Testing

@Suite("StaticFiles")
final class StaticFilesTests {
  /// A directory with `public/`, which is served, and files beside it, which are not.
  private let root: String
  private let router: Router

  init() throws {
    var template = Array("/tmp/static-files-XXXXXX".utf8CString)
    root = mkdtemp(&template).map { String(cString: $0) } ?? ""
    try #require(!root.isEmpty)
    mkdir("\(root)/public", 0o755)
    mkdir("\(root)/public/deep", 0o755)
    mkdir("\(root)/outside", 0o755)
    Self.write("do not tell", to: "\(root)/secret.txt")
    Self.write("do not tell", to: "\(root)/outside/secret.txt")
    Self.write("body { }", to: "\(root)/public/style.css")
    Self.write("", to: "\(root)/public/empty.bin")
    Self.write("p { }\n", to: "\(root)/public/deep/part.css")
    Self.write(
      "@import \"part.css\";\n@import \"../secret.txt\";\n@import \"sheet.css\";\n@import url(part.css);\nb { }",
      to: "\(root)/public/deep/sheet.css")
    Self.write("let a = 1", to: "\(root)/public/deep/a b.js")
    Self.write("é", to: "\(root)/public/%2e.txt")
    Self.write("do not tell", to: "\(root)/public/.hidden")
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
      "public/deep/part.css", "public/deep/sheet.css", "public/empty.bin", "public/style.css", "outside/secret.txt",
      "secret.txt",
    ] { unlink("\(root)/\(file)") }
    for directory in ["public/deep", "public", "outside", ""] { rmdir("\(root)/\(directory)") }
  }

  private static func write(_ text: String, to path: String) {
    let descriptor = open(path, O_WRONLY | O_CREAT, 0o644)
    _ = text.utf8CString.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count - 1) }
    close(descriptor)
  }

  @Test(
    arguments: [
      ("/assets/style.css", "text/css; charset=utf-8", "body { }"),
      ("/assets/deep/a%20b.js", "text/javascript; charset=utf-8", "let a = 1"),
      ("/assets/%252e.txt", "text/plain; charset=utf-8", "é"),
      ("/assets/empty.bin", "application/octet-stream", ""),
    ])
  func `a file is served with the media type of its extension`(target: String, type: String, content: String) throws {
    try expect(
      router, .get, target,
      gives: """
        200
        Content-Type: \(type)
        X-Content-Type-Options: nosniff
        ETag: there
        Cache-Control: no-cache\(content.isEmpty ? "" : "\n\n\(content)")
        """, Self.withoutTag)
  }

  @Test
  func `the parts of a style sheet are put in place of its imports, but no file outside of its folder`() throws {
    try expect(
      router, .get, "/assets/deep/sheet.css",
      gives: """
        p { }
        @import "../secret.txt";
        @import "part.css";
        @import "../secret.txt";
        @import "sheet.css";
        @import url(part.css);
        b { }
        @import url(part.css);
        b { }
        """
    ) { $0.body }
  }

  @Test
  func `a file of a named folder is also served under its name alone, unless the directory has the name`() throws {
    var router = Router()
    let files = try StaticFiles(directory: "\(root)/public", folders: ["none", "deep"])
    router.on(.get, "/assets/{file...}", files)
    try expect(router, .get, "/assets/part.css", gives: "p { }\n") { $0.body }
    try expect(router, .get, "/assets/style.css", gives: "body { }") { $0.body }
    for path in ["secret.txt", "none.css", "deep", "..", "%2e%2e", "none/part.css"] {
      try expect(router, .get, "/assets/\(path)", gives: 404) { $0.status }
    }
    try expect(self.router, .get, "/assets/part.css", gives: 404) { $0.status }
  }

  @Test
  func `HEAD has the length of the file`() throws {
    try expect(
      router, .head, "/assets/style.css",
      gives: """
        200
        Content-Type: text/css; charset=utf-8
        X-Content-Type-Options: nosniff
        ETag: there
        Cache-Control: no-cache
        Content-Length: 8
        """, Self.withoutTag)
  }

  /// The answer with a placeholder for its tag, which differs in every run.
  private static func withoutTag(_ answer: Answer) -> String {
    var answer = answer
    if answer.headers["ETag"]?.hasPrefix("W/\"") == true { answer.headers["ETag"] = "there" }
    return "\(answer)"
  }

  @Test
  func `a file gets a 304 until its content changes`() throws {
    let tag = try #require(try bothAnswers(router, .get, "/assets/style.css").direct.headers["ETag"])
    let style = "/assets/style.css"
    try expect(ContentNegotiation(router), .get, style, headers: ["If-None-Match": tag], gives: 304) { $0.status }
    Self.write("body { color: red }", to: "\(root)/public/style.css")
    try expect(ContentNegotiation(router), .get, style, headers: ["If-None-Match": tag], gives: 200) { $0.status }
  }

  @Test
  func `a file response has the additional headers`() throws {
    var router = Router()
    router.on(
      .get, "/assets/{file...}",
      try StaticFiles(directory: "\(root)/public", headers: ["Cross-Origin-Resource-Policy": "cross-origin"]))
    try expect(SecurityHeaders(router), .get, "/assets/style.css", gives: "cross-origin") {
      $0.headers["Cross-Origin-Resource-Policy"]
    }
  }

  /// A known way to read files outside of the directory. The status is 404, or 400 if the target is
  /// malformed.
  struct Attempt: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let target: String
    let status: Int

    init(_ name: String, _ target: String, _ status: Int = 404) {
      testDescription = name
      self.target = target
      self.status = status
    }
  }

  static let attempts = [
    Attempt("dots", "/assets/../secret.txt"), Attempt("dots after a folder", "/assets/deep/../../secret.txt"),
    Attempt("dots before the route", "/assets/../assets/style.css"), Attempt("one dot", "/assets/./style.css"),
    Attempt("dots that stay inside", "/assets/deep/../style.css"), Attempt("dots at the end", "/assets/deep/.."),
    Attempt("encoded dots", "/assets/%2e%2e/secret.txt"), Attempt("a mixed pair", "/assets/.%2E/secret.txt"),
    Attempt("an encoded slash", "/assets/..%2fsecret.txt"), Attempt("all encoded", "/assets/%2E%2E%2Fsecret.txt"),
    Attempt("encoded inside of a segment", "/assets/deep%2F..%2F..%2Fsecret.txt"),
    Attempt("an encoded slash that stays inside", "/assets/deep%2Fa%20b.js"),
    Attempt("encoded twice", "/assets/%252e%252e/secret.txt"),
    Attempt("a slash encoded twice", "/assets/..%252fsecret.txt"),
    Attempt("encoded three times", "/assets/%25252e%25252e%25252fsecret.txt"),
    Attempt("a backslash", "/assets/..\\secret.txt"), Attempt("an encoded backslash", "/assets/..%5csecret.txt"),
    Attempt("a NUL behind the name", "/assets/style.css%00", 400),
    Attempt("a NUL before an ending", "/assets/secret.txt%00.css", 400),
    Attempt("an absolute path", "/assets//etc/passwd"), Attempt("an encoded absolute path", "/assets/%2fetc%2fpasswd"),
    Attempt("a drive", "/assets/c:/secret.txt"), Attempt("a URL", "/assets/file:///etc/passwd"),
    Attempt("a home", "/assets/~root/.profile"), Attempt("a link to a file", "/assets/link.txt"),
    Attempt("a link to a folder", "/assets/linked/secret.txt"), Attempt("a hidden file", "/assets/.hidden"),
    Attempt("an encoded hidden file", "/assets/%2ehidden"), Attempt("a hidden folder", "/assets/.git/config"),
    Attempt("a pipe", "/assets/pipe"), Attempt("a folder", "/assets/deep"),
    Attempt("a folder with a slash", "/assets/deep/"),
    Attempt("the root", "/assets/"), Attempt("a file with a slash", "/assets/style.css/"),
    Attempt("a file as a folder", "/assets/style.css/a"), Attempt("an empty segment", "/assets//style.css"),
    Attempt("no file", "/assets/none.css"), Attempt("other capitals", "/assets/STYLE.CSS"),
    Attempt("a space behind", "/assets/style.css%20"), Attempt("a dot behind", "/assets/style.css."),
    Attempt("a stream of a file", "/assets/style.css::$DATA"),
    Attempt("parameters of a path", "/assets/..;/secret.txt"),
    Attempt("a line break", "/assets/style.css%0d%0aX: y", 400),
    Attempt("an encoded line break", "/assets/style.css%0d%0aX:y"),
    Attempt("a slash in overlong UTF-8", "/assets/..%c0%afsecret.txt", 400),
    Attempt("dots in overlong UTF-8", "/assets/%c0%ae%c0%ae/secret.txt", 400),
    Attempt("dots in UTF-8 of three bytes", "/assets/%e0%80%ae%e0%80%ae/secret.txt", 400),
    Attempt("half of a character", "/assets/%c3", 400), Attempt("a surrogate", "/assets/%ed%a0%80", 400),
    Attempt("dots of full width", "/assets/%ef%bc%8e%ef%bc%8e/secret.txt"),
    Attempt("a slash of full width", "/assets/..%ef%bc%8fsecret.txt"),
    Attempt("%u", "/assets/%u002e%u002e/secret.txt", 400),
    Attempt("half an escape", "/assets/%2", 400), Attempt("no escape", "/assets/%zz", 400),
    Attempt("a very long name", "/assets/" + String(repeating: "a", count: 4_000)),
    Attempt("very many folders", "/assets" + String(repeating: "/deep", count: 700)),
    Attempt("very many dots", "/assets" + String(repeating: "/..", count: 1_000) + "/etc/passwd"),
  ]

  @Test(arguments: attempts)
  func `a path outside of the directory, a hidden file, a link or a pipe is not served`(attempt: Attempt) throws {
    for method in [HTTPMethod.get, .head] {
      try expect(router, method, attempt.target, gives: "\(attempt.status)") { answer in
        "\(answer.status)\(answer.body.contains("do not tell") ? " told" : "")"
      }
    }
  }

  @Test
  func `a missing file gets a 404 that names its path`() throws {
    try expect(
      router, .get, "/assets/%2e%2e/secret.txt",
      gives: """
        404
        Content-Type: application/problem+json

        {"type":"about:blank","title":"Not Found","status":404,"code":"not-found",\
        "detail":"There is no file at /assets/%2e%2e/secret.txt."}

        """)
  }

  @Test
  func `a file allows only GET, HEAD and OPTIONS`() throws {
    try expect(router, .options, "/assets/style.css", gives: "204\nAllow: GET, HEAD, OPTIONS")
    for method in [HTTPMethod.put, .delete, .post, HTTPMethod(rawValue: "PROPFIND")] {
      try expect(router, method, "/assets/style.css", gives: ["405", "GET, HEAD, OPTIONS"]) {
        ["\($0.status)", $0.headers["Allow"]]
      }
    }
  }

  @Test(arguments: ["secret.txt", "none"])
  func `a missing directory, or a file in its place, is an error`(name: String) {
    #expect(throws: StaticFilesError.noDirectory("\(root)/\(name)")) {
      try StaticFiles(directory: "\(self.root)/\(name)")
    }
  }
}
