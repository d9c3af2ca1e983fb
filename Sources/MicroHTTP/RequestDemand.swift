/// What a request may wait for: says whether the daemon's threads answer it themselves.
///
/// A daemon has one thread for every core, and a handler that takes long would stop all connections of its thread. So
/// requests that may take long run on ``Workers``, and so does everything that would wait for them.
public enum RequestDemand: Sendable, Hashable {
  /// The answer is at hand, and waits for no other request.
  case light
  /// The request works on one resource. Requests to one resource that run on workers run one after the other.
  ///
  /// - Parameter isHeavy: whether it takes long by itself. A request with a long body always counts as heavy.
  case of(_ resource: Substring, isHeavy: Bool)
  /// The request looks at several resources, and waits for each that is busy. While some are, it runs on a worker, after
  /// the others of its queue.
  case several(queue: Substring)
}
