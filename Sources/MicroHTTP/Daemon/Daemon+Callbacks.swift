internal import CMicrohttpd

// The functions that libmicrohttpd calls: they capture nothing, take the daemon out of the pointer, and hand on.
//
// The life of a connection: `noteConnection` makes a `Client` for it and lets it go at its end. Of a request: `beginRequest`
// starts the client's `Exchange` as soon as the first line is read, `answerRequest` moves it on (first with the headers,
// then with every piece of the body, at last with nothing, until there is an answer), and `completeRequest` ends it,
// whatever became of the request.

/// What the pointers stand for. They are only borrowed: the daemon that calls has them, and counting who else does would
/// take several atomic steps for each call.
private func borrow<Result>(
  _ context: UnsafeMutableRawPointer, _ slot: UnsafeMutableRawPointer, _ body: (Lane, Client) -> Result
) -> Result {
  Unmanaged<Lane>.fromOpaque(context)._withUnsafeGuaranteedRef { lane in
    Unmanaged<Client>.fromOpaque(slot)._withUnsafeGuaranteedRef { body(lane, $0) }
  }
}

let noteConnection: MHD_NotifyConnectionCallback = { context, connection, slot, event in
  guard let context, let connection, let slot else { return }
  let daemon = Unmanaged<Lane>.fromOpaque(context).takeUnretainedValue().daemon
  if event == .CONNECTION_NOTIFY_STARTED {
    let client = Client(descriptor: shim_connection_socket(connection), limits: daemon.limits)
    slot.pointee = Unmanaged.passRetained(client).toOpaque()
    daemon.watch.add(client)
  } else if let pointer = slot.pointee {
    slot.pointee = nil
    daemon.watch.remove(Unmanaged<Client>.fromOpaque(pointer).takeRetainedValue())
  }
}

/// The target as it was sent: later the daemon cuts and decodes it in place.
let beginRequest:
  @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<CChar>?, OpaquePointer?) -> UnsafeMutableRawPointer? = {
    context, target, connection in
    guard let context, let connection, let slot = shim_connection_context(connection) else { return nil }
    borrow(context, slot) { lane, client in
      lane.daemon.begin(
        client, target: target.map(HeadLayout.bytes) ?? UnsafeRawBufferPointer(start: nil, count: 0), on: lane)
    }
    if let target { hideQuery(UnsafeMutablePointer(mutating: target)) }
    return slot
  }

/// Lets the daemon see no query. It would keep a record of each argument in the connection's memory, and gives no answer at
/// all (0.9.75) when some hundreds do not fit. Here the target has been copied; there it is cut up in place anyway.
private func hideQuery(_ target: UnsafeMutablePointer<CChar>) {
  var place = target
  while place.pointee != 0, place.pointee != CChar(UInt8(ascii: "?")) { place += 1 }
  if place.pointee != 0 { place[1] = 0 }
}

let answerRequest: MHD_AccessHandlerCallback = { context, handle, _, method, version, upload, uploadSize, slot in
  guard let context, let handle, let method, let version, let uploadSize, let pointer = slot?.pointee else {
    return .NO
  }
  return borrow(context, pointer) { lane, client in
    let connection = Connection(handle: handle)
    if !client.exchange.hasBegun {
      let head = connection.head(method: method, version: version)
      let step = client.exchange.begin(
        head.bytes, isSeparatedWell: head.isSeparatedWell(target: client.exchange.place), reading: head.read)
      return lane.daemon.follow(step, client, connection, on: lane)
    }
    if uploadSize.pointee > 0 {
      let bytes = UnsafeRawBufferPointer(start: upload, count: uploadSize.pointee)
      uploadSize.pointee = 0
      return lane.daemon.follow(client.exchange.receive(bytes), client, connection, on: lane)
    }
    return lane.daemon.answer(client, connection, on: lane)
  }
}

let completeRequest: MHD_RequestCompletedCallback = { context, connection, slot, end in
  guard let context, let connection, let pointer = slot?.pointee else { return }
  slot?.pointee = nil
  borrow(context, pointer) { lane, client in
    lane.daemon.complete(client, status: shim_connection_status(connection), on: lane)
  }
}

/// Decodes nothing. The daemon would decode before it cuts, and Swift a second time.
let leaveEscapes: @convention(c) (UnsafeMutableRawPointer?, OpaquePointer?, UnsafeMutablePointer<CChar>?) -> Int = {
  _, _, text in
  var length = 0
  while let text, text[length] != 0 { length += 1 }
  return length
}

let writeLog: @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<CChar>?) -> Void = { context, line in
  guard let context, let line else { return }
  Unmanaged<Daemon>.fromOpaque(context).takeUnretainedValue().log(String(cString: line))
}
