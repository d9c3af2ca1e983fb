internal import MirrorSupport

extension ConnectionMonitor {
  /// Supervises a stream until ``remove(stream:)``.
  ///
  /// - Returns: the stream's number; `nil` when the maximum of streams is reached.
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

  /// Begins to watch for the disconnection of the stream's client, and to send what is due.
  func observe(_ descriptor: Int32, stream id: UInt64) {
    _ = events.add(descriptor, id: id)
    events.interrupt()
  }

  /// To be called before the socket is closed or used for another response.
  func remove(stream id: UInt64) {
    let descriptor = state.withLock { $0.streams.removeValue(forKey: id)?.descriptor }
    if let descriptor { events.remove(descriptor) }
  }

  var streams: Int { state.withLock { $0.streams.count } }

  /// Ends all streams, and those that begin later. Bytes in their queues are still sent.
  func drain() {
    let streams = state.withLock { state in
      state.isDraining = true
      return state.streams.values.map(\.stream)
    }
    for stream in streams { stream.end() }
  }

  /// Closes the streams whose clients have disconnected.
  func closeStreams(_ ids: [UInt64]) {
    if ids.isEmpty { return }
    let streams = state.withLock { state in ids.compactMap { state.streams[$0]?.stream } }
    for stream in streams { stream.close(.disconnected) }
  }

  /// - Returns: when the next bytes of a stream are due.
  func sendDue(at now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
    let streams = state.withLock { $0.streams.values.map(\.stream) }
    return streams.compactMap { $0.sendDue(at: now) }.min()
  }
}
