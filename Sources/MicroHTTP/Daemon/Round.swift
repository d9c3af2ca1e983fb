/// Reading, handling and sending of what lies ready together, kept apart: one round of each lane after another.
///
/// By itself libmicrohttpd reads a request, asks for its answer and sends that, and then looks at the next connection. The
/// kernel's work in between pushes the handler's code out of the caches, and under load a diff takes half as long again for
/// that. So where there are several, a request with a short body is given no answer when it is asked about first.
/// Libmicrohttpd (0.9.75) asks again in its next pass over the connections, when it has read from all the others, and what is
/// answered then it sends in the pass after that one. Who comes alone is answered, and sent that, at once.
///
/// It says nothing of its passes. But it asks about each connection once in a pass; so who is asked about for the second
/// time begins another. Where nobody is, a new connection may wait for one pass although it is alone.
struct Round {
  /// The number of a pass; 0 for who was never asked about.
  typealias Pass = Int

  private var pass: Pass = 1
  /// When the first of those that had waited was handled, in this pass.
  private var beginning: Monotonic?
  /// How many with a short body were asked about in this pass, and in the one before.
  private var (count, countBefore) = (0, 0)

  /// Answers that are there wait no longer for others than this, and for one handler.
  private static let longest = Duration.microseconds(500)
  /// What is longer takes long by itself.
  private static let longestBody = 16 << 10

  /// The daemon asks for the answer to a client.
  mutating func ask(about client: Client) {
    if client.pass == pass {
      pass += 1
      beginning = nil
      (count, countBefore) = (0, count)
    }
    client.pass = pass
  }

  /// Whether a request that is asked about for the first time has to wait.
  mutating func postpones(_ request: HTTPRequest) -> Bool {
    guard (1...Self.longestBody).contains(request.body.count) else { return isOver }
    count += 1
    return count + countBefore > 1 || isOver
  }

  /// Whether whoever has not been handled yet has to wait for another pass: answers have to be sent first.
  var isOver: Bool { beginning.map { $0.duration(to: .now) > Self.longest } ?? false }

  /// One that has waited is handled.
  mutating func begin() {
    count += 1
    if beginning == nil { beginning = .now }
  }
}
