/// Concurrent requests: readers of the heaviest pages, and heavy updates of several views.
extension BodyCase {
  private static let nodes = 163_840

  static let together: [BodyCase] = [
    readers("readers of 163,839 elements with attributes", isQuick: true, attributed),
    BodyCase("the heaviest page, mounted again, and beside others") {
      [.mount(list(81_500), "a"), .mount(list(40_000), "b"), .mount(attributed), .mount(attributed), .diff("{}")]
    },
    readers("readers of a list of 81,500 rows", list(81_500)),
    readers("readers of a text of 8 MiB", page(repeated("x", (8 << 20) - 40))),
    readers("readers of characters that JSON escapes", page(repeated("\\u0001", 2_700_000))),
    BodyCase(
      "readers that read nothing", { [.mount(attributed)] },
      together: { [(0..<24).map { _ in .get("/views/m/log/0", isUnread: true) }] }),
    BodyCase("14: 168 subscriptions to a list of 100,000", isQuick: true) {
      [.mount(#"{"0":"x","s":["<ul>\#(repeated("<li></li>", 100_000))</ul>",""]}"#)]
    } together: {
      let subscription = BodyCase.Post(target: "/views/m/subscriptions", body: #"{"node":2,"children":true}"#)
      return [[BodyCase.Post](repeating: subscription, count: 168), [.diff(#"{"0":"y"}"#)]]
    },
    rowsChange("two views of which all rows change", isQuick: true, views: 2, rows: 40_000),
    rowsChange("eight views of which all rows change", views: 8, rows: 10_000),
    BodyCase("two views whose 40,000 rows are shuffled") {
      views(2) { .mount(list(40_000), $0) }
    } together: {
      let diff = #"{"0":{\#(keyed(0..<40_000) { String(39_999 - $0) })}}"#
      return (0..<4).map { _ in views(2) { .diff(diff, $0) } }
    },
    BodyCase("two views of 80,000 attributes that all change") {
      views(2) { .mount(#"{"0":"\#(attributes(0))","s":["<p ",">"]}"#, $0) }
    } together: {
      (1...3).map { value in views(2) { .diff(#"{"0":"\#(attributes(value))"}"#, $0) } }
    },
    BodyCase("four mounts of 80,000 rows at once", { [] }, together: { [views(4) { .mount(list(80_000), $0) }] }),
    BodyCase(
      "24 bodies of 16 MiB at once", isQuick: true, { [] },
      together: { [views(24) { .mount(page(repeated("x", (16 << 20) - 40)), $0) }] }),
    BodyCase("heavy pages, their changes and their readers at once") {
      [.mount(attributed, "v0"), .mount(list(81_500), "v1"), .mount(list(40_000), "v2")]
    } together: {
      let rows = keyed(0..<40_000) { _ in #"{"0":"\#(repeated("y", 50))"}"# }
      let readers = ["v0", "v1", "v2"].flatMap { view in targets.map { Post.get("/views/\(view)\($0)") } }
      return (0..<3).flatMap { _ -> [[Post]] in
        [
          [.diff("{\"0\":{\(rows)}}", "v2"), .mount(list(81_500), "v1"), .mount(attributed, "v0")] + readers,
          [.mount(list(40_000), "v2"), .mount(page(repeated("x", (8 << 20) - 40)), "v0")] + readers,
        ]
      }
    },
  ]

  /// The requests that return a whole page.
  private static let targets = [
    "/tree", "/html", "/rendered", "/page?frame", "/log", "/log/0", "/subscribers",
  ]

  /// Four readers of each. Half of them accept compressed responses.
  private static func readers(
    _ name: String, isQuick: Bool = false, _ body: @escaping @autoclosure @Sendable () -> String
  )
    -> BodyCase
  {
    BodyCase(name, isQuick: isQuick, { [.mount(body())] }) {
      let requests = targets.flatMap { target in
        (0..<4).map { number in
          Post.get("/views/m\(target)", headers: number % 2 == 0 ? [] : ["Accept-Encoding: gzip"])
        }
      }
      return [requests + [.get("/views/m", headers: ["Accept: text/html"])]]
    }
  }

  /// All rows of several views change four times, in all views concurrently.
  private static func rowsChange(_ name: String, isQuick: Bool = false, views count: Int, rows: Int) -> BodyCase {
    BodyCase(name, isQuick: isQuick) {
      views(count) { .mount(list(rows), $0) }
    } together: {
      (0..<4).map { round in
        let texts = keyed(0..<rows) { _ in #"{"0":"\#(repeated(round % 2 == 0 ? "y" : "z", 50))"}"# }
        return views(count) { .diff("{\"0\":{\(texts)}}", $0) }
      }
    }
  }

  /// The accepted page that needs the most memory.
  private static var attributed: String {
    #"{"s":["\#(joined(0..<nodes - 1) { "<br a=\($0) b=1 c=2>" })"]}"#
  }

  private static func attributes(_ value: Int) -> String { joined(0..<80_000) { "a\($0)=\(value) " } }

  private static func views(_ count: Int, _ post: (String) -> Post) -> [Post] { (0..<count).map { post("v\($0)") } }
}
