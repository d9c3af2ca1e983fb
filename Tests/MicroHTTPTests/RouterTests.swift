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

  @Test
  func `a request is handled by the route of its path`() throws {
    try expect(
      router, .get, "/",
      gives: """
        200
        Content-Type: text/plain; charset=utf-8

        home
        """)
  }

  @Test
  func `a handler gets path parameters by name`() throws {
    try expect(
      router, .get, "/views/lv:phx-F1x/nodes/15",
      gives: """
        200
        Content-Type: text/plain; charset=utf-8

        node 15 of lv:phx-F1x
        """)
  }

  @Test
  func `a literal segment is preferred to a parameter that was added before it`() throws {
    try expect(
      router, .get, "/views/new",
      gives: """
        200
        Content-Type: text/plain; charset=utf-8

        the literal
        """)
  }

  @Test
  func `a literal segment without a matching route falls back to the parameter`() throws {
    try expect(
      router, .get, "/new/literal/end",
      gives: """
        200
        Content-Type: text/plain; charset=utf-8

        parameter
        """)
  }

  @Test
  func `a rest parameter is an array of decoded segments`() throws {
    try expect(
      router, .get, "/files/a/b%2Fc.css",
      gives: """
        200
        Content-Type: text/plain; charset=utf-8

        ["a", "b/c.css"]
        """)
  }

  @Test(
    arguments: [
      ("/vi%65ws/a%2Fb/nod%65s/%C3%A9", "node é of a/b"), ("/views/n%65w", "the literal"),
      ("/views/new%2F", "view new/"), ("/views/%25/nodes/views", "node views of %"),
    ])
  func `segments are matched after decoding, and an escaped slash does not split one`(
    target: String, text: String
  ) throws {
    try expect(
      router, .get, target,
      gives: """
        200
        Content-Type: text/plain; charset=utf-8

        \(text)
        """)
  }

  @Test
  func `a route gets the body and chooses the status`() throws {
    try expect(
      router, .post, "/views", body: "hello",
      gives: """
        201
        Content-Type: text/plain; charset=utf-8

        5 bytes
        """)
  }

  @Test
  func `a 204 has no Content-Length`() throws {
    try expect(router, .delete, "/views/main", gives: "204")
  }

  @Test(
    arguments: ["/nothing", "/views/", "/views/main/", "/views/main/nodes/", "//views/main", "/files"])
  func `a path without a route gets a 404`(target: String) throws {
    try expect(
      router, .get, target,
      gives: """
        404
        Content-Type: application/problem+json

        {"type":"about:blank","title":"Not Found","status":404,"code":"not-found",\
        "detail":"There is no resource at \(target)."}

        """)
  }

  @Test
  func `a method without a route gets a 405 that lists the allowed methods`() throws {
    try expect(
      router, .put, "/views/main",
      gives: """
        405
        Content-Type: application/problem+json
        Allow: GET, HEAD, DELETE, OPTIONS

        {"type":"about:blank","title":"Method Not Allowed","status":405,"code":"method-not-allowed",\
        "detail":"/views/main does not support PUT; it supports GET, HEAD, DELETE, OPTIONS."}

        """)
  }

  @Test
  func `OPTIONS lists the methods of a path`() throws {
    try expect(router, .options, "/views", gives: "204\nAllow: POST, OPTIONS")
  }

  @Test(
    arguments: [
      ("/", "GET, HEAD, OPTIONS"), ("/views", "POST, OPTIONS"), ("/views/main", "GET, HEAD, DELETE, OPTIONS"),
      ("/views/new", "GET, HEAD, DELETE, OPTIONS"), ("/views/main/nodes/15", "GET, HEAD, OPTIONS"),
      ("/files/a/b/c", "GET, HEAD, OPTIONS"), ("/views/main?x=1", "GET, HEAD, OPTIONS, DELETE"),
    ])
  func `OPTIONS lists the methods of every matching route`(target: String, allow: String) throws {
    let expected = Set(allow.split(separator: ", ").map(String.init))
    try expect(router, .options, target, gives: expected) { answer in
      Set((answer.headers["Allow"] ?? "").split(separator: ", ").map(String.init))
    }
    try expect(router, HTTPMethod(rawValue: "BREW"), target, gives: expected) { answer in
      answer.status == 405 ? Set((answer.headers["Allow"] ?? "").split(separator: ", ").map(String.init)) : []
    }
  }

  @Test(arguments: ["/nothing", "/views/"])
  func `OPTIONS of a path without a route gets a 404`(target: String) throws {
    try expect(router, .options, target, gives: 404) { $0.status }
  }

  @Test(
    arguments: ["/", "/views/main", "/views/new", "/views/main/nodes/15", "/new/x/end", "/files/a/b"])
  func `every GET route also handles HEAD, with the same Content-Length`(target: String) throws {
    let get = try bothAnswers(router, .get, target).overSocket
    #expect(get.status == 200)
    try expect(router, .head, target, gives: [get.contentLength, 0, get.status]) {
      [$0.contentLength, $0.body.utf8.count, $0.status]
    }
  }

  @Test
  func `HEAD gets the headers of GET without the body`() throws {
    try expect(
      router, .head, "/views/main",
      gives: """
        200
        Content-Type: text/plain; charset=utf-8
        Content-Length: 9
        """)
  }

  @Test
  func `HEAD gets a 405 if the path has no GET route`() throws {
    let answer = Answer(router.respond(to: try HTTPRequest(method: .head, target: "/views")), to: .head)
    #expect(answer.status == 405)
    #expect(answer.headers["Allow"] == "POST, OPTIONS")
  }

  @Test
  func `the router lists its routes with their patterns in order`() {
    #expect(router.routes.prefix(2).map { "\($0.method) \($0.pattern)" } == ["GET /", "GET /views/{view}"])
  }
}
