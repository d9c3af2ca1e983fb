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

  /// What time brings: a heartbeat, or the end of a client that takes nothing.
  ///
  /// - Parameter patience: how long the client may take nothing while something waits.
  /// - Returns: when to look again.
  func look(at now: ContinuousClock.Instant, patience: Duration) -> ContinuousClock.Instant? {
    let (next, isStuck) = state.withLock { state -> (ContinuousClock.Instant?, Bool) in
      guard state.closure == nil, let line = state.line else { return (nil, false) }
      // Looked at again in any case: it may be written to right after this, and the client be stuck on that.
      let later = now.advanced(by: min(patience, heartbeat?.interval ?? patience))
      if !line.isSuspended {
        let limit = line.lastMove.advanced(by: patience)
        guard limit <= now else { return (min(limit, later), false) }
        state.cut(.stuck)
        return (nil, true)
      }
      guard let heartbeat else { return (later, false) }
      let due = line.lastMove.advanced(by: heartbeat.interval)
      guard due <= now else { return (min(due, later), false) }
      state.queue.append(heartbeat.bytes)
      state.line?.resume()
      return (later, false)
    }
    if isStuck { onClose(.stuck) }
    return next
  }
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
