internal import CMicrohttpd
internal import Synchronization

/// Sends a stream as the body of a response. `Connection.send` makes a sender for each response
/// with a stream.
///
/// libmicrohttpd owns the sender through ``response()``, and releases it with the response.
final class StreamSender {
  private let stream: HTTPStream
  private let connection: Connection
  private let monitor: ConnectionMonitor
  private let id: UInt64

  /// `MHD_CONTENT_READER_END_OF_STREAM` and `…_END_WITH_ERROR`, which Swift does not import because
  /// they are casts.
  static let end = -1
  private static let failure = -2

  /// Fails if the maximum of streams is reached, if the server stops, if the stream is closed, or
  /// if the stream is already sent on another connection. The caller then closes the stream.
  init?(_ stream: HTTPStream, on connection: Connection, of monitor: ConnectionMonitor) {
    let descriptor = shim_connection_socket(connection.handle)
    guard let id = monitor.add(stream, on: descriptor) else { return nil }
    self.id = id
    self.stream = stream
    self.connection = connection
    self.monitor = monitor
    guard stream.attach(StreamLine(connection: connection, descriptor: descriptor, monitor: monitor)) else {
      monitor.remove(stream: id)
      return nil
    }
    monitor.observe(descriptor, stream: id)
  }

  /// The response, which retains this object. When libmicrohttpd destroys the response, the stream
  /// is closed.
  func response() -> OpaquePointer? {
    let me = Unmanaged.passRetained(self)
    let response = MHD_create_response_from_callback(
      .max, Self.blockSize, readStream, me.toOpaque(), freeStream)
    if response == nil {
      detach()
      me.release()
    }
    return response
  }

  /// The size of the buffer for a body without chunked encoding, as in HTTP/1.0. A chunked body
  /// uses the connection's own memory.
  private static let blockSize = 2 << 10

  fileprivate func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    switch stream.read(into: buffer) {
    case .bytes(let count): return count
    case .suspended: return 0
    case .cutOff:
      monitor.cutOffs.add(1, ordering: .relaxed)
      connection.takeAnotherTurn()
      return Self.failure
    case .end:
      connection.takeAnotherTurn()
      return Self.end
    }
  }

  fileprivate func detach() {
    monitor.remove(stream: id)
    stream.detach()
  }
}

extension Connection {
  /// Makes libmicrohttpd process the connection once more after the running callback.
  ///
  /// When a stream ends, libmicrohttpd (0.9.75) closes the connection but leaves its descriptor
  /// open until the thread's next event, or longer if an older connection exists. Connections with
  /// an open descriptor count towards the maximum, so after enough streams the server would accept
  /// no connection. libmicrohttpd always processes a resumed connection.
  fileprivate func takeAnotherTurn() {
    MHD_suspend_connection(handle)
    MHD_resume_connection(handle)
  }
}

private func sender(_ context: UnsafeMutableRawPointer) -> Unmanaged<StreamSender> {
  Unmanaged<StreamSender>.fromOpaque(context)
}

private let readStream: MHD_ContentReaderCallback = { context, _, buffer, size in
  guard let context, let buffer else { return StreamSender.end }
  return sender(context).takeUnretainedValue().read(into: UnsafeMutableRawBufferPointer(start: buffer, count: size))
}

private let freeStream: MHD_ContentReaderFreeCallback = { context in
  guard let context else { return }
  sender(context).takeRetainedValue().detach()
}

extension HTTPError {
  /// The maximum of streams is reached.
  static var tooManyStreams: HTTPError {
    HTTPError(
      .serviceUnavailable, "All event streams of this server are in use: close one or try again later.",
      headers: ["Retry-After": "5"])
  }
}
