import ScriptedPhoenix
import Testing

@testable import LiveViewClient

/// Pages that the server replaces without an end.
@Suite(.timeLimit(.minutes(10))) struct RedirectLoopTests {
  private static let topic = ScriptedApp.topic

  /// Follows a page until something has happened, and for a second more.
  private func follow(_ app: ScriptedApp, until condition: @Sendable (isolated Watch) -> Bool) async throws -> Watch {
    let page = try await LiveViewClient().open(app.server.address + "/")
    let watch = Watch(page)
    let reading = Task { await watch.run() }
    try await watch.wait(condition)
    try await Task.sleep(for: .seconds(1))
    await page.close()
    await reading.value
    try app.server.stop()
    return watch
  }

  @Test func `a page that redirects after each join is loaded 20 times, and then after a delay`() async throws {
    let app = try ScriptedApp()
    app.change { $0.afterJoin = ("redirect", #"{"to":"/"}"#) }
    let watch = try await follow(app) { !$0.loops.isEmpty }
    // The page that was opened, and 20 redirects.
    #expect(app.change { $0.requests.count } == 21)
    let delays = await watch.loops
    #expect(delays.count == 1)
    #expect(delays.allSatisfy { (.seconds(5) ... .seconds(9)).contains($0) })
  }

  @Test func `a view that navigates after each join is joined 21 times, and then after a delay`() async throws {
    let app = try ScriptedApp()
    app.change { $0.afterJoin = ("live_redirect", #"{"to":"/","kind":"push"}"#) }
    let watch = try await follow(app) { !$0.loops.isEmpty }
    #expect(app.joins.count == 21)
    #expect(app.change { $0.requests.count } == 1)
    #expect(await watch.loops.count == 1)
  }

  @Test func `a page whose first join is answered with navigations without an end is an error`() async throws {
    let app = try ScriptedApp()
    app.change { $0.refusals = Array(repeating: #"{"live_redirect":{"to":"/again","kind":"push"}}"#, count: 99) }
    let watch = try await follow(app) { $0.ended != nil }
    #expect(await watch.ended == .tooManyRedirects(url: try app.server.address + "/again"))
  }

  @Test func `navigations and page loads of the program are not delayed`() async throws {
    let app = try ScriptedApp()
    let page = try await LiveViewClient().open(app.server.address + "/")
    let watch = Watch(page)
    let reading = Task { await watch.run() }
    try await watch.wait { $0.joined == 1 }
    for number in 1...30 {
      if number.isMultiple(of: 2) {
        try await page.navigate(to: "/\(number)")
      } else {
        try await page.load("/\(number)")
      }
      try await watch.wait { $0.joined == number + 1 }
    }
    #expect(await watch.loops == [])
    await page.close()
    await reading.value
    try app.server.stop()
  }

  @Test func `navigations that answer events of the program are not delayed`() async throws {
    let app = try ScriptedApp()
    app.change { $0.responses["go"] = #"{"live_redirect":{"to":"/","kind":"push"}}"# }
    let page = try await LiveViewClient().open(app.server.address + "/")
    let watch = Watch(page)
    let reading = Task { await watch.run() }
    try await watch.wait { $0.joined == 1 }
    for number in 1...30 {
      try await page.push("go", to: Self.topic)
      try await watch.wait { $0.joined == number + 1 }
    }
    #expect(await watch.loops == [])
    await page.close()
    await reading.value
    try app.server.stop()
  }

  @Test func `a page load of the program ends a loop`() async throws {
    let app = try ScriptedApp()
    app.change { $0.afterJoin = ("redirect", #"{"to":"/"}"#) }
    let page = try await LiveViewClient().open(app.server.address + "/")
    let watch = Watch(page)
    let reading = Task { await watch.run() }
    try await watch.wait { watch in
      watch.events.contains { if case .loading(_, _, let delay, _) = $0 { delay > .seconds(1) } else { false } }
    }
    app.change { $0.afterJoin = nil }
    let joined = await watch.joined
    try await page.load("/calm")
    try await watch.wait { $0.joined == joined + 1 }
    #expect(await page.url == (try app.server.address) + "/calm")
    await page.close()
    await reading.value
    try app.server.stop()
  }
}

extension Watch {
  /// How long the page waited each time that it was replaced in a loop.
  fileprivate var loops: [Duration] {
    events.compactMap { event in
      if case .loading(_, let reason, let delay, _) = event, reason.contains("in a loop") { delay } else { nil }
    }
  }
}
