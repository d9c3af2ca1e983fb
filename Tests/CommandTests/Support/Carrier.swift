import Foundation
import Synchronization

/// Reads the pushes of a page, and feeds the event with its reply.
final class Carrier: Sendable {
  private let stream: Caller
  private let port: UInt16
  private let page: String
  private let response: String?
  private let received = Mutex("")

  /// - Parameters:
  ///   - response: the response of the LiveView; `nil` for none.
  ///   - port: the mirror that is fed; by default the one whose pushes are read.
  init?(_ server: Server, page: String, response: String?, feeding port: UInt16? = nil) {
    guard let stream = Caller(port: server.port) else { return nil }
    (self.stream, self.port, self.page, self.response) = (stream, port ?? server.port, page, response)
    stream.send("GET /pages/\(page)/pushes HTTP/1.1\r\nHost: localhost\r\n\r\n")
    _ = stream.head()
  }

  /// The payload of the push.
  var payload: String { received.withLock { $0 } }

  func start() {
    let thread = Thread { [self] in
      guard let payload = stream.text(until: "\n\n", after: "\"payload\":")?.dropLast(1) else { return }
      received.withLock { $0 = String(payload) }
      guard let response else { return }
      let lines =
        #"["4","9","lv:r","event",\#(payload)]"# + "\n"
        + #"["4","9","lv:r","phx_reply",{"status":"ok","response":\#(response)}]"#
      _ = Caller(port: port)?.post("/frames?page=\(page)", lines, keepingAlive: false)
    }
    thread.start()
  }
}
