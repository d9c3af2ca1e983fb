import Foundation
import RecordingFixtures

/// Requests that are sent one after another, followed by concurrent ones.
struct BodyCase: Sendable {
  struct Post: Sendable {
    var method = "POST"
    var target: String
    var body = ""
    var headers: [String] = []
    /// Whether the client reads nothing of the response until the case has ended.
    var isUnread = false
  }

  var name: String
  /// Whether CI also runs the case.
  var isQuick = false
  /// Whether the program has a SQLite journal.
  var hasJournal = false
  var posts: @Sendable () -> [Post]
  /// Groups of requests that are sent afterwards. The requests of a group are concurrent, each on
  /// its own connection.
  var together: @Sendable () -> [[Post]]

  init(
    _ name: String, isQuick: Bool = false, hasJournal: Bool = false, _ posts: @escaping @Sendable () -> [Post],
    together: @escaping @Sendable () -> [[Post]] = { [] }
  ) {
    self.name = name
    self.isQuick = isQuick
    self.hasJournal = hasJournal
    self.posts = posts
    self.together = together
  }

  /// An input of the fuzzer: the first line is the mount, the others are diffs.
  init(name: String, fuzzInput text: String) {
    let lines = text.split(separator: "\n").filter { $0.first == "{" || $0.first == "[" || $0.first == "!" }
    let posts = lines.enumerated().map { number, line in
      number == 0 || line.first == "!" ? Post.mount(String(line.drop { $0 == "!" })) : Post.diff(String(line))
    }
    self.init(name) { posts }
  }

  static var regressions: [BodyCase] {
    Fixtures.files(in: Fixtures.folder("fuzz"), withExtension: "txt").compactMap { file in
      contents(of: file.path).map { BodyCase(name: "fuzz/\(file.lastPathComponent)", fuzzInput: $0) }
    }
  }
}

extension BodyCase.Post {
  static func mount(_ body: String, _ view: String = "m") -> Self {
    Self(target: "/views/\(view)/rendered", body: body)
  }
  static func diff(_ body: String, _ view: String = "m") -> Self { Self(target: "/views/\(view)/diffs", body: body) }
  static func get(_ target: String, headers: [String] = [], isUnread: Bool = false) -> Self {
    Self(method: "GET", target: target, headers: headers, isUnread: isUnread)
  }
}
