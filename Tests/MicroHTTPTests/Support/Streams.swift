import Dispatch
import MicroHTTP
import Testing

/// A handler whose responses are streams. It records the streams and how they were closed.
final class Streams: Sendable {
  private let opened = Collected<HTTPStream>()
  private let closed = Collected<HTTPStream.Closure>()
  private let openings = DispatchSemaphore(value: 0)
  private let closings = DispatchSemaphore(value: 0)

  /// A handler that responds to every request with a new stream.
  func handler(
    capacity: Int = 1 << 20, heartbeat: HTTPStream.Heartbeat? = nil, pace: Duration = .zero,
    prelude: (@Sendable () -> [UInt8]?)? = nil
  ) -> ClosureHandler {
    ClosureHandler { [self] request in
      let stream = HTTPStream(capacity: capacity, heartbeat: heartbeat, pace: pace, prelude: prelude) { [self] why in
        closed.append(why)
        closings.signal()
      }
      opened.append(stream)
      openings.signal()
      return HTTPResponse(headers: ["Content-Type": "text/event-stream"], body: .stream(stream))
    }
  }

  /// The next stream of the handler; waits for a request if there is none.
  func next() -> HTTPStream {
    openings.wait()
    return opened.removeFirst()
  }

  /// The reason of the next closed stream; waits until a stream is closed if there is none.
  func nextClosure() -> HTTPStream.Closure {
    closings.wait()
    return closed.removeFirst()
  }

  /// The reasons that `nextClosure()` has not returned yet.
  var closures: [HTTPStream.Closure] { closed.all }
}

extension HTTPStream {
  @discardableResult
  func write(_ text: String) -> Bool { write(Array(text.utf8)) }
}
