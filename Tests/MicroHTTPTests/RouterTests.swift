import MicroHTTP
import Testing

@Suite("Router")
struct RouterTests {
  let router: Router = {
    var router = Router()
    router.on(.get, "/") { _ in .text("home") }
    router.on(.get, "/views/{view}") { request in .text("view \(try request.parameter("view"))") }
    router.on(.get, "/views/new") { _ in .text("the literal") }
    router.on(.get, "/views/{view}/nodes/{node}") { request in
      .text("node \(try request.parameter("node")) of \(try request.parameter("view"))")
    }
    router.on(.delete, "/views/{id}") { _ in HTTPResponse(status: .noContent) }
    router.on(.post, "/views") { request in .text("\(request.body.count) bytes", status: .created) }
    router.on(.get, "/new/{x}/end") { _ in .text("parameter") }
    router.on(.get, "/new/literal/other") { _ in .text("other") }
    router.on(.get, "/files/{file...}") { request in .text("\(request.parameters.rest)") }
    return router
  }()

  @Test("a path goes to its handler")
  func path() throws {
    try expect(
      router, .get, "/",
      gives: """
        200
        Content-Type: text/plain; charset=utf-8

        home
        """)
  }

  @Test("parameters are found by name")
  func parameters() throws {
    try expect(
      router, .get, "/views/lv:phx-F1x/nodes/15",
      gives: """
        200
        Content-Type: text/plain; charset=utf-8

        node 15 of lv:phx-F1x
        """)
  }

  @Test("a literal wins over a parameter that was added before it")
  func literal() throws {
    try expect(
      router, .get, "/views/new",
      gives: """
        200
        Content-Type: text/plain; charset=utf-8

        the literal
        """)
  }

  @Test("a literal that leads nowhere does not hide the parameter beside it")
  func backtracking() throws {
    try expect(
      router, .get, "/new/literal/end",
      gives: """
        200
        Content-Type: text/plain; charset=utf-8

        parameter
        """)
  }

  @Test("the rest of a path keeps its segments apart")
  func rest() throws {
    try expect(
      router, .get, "/files/a/b%2Fc.css",
      gives: """
        200
        Content-Type: text/plain; charset=utf-8

        ["a", "b/c.css"]
        """)
  }

  @Test(
    "escapes are decoded before a segment is looked at, and a decoded slash parts nothing",
    arguments: [
      ("/vi%65ws/a%2Fb/nod%65s/%C3%A9", "node é of a/b"), ("/views/n%65w", "the literal"),
      ("/views/new%2F", "view new/"), ("/views/%25/nodes/views", "node views of %"),
    ])
  func escapes(target: String, text: String) throws {
    try expect(
      router, .get, target,
      gives: """
        200
        Content-Type: text/plain; charset=utf-8

        \(text)
        """)
  }

  @Test("a body arrives, and a status goes out")
  func body() throws {
    try expect(
      router, .post, "/views", body: "hello",
      gives: """
        201
        Content-Type: text/plain; charset=utf-8

        5 bytes
        """)
  }

  @Test("an answer without a body has no length")
  func noContent() throws {
    try expect(router, .delete, "/views/main", gives: "204")
  }

  @Test(
    "a path without a route is a problem",
    arguments: ["/nothing", "/views/", "/views/main/", "/views/main/nodes/", "//views/main", "/files"])
  func notFound(target: String) throws {
    let problem =
      #"{"type":"about:blank","title":"Not Found","status":404,"detail":"There is nothing at \#(target)."}"#
    try expect(
      router, .get, target,
      gives: """
        404
        Content-Type: application/problem+json

        \(problem)
        """)
  }

  @Test("a method without a route is a problem that names the others")
  func methodNotAllowed() throws {
    try expect(
      router, .put, "/views/main",
      gives: """
        405
        Content-Type: application/problem+json
        Allow: GET, HEAD, DELETE, OPTIONS

        {"type":"about:blank","title":"Method Not Allowed","status":405,\
        "detail":"/views/main does not take PUT; it takes GET, HEAD, DELETE, OPTIONS."}
        """)
  }

  @Test("OPTIONS tells the methods of a path")
  func options() throws {
    try expect(router, .options, "/views", gives: "204\nAllow: POST, OPTIONS")
  }

  @Test(
    "OPTIONS tells the methods of every route that fits",
    arguments: [
      ("/", "GET, HEAD, OPTIONS"), ("/views", "POST, OPTIONS"), ("/views/main", "GET, HEAD, DELETE, OPTIONS"),
      ("/views/new", "GET, HEAD, DELETE, OPTIONS"), ("/views/main/nodes/15", "GET, HEAD, OPTIONS"),
      ("/files/a/b/c", "GET, HEAD, OPTIONS"), ("/views/main?x=1", "GET, HEAD, OPTIONS, DELETE"),
    ])
  func everyOptions(target: String, allow: String) throws {
    let expected = Set(allow.split(separator: ", ").map(String.init))
    try expect(router, .options, target, gives: expected) { answer in
      Set((answer.headers["Allow"] ?? "").split(separator: ", ").map(String.init))
    }
    try expect(router, HTTPMethod(rawValue: "BREW"), target, gives: expected) { answer in
      answer.status == 405 ? Set((answer.headers["Allow"] ?? "").split(separator: ", ").map(String.init)) : []
    }
  }

  @Test("OPTIONS of what is not there is a problem", arguments: ["/nothing", "/views/"])
  func optionsOfNothing(target: String) throws {
    try expect(router, .options, target, gives: 404) { $0.status }
  }

  @Test(
    "every GET has a HEAD, with the same headers",
    arguments: ["/", "/views/main", "/views/new", "/views/main/nodes/15", "/new/x/end", "/files/a/b"])
  func everyHead(target: String) throws {
    let get = try bothAnswers(router, .get, target).overSocket
    #expect(get.status == 200)
    try expect(router, .head, target, gives: [get.contentLength, 0, get.status]) {
      [$0.contentLength, $0.body.utf8.count, $0.status]
    }
  }

  @Test("HEAD is GET without the body")
  func head() throws {
    try expect(
      router, .head, "/views/main",
      gives: """
        200
        Content-Type: text/plain; charset=utf-8
        Content-Length: 9
        """)
  }

  @Test("HEAD of what has no GET is not allowed")
  func headWithoutGet() throws {
    let answer = Answer(router.respond(to: try HTTPRequest(method: .head, target: "/views")), to: .head)
    #expect(answer.status == 405)
    #expect(answer.headers["Allow"] == "POST, OPTIONS")
  }

  @Test("the routes can be listed as they were written")
  func routes() {
    #expect(router.routes.prefix(2).map { "\($0.method) \($0.pattern)" } == ["GET /", "GET /views/{view}"])
  }
}
