internal import CMicrohttpd
internal import Synchronization

// The functions that libmicrohttpd calls. C function pointers capture nothing, so each takes the
// event loop and the client from its pointers and calls `Daemon+Requests.swift`.
//
// A connection: `noteConnection` creates its `Client` at the beginning and releases it at the end.
//
// A request: `beginRequest` starts the client's `Exchange` when the first line has been read.
// `answerRequest` is called with the headers, then with each piece of the body, then without bytes
// until there is a response. `completeRequest` ends the exchange, with or without a response.

/// Calls `body` with the objects behind the pointers, without retaining them: the calling daemon
/// keeps them alive, and reference counting would cost several atomic operations for each call.
private func borrow<Result>(
  _ context: UnsafeMutableRawPointer, _ slot: UnsafeMutableRawPointer, _ body: (EventLoop, Client) -> Result
) -> Result {
  Unmanaged<EventLoop>.fromOpaque(context)._withUnsafeGuaranteedRef { loop in
    Unmanaged<Client>.fromOpaque(slot)._withUnsafeGuaranteedRef { body(loop, $0) }
  }
}

let noteConnection: MHD_NotifyConnectionCallback = { context, connection, slot, event in
  guard let context, let connection, let slot else { return }
  let daemon = Unmanaged<EventLoop>.fromOpaque(context).takeUnretainedValue().daemon
  if event == .CONNECTION_NOTIFY_STARTED {
    let client = Client(descriptor: shim_connection_socket(connection), limits: daemon.limits)
    slot.pointee = Unmanaged.passRetained(client).toOpaque()
    daemon.monitor.add(client)
  } else if let pointer = slot.pointee {
    slot.pointee = nil
    daemon.monitor.remove(Unmanaged<Client>.fromOpaque(pointer).takeRetainedValue())
  }
}

/// Gets the target as the client sent it. Later libmicrohttpd splits and decodes it in place.
let beginRequest:
  @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<CChar>?, OpaquePointer?) -> UnsafeMutableRawPointer? = {
    context, target, connection in
    guard let context, let connection, let slot = shim_connection_context(connection) else { return nil }
    borrow(context, slot) { loop, client in
      loop.daemon.begin(
        client, target: target.map(HeadLayout.bytes) ?? UnsafeRawBufferPointer(start: nil, count: 0), on: loop)
    }
    if let target { hideQuery(UnsafeMutablePointer(mutating: target)) }
    return slot
  }

/// Hides the query from libmicrohttpd, which stores each query argument in the connection's memory.
/// If hundreds of them do not fit, libmicrohttpd (0.9.75) sends no response at all. The exchange
/// has already copied the target.
private func hideQuery(_ target: UnsafeMutablePointer<CChar>) {
  var place = target
  while place.pointee != 0, place.pointee != CChar(UInt8(ascii: "?")) { place += 1 }
  if place.pointee != 0 { place[1] = 0 }
}

let answerRequest: MHD_AccessHandlerCallback = { context, handle, _, method, version, upload, uploadSize, slot in
  guard let context, let handle, let method, let version, let uploadSize, let pointer = slot?.pointee else {
    return .NO
  }
  return borrow(context, pointer) { loop, client in
    let connection = Connection(handle: handle)
    if !client.exchange.hasBegun {
      let head = connection.head(method: method, version: version)
      let step = client.exchange.begin(
        head.bytes, hasValidSeparators: head.hasValidSeparators(target: client.exchange.place), reading: head.read)
      return loop.daemon.follow(step, client, connection, on: loop)
    }
    if uploadSize.pointee > 0 {
      let bytes = UnsafeRawBufferPointer(start: upload, count: uploadSize.pointee)
      uploadSize.pointee = 0
      return loop.daemon.follow(client.exchange.receive(bytes), client, connection, on: loop)
    }
    return loop.daemon.answer(client, connection, on: loop)
  }
}

let completeRequest: MHD_RequestCompletedCallback = { context, connection, slot, end in
  guard let context, let connection, let pointer = slot?.pointee else { return }
  slot?.pointee = nil
  borrow(context, pointer) { loop, client in
    loop.daemon.complete(client, status: shim_connection_status(connection), on: loop)
  }
}

/// Leaves percent-escapes as they are: libmicrohttpd would decode them before it splits the path,
/// and Swift would decode again.
let leaveEscapes: @convention(c) (UnsafeMutableRawPointer?, OpaquePointer?, UnsafeMutablePointer<CChar>?) -> Int = {
  _, _, text in
  var length = 0
  while let text, text[length] != 0 { length += 1 }
  return length
}

let writeLog: @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<CChar>?) -> Void = { context, line in
  guard let context, let line else { return }
  Unmanaged<Daemon>.fromOpaque(context).takeUnretainedValue().note(String(cString: line))
}

// The lines of libmicrohttpd's log.

extension Daemon {
  /// Logs a line of libmicrohttpd, unless it only says that a client has disconnected, or that a
  /// stream was closed.
  ///
  /// libmicrohttpd (0.9.75) logs every response that it ends early. A stream is ended early on
  /// purpose when its client has disconnected or does not read: sending the end of the body would
  /// make the response look complete, and reporting an error is the only other way to close the
  /// connection. Event streams often end that way, so the line is not a warning.
  func note(_ line: String) {
    if line.contains("application error generating response"), takeCutOff() { return }
    if line.hasPrefix("Failed to send the"), Self.disconnections.contains(where: line.contains) { return }
    options.log(line)
  }

  /// The errors of a socket whose client has disconnected: `ECONNRESET` and `EPIPE`.
  private static let disconnections = [
    "The connection was forcibly closed by remote peer", "The socket is no longer available for sending",
  ]

  /// Counts one line of the log for an error that ``StreamSender`` has reported on purpose.
  ///
  /// - Returns: `false` if lines for all of these errors have been counted already, so that the
  ///   line is about another error.
  private func takeCutOff() -> Bool {
    if monitor.cutOffs.subtract(1, ordering: .relaxed).oldValue > 0 { return true }
    monitor.cutOffs.add(1, ordering: .relaxed)
    return false
  }
}
