import Foundation
import MicroHTTP
import RecordingFixtures
import Testing

@testable import MirrorInspector

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

  /// The names of the parameters in the queries of a call that the page shows as code, such as
  /// `?after=&limit=`.
  private var documentedParameters: [(call: String, name: String)] {
    get throws {
      let page = try String(contentsOf: Fixtures.root.appending(path: "docs/http-api.md"), encoding: .utf8)
      return page.matches(of: /`(GET|POST|DELETE) (\/[^`?\s]*)\?([^`]*)`/).flatMap { match in
        match.3.replacing("\\|", with: "").split(separator: "&").map { item in
          ("\(match.1) \(match.2)", String(item.prefix { $0 != "=" }))
        }
      }
    }
  }

  @Test func `every documented parameter is described in the OpenAPI document`() throws {
    let described = Dictionary(
      uniqueKeysWithValues: Operation.all.map { ("\($0.method) \($0.pattern)", Set($0.allParameters.map(\.name))) })
    let parameters = try documentedParameters
    #expect(parameters.count > 20)
    for (call, name) in parameters { #expect(described[call]?.contains(name) == true, "\(call)?\(name)=") }
  }

  @Test func `every documented path is served`() throws {
    #expect(try documented.subtracting(served) == [])
  }

  @Test func `every route is documented`() throws {
    #expect(try served.subtracting(documented) == [])
  }
}
