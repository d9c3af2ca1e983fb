/// What a limit applies to. A ``Budget`` has limits for each of its subjects, and ``Comparison``
/// has a row for each cause.
package enum Subject: Sendable, Hashable {
  /// The whole recording.
  case all
  /// The diffs with one cause.
  case cause(DiffCause)
  /// The views of one module, such as `ShopWeb.CartLive`. The module is known from HEEx's debug
  /// annotations.
  case module(String)
  /// The views of the pages whose paths match a pattern, such as `/products/*`. `*` matches one
  /// segment of a path.
  case page(String)

  /// The name for readers; `nil` for the whole recording.
  package var name: String? {
    switch self {
    case .all: nil
    case .cause(let cause): cause.name
    case .module(let name): name
    case .page(let pattern): pattern
    }
  }

  /// The keys that lead to the limits of the subject in `mirror.yml`, such as `["events", "inc"]`.
  package var keys: [String] {
    switch self {
    case .all: []
    case .cause(.event(let name)): [BudgetReader.Key.events, name]
    case .cause(.serverPush): [BudgetReader.Key.serverPush]
    case .module(let name): [BudgetReader.Key.views, name]
    case .page(let pattern): [BudgetReader.Key.pages, pattern]
    }
  }

  /// The key of a limit: `events.inc.bytes`.
  package func key(of rule: BudgetRule) -> String { (keys + [rule.rawValue]).joined(separator: ".") }

  /// What a recording must have for a limit to be checked: `the event “inc”`.
  package var description: String {
    switch self {
    case .all: "a diff"
    case .cause(.event(let name)): "the event “\(name)”"
    case .cause(.serverPush): "a diff that the server has pushed"
    case .module(let name): "a view of the module “\(name)”"
    case .page(let pattern): "a page “\(pattern)”"
    }
  }

  /// Whether the subject consists of views, with diffs of every cause.
  var isPartOfPages: Bool {
    switch self {
    case .module, .page: true
    case .all, .cause: false
    }
  }

  /// Whether `mirror.yml` may set a limit of this rule for the subject.
  func permits(_ rule: BudgetRule) -> Bool {
    switch self {
    case .all: true
    case .cause: rule.parts == .replacing || rule.parts == .including
    case .module, .page: rule.parts != .none
    }
  }

  /// Whether a diff belongs to the subject.
  func includes(_ diff: MeasuredDiff) -> Bool {
    if case .cause(let cause) = self { return cause == diff.cause }
    return includes(diff.origin)
  }

  func includes(_ answer: EmptyAnswer) -> Bool {
    if case .cause(let cause) = self { return cause == answer.cause }
    return includes(answer.origin)
  }

  /// Whether a mount, or the diffs of a view without regard to their causes, belong to it.
  func includes(_ origin: ViewOrigin) -> Bool {
    switch self {
    case .all: true
    case .cause: false
    case .module(let name): origin.module == name
    case .page(let pattern): origin.page.map { Self.matches($0, pattern) } ?? false
    }
  }

  /// Whether the segments of a path match those of a pattern.
  static func matches(_ path: String, _ pattern: String) -> Bool {
    let (path, pattern) = (path.split(separator: "/"), pattern.split(separator: "/"))
    return path.count == pattern.count && zip(path, pattern).allSatisfy { $1 == "*" || $0 == $1 }
  }
}

extension Subject: Comparable {
  /// The whole recording, events by name, server pushes, modules, pages.
  package static func < (a: Subject, b: Subject) -> Bool {
    switch (a, b) {
    case (.cause(let a), .cause(let b)): a < b
    default: (a.rank, a.name ?? "") < (b.rank, b.name ?? "")
    }
  }

  private var rank: Int {
    switch self {
    case .all: 0
    case .cause: 1
    case .module: 2
    case .page: 3
    }
  }
}
