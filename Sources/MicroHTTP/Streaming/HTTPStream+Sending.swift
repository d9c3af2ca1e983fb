// How a stream gets onto a connection: what the daemon's threads and the watch ask of it.

extension HTTPStream {
  /// What the daemon is told when it asks for bytes.
  enum Portion {
    case bytes(Int)
    /// The connection is suspended, and resumed when there is more.
    case suspended
    case end
    /// Close the connection without the end of the body.
    case cutOff
  }

  /// Takes the connection as its way out.
  ///
  /// - Returns: false for a stream that has one already, or had: two answers cannot share it.
  func attach(_ line: StreamLine) -> Bool {
    state.withLock { state in
      guard state.line == nil, state.closure == nil else { return false }
      state.line = line
      return true
    }
  }

  /// The daemon lets go of the answer.
  func detach(_ closure: Closure) {
    state.withLock { $0.line = nil }
    close(closure)
  }

  /// Fills the buffer as far as it goes: several pieces that wait go out as one.
  func read(into buffer: UnsafeMutableRawBufferPointer) -> Portion {
    while true {
      if let portion = state.withLock({ $0.read(into: buffer) }) { return portion }
      if let bytes = nextOfPrelude() { state.withLock { $0.carry.append(bytes) } }
    }
  }

  /// Sends the heartbeat if it is due.
  ///
  /// - Returns: when to ask again.
  func sendHeartbeat(at now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
    guard let heartbeat else { return nil }
    return state.withLock { state in
      guard state.closure == nil, let line = state.line else { return nil }
      let due = line.lastMove.advanced(by: heartbeat.interval)
      if due > now { return due }
      // While the daemon is busy sending, the client hears enough.
      if line.isSuspended {
        state.queue.append(heartbeat.bytes)
        state.line?.resume()
      }
      return now.advanced(by: heartbeat.interval)
    }
  }

  /// Whether there is something that the daemon has not handed to the system.
  var hasUnsent: Bool { state.withLock { $0.line?.isSuspended == false } }
}

extension HTTPStream.State {
  /// `nil` when the prelude has to be asked first.
  fileprivate mutating func read(into buffer: UnsafeMutableRawBufferPointer) -> HTTPStream.Portion? {
    if closure != nil { return .cutOff }
    var count = carry.take(into: buffer)
    if count == 0 {
      if hasPrelude { return nil }
      count = queue.take(into: buffer)
    }
    if count > 0 {
      line?.noteMove()
      return .bytes(count)
    }
    if isEnded { return .end }
    line?.suspend()
    return .suspended
  }
}
