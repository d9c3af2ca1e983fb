import MicroHTTP
import MirrorSupport

/// Another site, to which no page of the mirror may send requests. It also serves pages that attack
/// the mirror, and unsafe pages.
final class TrapServer: Sendable {
  private let state = Lines()
  private let server: HTTPServer
  let address: String

  /// The paths of requests, and the served pages.
  private final class Lines: @unchecked Sendable {
    private let lock = Lock()
    private var asked: [String] = []
    private var pages: [String: String] = [:]

    var all: [String] { lock.held { asked } }
    func note(_ path: String) { lock.held { asked.append(path) } }
    func forget() { lock.held { asked = [] } }
    func page(_ path: String) -> String? { lock.held { pages[path] } }
    func set(_ page: String, at path: String) { lock.held { pages[path] = page } }
  }

  private struct Handler: HTTPHandler {
    let state: Lines

    func handle(_ request: HTTPRequest) throws -> HTTPResponse {
      if let page = state.page(request.path) {
        return HTTPResponse(contentType: "text/html; charset=utf-8", bytes: Array(page.utf8))
      }
      if request.path != "/favicon.ico" { state.note("\(request.method) \(request.path)") }
      return HTTPResponse(contentType: "text/javascript", bytes: Array("alert('loaded')".utf8))
    }
  }

  /// On another address than the mirror's, so that it is a different site and not only a different
  /// origin.
  init() throws {
    server = HTTPServer(address: "127.0.0.2", port: 0, handler: Handler(state: state))
    try server.start()
    address = "http://127.0.0.2:\(server.port)"
  }

  /// The paths of requests, without pages.
  var asked: [String] { state.all }
  func forget() { state.forget() }
  var port: UInt16 { server.port }

  /// - Returns: the page's address.
  func serve(_ page: String, at path: String) -> String {
    state.set(page, at: path)
    return address + path
  }
}
