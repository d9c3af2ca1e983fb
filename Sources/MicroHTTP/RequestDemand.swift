/// The resources that a request works on, which decide whether its handler runs on an event loop or on a worker thread.
///
/// There is one event loop for each core. A long handler would block all connections of its event loop, so it runs on
/// ``Workers``. So do requests that would have to wait for it.
public enum RequestDemand: Sendable, Hashable {
  /// The handler is short and waits for no other request. It runs on the event loop.
  case light
  /// The request works on one resource. Requests of the same resource never run on two workers at the same time.
  ///
  /// - Parameter isHeavy: whether the handler takes long. A request with a long body always runs on a worker.
  case of(_ resource: Substring, isHeavy: Bool)
  /// The request reads several resources, and waits for those that are busy. If workers have jobs, it also runs on a worker,
  /// never at the same time as another request of the same `queue`.
  case several(queue: Substring)
  /// The handler waits for another program, such as a database. It runs on a worker, whose place another thread takes meanwhile, and never
  /// at the same time as another request of the same `queue`.
  case waiting(queue: Substring)

  /// The key of the workers' queue.
  var key: String {
    switch self {
    case .light: ""
    case .of(let key, _), .several(let key), .waiting(let key): String(key)
    }
  }
}
