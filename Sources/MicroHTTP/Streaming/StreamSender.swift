internal import CMicrohttpd

/// One answer that is a stream: what libmicrohttpd holds of it, until it lets go.
final class StreamSender {
  private let stream: HTTPStream
  private let connection: Connection
  private let watch: Watch
  private let id: UInt64
  /// Whether the daemon has been told that nothing more comes.
  private var isFinished = false

  /// `MHD_CONTENT_READER_END_OF_STREAM` and `…_END_WITH_ERROR`, which are casts and so not imported.
  static let end = -1
  private static let failure = -2

  /// `nil` when there are as many streams as may be, or the stream is no longer to be had.
  init?(_ stream: HTTPStream, on connection: Connection, of watch: Watch) {
    let descriptor = shim_connection_socket(connection.handle)
    guard let id = watch.add(stream, on: descriptor) else { return nil }
    self.id = id
    self.stream = stream
    self.connection = connection
    self.watch = watch
    guard stream.attach(StreamLine(connection: connection, descriptor: descriptor)) else {
      watch.remove(stream: id)
      return nil
    }
    watch.watch(descriptor, stream: id)
  }

  /// The answer, which owns this object; destroyed, it closes the stream.
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

  /// Room for a block where the body is not chunked, for HTTP/1.0; otherwise bytes go into the connection's own memory.
  private static let blockSize = 2 << 10

  fileprivate func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    switch stream.read(into: buffer) {
    case .bytes(let count): return count
    case .suspended: return 0
    case .cutOff:
      connection.takeAnotherTurn()
      return Self.failure
    case .end:
      isFinished = true
      connection.takeAnotherTurn()
      return Self.end
    }
  }

  fileprivate func detach() {
    watch.remove(stream: id)
    stream.detach(isFinished ? .ended : .gone)
  }
}

extension Connection {
  /// Lets the daemon come back to the connection by itself, when the reader that is running has returned.
  ///
  /// Where a reader says that nothing more comes, libmicrohttpd (0.9.75) closes the connection and then forgets it: its
  /// descriptor stays open until something happens on the same thread, and if an older connection is there, even then. As
  /// that counts as a connection, the server ends up taking none. One that is resumed is looked at in any case.
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
  /// As many streams as may be.
  static var tooManyStreams: HTTPError {
    HTTPError(
      .serviceUnavailable, "There are as many event streams as this server takes.", headers: ["Retry-After": "5"])
  }
}
