/// Reading, handling and sending of what lies ready together, kept apart: one round of each lane after another.
///
/// By itself libmicrohttpd reads a request, asks for its answer and sends that, and then looks at the next connection. The
/// kernel's work in between pushes the handler's code out of the caches, and under load a diff takes half as long again for
/// that. So a request with a short body is given no answer when it is asked about first. Libmicrohttpd asks again, in its
/// next pass over the connections, when it has read from all the others; and what is answered then it sends in the pass
/// after that one (0.9.75; it spares a request that is answered at once the two looks at the sockets in between).
///
/// It says nothing of its passes. But it asks about each connection once in a pass; so who is asked about for the second
/// time begins another.
struct Round {
  /// The number of a pass; 0 for who was never asked about.
  typealias Pass = Int

  private var pass: Pass = 1
  /// When the first of those that had waited was handled, in this pass.
  private var beginning: Monotonic?

  /// Answers that are there wait no longer for others than this, and for one handler.
  private static let longest = Duration.microseconds(500)
  /// What is longer takes long by itself.
  private static let longestBody = 16 << 10

  /// The daemon asks for the answer to a client.
  mutating func ask(about client: Client) {
    if client.pass == pass {
      pass += 1
      beginning = nil
    }
    client.pass = pass
  }

  /// Whether a request that is asked about for the first time has to wait.
  func isWaitedFor(by request: HTTPRequest) -> Bool { (1...Self.longestBody).contains(request.body.count) || isOver }

  /// Whether whoever has not been handled yet has to wait for another pass: answers have to be sent first.
  var isOver: Bool { beginning.map { $0.duration(to: .now) > Self.longest } ?? false }

  /// One that has waited is handled.
  mutating func begin() { if beginning == nil { beginning = .now } }
}
