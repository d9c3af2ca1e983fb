internal import CMicrohttpd

// The functions that libmicrohttpd calls: they capture nothing, take the daemon out of the pointer, and hand on.
//
// The life of a request: `beginRequest` puts an `Exchange` on the heap as soon as the first line is read,
// `answerRequest` moves it on (first with the headers, then with every piece of the body, at last with nothing), and
// `completeRequest` frees it, whatever became of the request.

private func daemon(_ context: UnsafeMutableRawPointer) -> Daemon {
  Unmanaged<Daemon>.fromOpaque(context).takeUnretainedValue()
}

/// The target as it was sent: later the daemon cuts and decodes it in place.
let beginRequest:
  @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<CChar>?, OpaquePointer?) -> UnsafeMutableRawPointer? = {
    context, target, _ in
    guard let context else { return nil }
    let exchange = UnsafeMutablePointer<Exchange>.allocate(capacity: 1)
    exchange.initialize(to: daemon(context).begin(target: target.flatMap { String(validatingCString: $0) }))
    return UnsafeMutableRawPointer(exchange)
  }

let answerRequest: MHD_AccessHandlerCallback = { context, connection, _, method, _, upload, uploadSize, slot in
  guard let context, let connection, let method, let uploadSize,
    let exchange = slot?.pointee?.assumingMemoryBound(to: Exchange.self)
  else { return .NO }
  let daemon = daemon(context)

  if !exchange.pointee.hasBegun {
    let head = RequestHead(
      method: HTTPMethod(rawValue: String(cString: method)), headers: Connection(handle: connection).headers)
    return daemon.follow(exchange.pointee.begin(head), Connection(handle: connection))
  }
  if uploadSize.pointee > 0 {
    let bytes = UnsafeRawBufferPointer(start: upload, count: uploadSize.pointee)
    uploadSize.pointee = 0
    return daemon.follow(exchange.pointee.receive(bytes), Connection(handle: connection))
  }
  return daemon.answer(&exchange.pointee, Connection(handle: connection))
}

let completeRequest: MHD_RequestCompletedCallback = { context, _, slot, _ in
  guard let context, let exchange = slot?.pointee?.assumingMemoryBound(to: Exchange.self) else { return }
  slot?.pointee = nil
  exchange.deinitialize(count: 1)
  exchange.deallocate()
  daemon(context).traffic.change { $0.end() }
}

let noteConnection: MHD_NotifyConnectionCallback = { context, connection, _, event in
  guard let context, let connection else { return }
  let descriptor = shim_connection_socket(connection)
  daemon(context).traffic.withLock {
    if event == .CONNECTION_NOTIFY_STARTED { $0.open(descriptor) } else { $0.close(descriptor) }
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
  daemon(context).log(String(cString: line))
}

// MARK: - What they do

extension Daemon {
  fileprivate func begin(target: String?) -> Exchange {
    let isDraining = traffic.withLock {
      $0.begin()
      return $0.isDraining
    }
    return Exchange(target: target, limits: limits, closure: isDraining ? .stopping : nil)
  }

  fileprivate func follow(_ step: Exchange.Step, _ connection: Connection) -> MHD_Result {
    switch step {
    case .readOn: .YES
    case .refuse(let error): connection.send(error.response, .init(isClosing: true, streams: streams))
    case .hangUp: .NO
    }
  }

  fileprivate func answer(_ exchange: inout Exchange, _ connection: Connection) -> MHD_Result {
    let response: HTTPResponse
    var isToHead = false
    do throws(HTTPError) {
      let request = try exchange.end()
      isToHead = request.method == .head
      response = handler.respond(to: request) { [log] error in log("\(request.method) \(request.path): \(error)") }
    } catch {
      response = error.response
    }
    return connection.send(
      response, .init(isClosing: traffic.withLock { $0.isDraining }, isToHead: isToHead, streams: streams))
  }
}

extension HTTPError {
  /// What everybody gets while the daemon stops.
  static var stopping: HTTPError {
    HTTPError(.serviceUnavailable, "The server is stopping.", headers: ["Retry-After": "1"])
  }
}
