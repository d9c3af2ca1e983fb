internal import MirrorSupport

// The functions of a stream that its event loop and the connection monitor call.

extension HTTPStream {
  /// The response to libmicrohttpd's request for bytes.
  enum Portion {
    case bytes(Int)
    /// There are no bytes to send now. The connection was suspended; the next write or the monitor
    /// resumes it.
    case suspended
    case end
    /// Close the connection without the end of the body.
    case cutOff
  }

  /// Connects the stream.
  ///
  /// - Returns: false for a stream that has another connection or is closed.
  func attach(_ line: StreamLine) -> Bool {
    state.withLock { state in
      guard state.line == nil, state.closure == nil else { return false }
      state.line = line
      return true
    }
  }

  /// Disconnects and closes the stream. Called when libmicrohttpd releases the response.
  func detach() {
    state.withLock { $0.line = nil }
    close(.disconnected)
  }

  /// Fills the buffer with waiting bytes: first those of the prelude, then those of the queue.
  func read(into buffer: UnsafeMutableRawBufferPointer) -> Portion {
    while true {
      if let portion = changing({ $0.read(into: buffer, of: self) }) { return portion }
      if let bytes = nextOfPrelude() { state.withLock { $0.carry.append(bytes) } }
    }
  }

  /// Sends what is due: bytes that have waited for the stream's ``pace``, or the heartbeat.
  ///
  /// - Returns: the time at which this must be called again; `nil` if the stream has no connection
  ///   or is closed, or if it has neither waiting bytes nor a heartbeat.
  func sendDue(at now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
    changing { state in
      guard state.closure == nil, let line = state.line else { return nil }
      if let due = line.due {
        if due > now { return due }
        state.line?.resume()
        return heartbeat.map { now.advanced(by: $0.interval) }
      }
      guard let heartbeat else { return nil }
      let due = line.lastMove.advanced(by: heartbeat.interval)
      if due > now { return due }
      // While other bytes are being sent, a heartbeat is not needed.
      if line.isSuspended {
        state.queue.append(heartbeat.bytes)
        state.line?.resume()
      }
      return now.advanced(by: heartbeat.interval)
    }
  }

  /// Whether libmicrohttpd may have bytes that it could not write to the socket: the connection is
  /// not suspended.
  var hasUnsent: Bool { state.withLock { $0.line?.isSuspended == false } }
}

extension HTTPStream.State {
  /// Fills the buffer. Returns `nil` if the prelude must first be called for more bytes, which must
  /// happen outside of the lock.
  fileprivate mutating func read(
    into buffer: UnsafeMutableRawBufferPointer, of stream: HTTPStream
  ) -> HTTPStream.Portion? {
    if closure != nil { return .cutOff }
    var count = carry.take(into: buffer)
    if count == 0 {
      if hasPrelude { return nil }
      if !queue.isEmpty, !isEnded, !stream.isPressing(queue.count), line?.suspendForNextPiece() == true {
        return .suspended
      }
      count = queue.take(into: buffer)
      if count > 0, queue.isEmpty { line?.endPiece(pace: stream.pace) }
    }
    if count > 0 {
      line?.noteMove()
      return .bytes(count)
    }
    if isEnded {
      isReadToEnd = true
      return .end
    }
    line?.suspend()
    return .suspended
  }
}
