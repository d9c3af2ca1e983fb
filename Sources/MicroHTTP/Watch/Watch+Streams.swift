extension Watch {
  /// Looks after a stream until ``remove(stream:)``.
  ///
  /// - Returns: its number, or `nil` when there are as many as may be.
  func add(_ stream: HTTPStream, on descriptor: Int32) -> UInt64? {
    let (id, isDraining) = state.withLock { state -> (UInt64?, Bool) in
      guard state.streams.count < maximumStreams, !state.isStopped else { return (nil, true) }
      state.lastStream += 1
      state.streams[state.lastStream] = (stream, descriptor)
      return (state.lastStream, state.isDraining)
    }
    if id != nil, isDraining { stream.end() }
    return id
  }

  /// Watches the socket that the stream goes out on, and the time.
  func watch(_ descriptor: Int32, stream id: UInt64) {
    _ = events.add(descriptor, id: id)
    events.interrupt()
  }

  /// Before the socket is closed, or used for another answer.
  func remove(stream id: UInt64) {
    let descriptor = state.withLock { $0.streams.removeValue(forKey: id)?.descriptor }
    if let descriptor { events.remove(descriptor) }
  }

  var streams: Int { state.withLock { $0.streams.count } }

  /// Ends every stream, also those that begin from now on. What waits is still sent.
  func drain() {
    let streams = state.withLock { state in
      state.isDraining = true
      return state.streams.values.map(\.stream)
    }
    for stream in streams { stream.end() }
  }

  /// Those whose client has gone.
  func closeStreams(_ ids: [UInt64]) {
    if ids.isEmpty { return }
    let streams = state.withLock { state in ids.compactMap { state.streams[$0]?.stream } }
    for stream in streams { stream.close(.gone) }
  }

  /// - Returns: when the next one is due.
  func sendHeartbeats(at now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
    let streams = state.withLock { $0.streams.values.map(\.stream) }
    return streams.compactMap { $0.sendHeartbeat(at: now) }.min()
  }
}
