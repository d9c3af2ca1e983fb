import MicroHTTP
import Testing

@Suite("HTTPHeaders")
struct HTTPHeadersTests {
  @Test("a field is found in any case")
  func anyCase() {
    let headers: HTTPHeaders = ["Content-Type": "text/plain"]
    #expect(headers["content-type"] == "text/plain")
    #expect(headers["CONTENT-TYPE"] == "text/plain")
    #expect(headers["Content-Typ"] == nil)
    #expect(headers["Content-Type-"] == nil)
  }

  @Test("order and duplicates are kept")
  func order() {
    var headers: HTTPHeaders = ["B": "1", "A": "2", "b": "3"]
    headers.add("A", "4")
    #expect("\(headers)" == "B: 1\nA: 2\nb: 3\nA: 4")
    #expect(headers.values(of: "b") == ["1", "3"])
    #expect(headers.list(of: "a") == "2, 4")
    #expect(headers.list(of: "c") == nil)
  }

  @Test("setting replaces every field of the name in the place of the first")
  func setting() {
    var headers: HTTPHeaders = ["A": "1", "B": "2", "a": "3"]
    headers["a"] = "4"
    #expect("\(headers)" == "a: 4\nB: 2")
    headers["A"] = nil
    #expect("\(headers)" == "B: 2")
  }

  @Test("headers arrive over the socket in order, duplicates and all")
  func overTheSocket() throws {
    let handler = ClosureHandler { request in
      .text(request.headers.fields.map { "\($0.name)=\($0.value)" }.joined(separator: ";"))
    }
    let answer = try exchange("GET / HTTP/1.1\r\nHost: a\r\nX-One:  1 \r\nx-one: 2\r\nX-Empty:\r\n\r\n", with: handler)
    #expect(answer.body == "Host=a;X-One=1;x-one=2;X-Empty=")
  }
}
