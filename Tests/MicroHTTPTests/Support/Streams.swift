import Dispatch
import MicroHTTP
import Testing

/// A handler that answers with streams, and what became of them.
final class Streams: Sendable {
  private let opened = Collected<HTTPStream>()
  private let closed = Collected<HTTPStream.Closure>()
  private let openings = DispatchSemaphore(value: 0)
  private let closings = DispatchSemaphore(value: 0)

  /// Every request gets a stream.
  func handler(
    capacity: Int = 1 << 20, heartbeat: HTTPStream.Heartbeat? = nil,
    prelude: (@Sendable () -> [UInt8]?)? = nil
  ) -> ClosureHandler {
    ClosureHandler { [self] request in
      let stream = HTTPStream(capacity: capacity, heartbeat: heartbeat, prelude: prelude) { [self] why in
        closed.append(why)
        closings.signal()
      }
      opened.append(stream)
      openings.signal()
      return HTTPResponse(headers: ["Content-Type": "text/event-stream"], body: .stream(stream))
    }
  }

  /// The next stream that was asked for.
  func next() -> HTTPStream {
    openings.wait()
    return opened.removeFirst()
  }

  /// Why the next one was closed.
  func nextClosure() -> HTTPStream.Closure {
    closings.wait()
    return closed.removeFirst()
  }

  /// Closures that nobody asked for.
  var closures: [HTTPStream.Closure] { closed.all }
}

extension HTTPStream {
  @discardableResult
  func write(_ text: String) -> Bool { write(Array(text.utf8)) }
}
