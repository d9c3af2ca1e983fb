import Foundation
import MicroHTTP
import MirrorInspector
import RecordingFixtures
import Testing

/// `docs/http-api.md` and the routes name the same paths.
@Suite struct ContractDocumentTests {
  /// The calls that the page shows as code, such as `GET /views/{view}/log`, without queries.
  private var documented: Set<String> {
    get throws {
      let page = try String(contentsOf: Fixtures.root.appending(path: "docs/http-api.md"), encoding: .utf8)
      return Set(
        page.matches(of: /`(GET|POST|DELETE) (\/[^`?\s]*)/).map { match in
          "\(match.1) \(match.2)".replacing("/assets/…", with: "/assets/{file...}")
        })
    }
  }

  private var served: Set<String> {
    get throws {
      Set(try Client(metrics: Metrics(version: "test")).inspector.routes.map { "\($0.method.rawValue) \($0.pattern)" })
    }
  }

  @Test func `every documented path is served`() throws {
    #expect(try documented.subtracting(served) == [])
  }

  @Test func `every route is documented`() throws {
    #expect(try served.subtracting(documented) == [])
  }
}
