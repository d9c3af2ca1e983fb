/// Reading, handling and sending of what lies ready together, kept apart: one round of each lane after another.
///
/// By itself libmicrohttpd reads a request, asks for its answer and sends that, and then looks at the next connection. The
/// kernel's work in between pushes the handler's code out of the caches, and under load a diff takes a third longer for that.
/// So where there are several, a request with a short body is given no answer when it is asked about first. Libmicrohttpd
/// (0.9.75) asks again in its next pass over the connections, when it has read from all the others, and what is answered then
/// it sends in the pass after that one. Who comes alone is answered, and sent that, at once.
///
/// It says nothing of its passes. But it asks about a connection once in a pass, or nearly so; so who is asked about for the
/// second time begins another. Who was not among the last may wait for one pass although it is alone.
struct Round {
  /// The number of a pass; 0 for who was never asked about.
  typealias Pass = Int

  /// Answers that are there wait no longer than this, and for one handler or two, for others.
  private let longest: Duration
  private var pass: Pass = 1
  /// When the first of those that had waited was handled, in this pass.
  private var beginning: Monotonic?
  /// How many with a short body were asked about or handled in this pass, and in the one before.
  private var (count, countBefore) = (0, 0)
  /// How many clients wait.
  private var waiting = 0

  /// What is longer takes long by itself.
  private static let longestBody = 16 << 10

  init(longest: Duration) { self.longest = longest }

  /// The daemon asks for the answer to a client.
  mutating func ask(about client: Client) {
    if client.pass == pass {
      pass += 1
      beginning = nil
      (count, countBefore) = (0, count)
    }
    client.pass = pass
  }

  /// Has a client wait whose request is asked about for the first time, unless it is to be handled at once.
  mutating func postpones(_ request: HTTPRequest, of client: Client) -> Bool {
    var isOneOfMany = false
    if (1...Self.longestBody).contains(request.body.count) {
      count += 1
      isOneOfMany = count > 1 || countBefore > 1
    }
    guard isOneOfMany || isOver else { return false }
    postpone(request, of: client)
    return true
  }

  /// Has a client wait for the next pass.
  mutating func postpone(_ request: HTTPRequest, of client: Client) {
    (client.waiting, client.patience) = (request, waiting)
    waiting += 1
  }

  /// Whether a client that waits has to wait for another pass, because answers have to be sent first.
  ///
  /// Each pass handles one that waits at least. So nobody is held back more often than there were others when it came, even
  /// if it is asked about before all of them every time, and never sees that another pass has begun.
  mutating func holdsBack(_ client: Client) -> Bool {
    guard isOver, client.patience > 0 else { return false }
    client.patience -= 1
    return true
  }

  /// The request of a client that waited, to be handled.
  mutating func take(from client: Client) -> HTTPRequest? {
    guard let request = client.waiting.take() else { return nil }
    waiting -= 1
    count += 1
    if beginning == nil { beginning = .now }
    return request
  }

  /// The request of a client has ended, perhaps while it waited.
  mutating func forget(_ client: Client) { if client.waiting.take() != nil { waiting -= 1 } }

  private var isOver: Bool { beginning.map { $0.duration(to: .now) > longest } ?? false }
}
