import Testing

@testable import MicroHTTP

@Suite("HTTPHeaders")
struct HTTPHeadersTests {
  @Test
  func `field names are case-insensitive`() {
    let headers: HTTPHeaders = ["Content-Type": "text/plain"]
    #expect(headers["content-type"] == "text/plain")
    #expect(headers["CONTENT-TYPE"] == "text/plain")
    #expect(headers["Content-Typ"] == nil)
    #expect(headers["Content-Type-"] == nil)
  }

  @Test
  func `order and duplicates are kept`() {
    var headers: HTTPHeaders = ["B": "1", "A": "2", "b": "3"]
    headers.add("A", "4")
    #expect("\(headers)" == "B: 1\nA: 2\nb: 3\nA: 4")
    #expect(headers.values(of: "b") == ["1", "3"])
    #expect(headers.list(of: "a") == "2, 4")
    #expect(headers.list(of: "c") == nil)
  }

  @Test
  func `setting a value replaces the first field of the name and removes the others`() {
    var headers: HTTPHeaders = ["A": "1", "B": "2", "a": "3"]
    headers["a"] = "4"
    #expect("\(headers)" == "a: 4\nB: 2")
    headers["A"] = nil
    #expect("\(headers)" == "B: 2")
  }

  @Test
  func `a request keeps the order of its headers and their duplicates`() throws {
    let handler = ClosureHandler { request in
      .text(request.headers.fields.map { "\($0.name)=\($0.value)" }.joined(separator: ";"))
    }
    let answer = try exchange("GET / HTTP/1.1\r\nHost: a\r\nX-One:  1 \r\nx-one: 2\r\nX-Empty:\r\n\r\n", with: handler)
    #expect(answer.body == "Host=a;X-One=1;x-one=2;X-Empty=")
  }

  // MARK: - Shared fields

  private let shared = [HTTPHeaders.Field(name: "X", value: "1"), HTTPHeaders.Field(name: "Y", value: "2")]

  @Test
  func `shared fields follow the headers' own fields, and lookups find them`() {
    var headers: HTTPHeaders = ["A": "0"]
    headers.add(missing: shared)
    #expect("\(headers)" == "A: 0\nX: 1\nY: 2")
    #expect(headers["y"] == "2")
    #expect(headers.values(of: "x") == ["1"])
    #expect(headers.count(of: "X") == 1)
    #expect(headers.only("x") == "1")
  }

  @Test
  func `a shared field is added only if no field has its name yet`() {
    var headers: HTTPHeaders = ["x": "0", "A": "0", "X": "3"]
    headers.add(missing: shared)
    #expect("\(headers)" == "x: 0\nA: 0\nX: 3\nY: 2")
    var twice: HTTPHeaders = [:]
    twice.add(missing: shared)
    twice.add(missing: shared + [HTTPHeaders.Field(name: "Z", value: "3")])
    #expect("\(twice)" == "X: 1\nY: 2\nZ: 3")
  }

  @Test
  func `changing headers with shared fields does not change their copies`() {
    var original: HTTPHeaders = ["A": "0"]
    original.add(missing: shared)
    var headers = original
    headers.add("X", "3")
    headers["y"] = "4"
    #expect("\(headers)" == "A: 0\nX: 1\ny: 4\nX: 3")
    headers["x"] = nil
    #expect("\(headers)" == "A: 0\ny: 4")
    #expect("\(original)" == "A: 0\nX: 1\nY: 2")
  }

  @Test
  func `headers with the same fields are equal, whether the fields are shared or not`() {
    var headers: HTTPHeaders = ["A": "0"]
    headers.add(missing: shared)
    let written: HTTPHeaders = ["A": "0", "X": "1", "Y": "2"]
    #expect(headers == written)
    #expect(headers.hashValue == written.hashValue)
    #expect(headers != ["A": "0", "Y": "2", "X": "1"])
    #expect(headers != ["A": "0"])
  }
}
