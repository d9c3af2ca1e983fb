internal import ArgumentParser
internal import CommandSupport
internal import LiveViewClient
internal import LiveViewMirror
internal import MarkupDocument
internal import MirrorChecks
internal import MirrorSupport
internal import RenderedTree

/// Runs the steps of a scenario on live pages, and collects their frames. ``AttachCommand`` makes
/// one for `--steps`, and calls ``run()`` once.
actor ScenarioRun {
  private let url: String
  /// The name of the file with the steps, for messages.
  private let file: String
  private let steps: [ScenarioStep]
  private let options: ClientOptions
  /// The pages in the order in which they were opened.
  private var pages: [OpenPage] = []

  private struct OpenPage {
    let name: String
    let page: LivePage
    let mirrored: MirroredPage
    /// Reads the events of the page.
    let reading: Task<Void, Never>
  }

  /// Why a scenario ends early.
  private struct Failure: Error {
    var text: String
    var code = ExitCode.failure
  }

  init(url: String, file: String, steps: [ScenarioStep], options: ClientOptions) {
    (self.url, self.file, self.steps, self.options) = (url, file, steps, options)
  }

  /// Runs the steps, and closes the pages.
  ///
  /// - Returns: the recording, also if a step has failed, and the exit code. The reason of a
  ///   failure was printed.
  func run() async -> (recording: [UInt8], code: ExitCode) {
    var code = ExitCode.success
    do throws(Failure) { try await runSteps() } catch {
      Console.note(error.text)
      code = error.code
    }
    for page in pages {
      await page.page.close()
      await page.reading.value
    }
    var recording: [UInt8] = []
    for page in pages { recording += await page.mirrored.recording(named: pages.count > 1 ? page.name : nil) }
    return (recording, code)
  }

  private func runSteps() async throws(Failure) {
    let session: ClientSession
    do throws(ClientError) { session = try ClientSession(options, for: url) } catch { throw failure(error) }
    for (index, step) in steps.enumerated() {
      do throws(Failure) { try await run(step, in: session) } catch {
        throw Failure(
          text: "\(file):\(step.line): step \(index + 1) of \(steps.count), \(step.title): \(error.text)",
          code: error.code)
      }
    }
    // If no step has opened a page, as in a scenario that only logs in, the page is opened at the
    // end, so that the recording contains it.
    if pages.isEmpty { _ = try await open(url, as: ScenarioStep.mainPage, in: session) }
  }

  private func failure(_ error: ClientError) -> Failure {
    Failure(text: error.message(isSocketPathSet: options.socketPath != nil), code: error.exitCode)
  }

  // MARK: - Pages

  /// Opens a page, and waits until its views are joined.
  private func open(_ url: String, as name: String, in session: ClientSession) async throws(Failure) -> OpenPage {
    let page: LivePage
    do throws(ClientError) { page = try await session.open(url) } catch { throw failure(error) }
    let mirrored = MirroredPage(dialect: options.dialect)
    let open = OpenPage(
      name: name, page: page, mirrored: mirrored,
      reading: Task { for await event in page.events { await mirrored.note(event) } })
    pages.append(open)
    try await settle(page, mirrored)
    return open
  }

  /// The page of a step. The first step that needs the page of the scenario opens it, so that a
  /// login may precede it.
  private func page(of step: ScenarioStep, in session: ClientSession) async throws(Failure) -> OpenPage {
    if let page = pages.first(where: { $0.name == step.page }) { return page }
    return try await open(url, as: step.page, in: session)
  }

  private func logIn(_ step: ScenarioStep, in session: ClientSession) async throws(Failure) {
    do throws(ClientSession.FormFailure) {
      try await session.submitForm(at: step.target, step.values.map { ($0.name, $0.value) })
    } catch {
      switch error {
      case .client(let error): throw failure(error)
      case .noForm(let url, let fields):
        throw Failure(
          text: "no form of \(url) has these fields"
            + (fields.isEmpty ? "; the page has no form" : "; it has \(fields.joined(separator: ", "))"))
      case .shownAgain(let url):
        throw Failure(text: "\(url) is shown again after the submission: check the values")
      }
    }
    // A page that is already open still has the old session, so it is loaded again.
    for open in pages { try await load(open.page.url ?? url, in: open.page, open.mirrored) }
  }

  /// Loads an address in a page, and waits until its views are joined.
  private func load(_ url: String, in page: LivePage, _ mirrored: MirroredPage) async throws(Failure) {
    await mirrored.willLoad()
    do throws(ClientError) { try await page.load(url) } catch { throw failure(error) }
    try await settle(page, mirrored)
  }

  // MARK: - Steps

  private func run(_ step: ScenarioStep, in session: ClientSession) async throws(Failure) {
    let limit = Duration.milliseconds(step.time)
    let late = "it takes longer than \(Formatted.time(limit))"
    switch step.action {
    case .cookie:
      let value = step.value ?? ""
      if let problem = ClientOptions.problem(ofCookie: step.target, value: value) {
        throw Failure(text: "the cookie \(problem)")
      }
      session.set(cookie: step.target, to: value)
    case .logIn: try await within(limit, else: late) { try await self.logIn(step, in: session) }
    case .open:
      try await within(limit, else: late) { _ = try await self.open(step.target, as: step.page, in: session) }
    default:
      let open = try await page(of: step, in: session)
      if step.action == .navigate {
        return try await within(limit, else: late) { try await self.load(step.target, in: open.page, open.mirrored) }
      }
      try await run(step, open.page, open.mirrored)
    }
  }

  /// Runs a part of a step, and fails if it takes longer than a time. The part is then not
  /// cancelled, but continues in its own task.
  ///
  /// - Parameter reason: the text of the failure.
  private func within(
    _ limit: Duration, else reason: String, _ body: @escaping @Sendable () async throws -> Void
  ) async throws(Failure) {
    let ended = Arrival<Result<Void, any Error>>()
    Task {
      do {
        try await body()
        ended.set(.success(()))
      } catch { ended.set(.failure(error)) }
    }
    switch await ended.wait(atMost: limit) {
    case .success: return
    case .failure(let error): throw error as? Failure ?? Failure(text: "\(error)")
    case nil: throw Failure(text: reason)
    }
  }

  private func run(_ step: ScenarioStep, _ page: LivePage, _ mirrored: MirroredPage) async throws(Failure) {
    let limit = Duration.milliseconds(step.time)
    switch step.action {
    case .pause: try? await Task.sleep(for: limit)
    case .logIn, .cookie, .open, .navigate: break
    case .press:
      let kinds: [NodeAction.Kind] = step.element == nil ? [.windowKeydown, .windowKeyup] : [.keydown, .keyup]
      try await act(kinds, on: step.element, step, page, mirrored)
    case .click: try await act([.click], on: step.target, step, page, mirrored)
    case .change: try await act([.change], on: step.target, step, page, mirrored)
    case .submit: try await act([.submit], on: step.target, step, page, mirrored)
    case .assertText:
      let isShown = try await wait(limit, mirrored) { await mirrored.contains(step.target) }
      if !isShown { throw Failure(text: "the page does not have this text within \(Formatted.time(limit))") }
    case .waitFor, .assert, .assertNone:
      let selector = try selector(of: step)
      let isNone = step.action == .assertNone
      let isReached = try await wait(limit, mirrored) { await mirrored.contains(selector, with: step.text) != isNone }
      if isReached { return }
      if isNone { throw Failure(text: "an element still matches after \(Formatted.time(limit))") }
      let texts = await mirrored.texts(of: selector)
      if step.text == nil || texts.isEmpty { throw Failure(text: "no element matches within \(Formatted.time(limit))") }
      let found = texts.map { "\"\($0.beginning(60))\"" }.joined(separator: ", ")
      throw Failure(text: "no matching element has this text within \(Formatted.time(limit)); found \(found)")
    }
  }

  private func selector(of step: ScenarioStep) throws(Failure) -> Selector {
    guard let selector = Selector(step.target) else { throw Failure(text: "this is not a CSS selector") }
    return selector
  }

  /// Waits for the element, sends what LiveView's client sends for the action, and waits for the
  /// answers.
  ///
  /// - Parameter kinds: what happens to the element, such as the press and the release of a key.
  ///   One of them must have a binding.
  private func act(
    _ kinds: [NodeAction.Kind], on target: String?, _ step: ScenarioStep, _ page: LivePage, _ mirrored: MirroredPage
  ) async throws(Failure) {
    let selector = target.flatMap { Selector($0) }
    let deadline = ContinuousClock.now + .milliseconds(step.time)
    let limit = Duration.milliseconds(step.time)
    if let selector {
      guard try await wait(limit, mirrored, { await mirrored.contains(selector, with: nil) }) else {
        throw Failure(text: "no element matches within \(Formatted.time(limit))")
      }
    }
    var (pushes, refusals): ([ViewPush], [ActionError]) = ([], [])
    for kind in kinds {
      do throws(ActionError) { pushes += try await mirrored.plan(kind, on: selector, step.members) ?? [] } catch {
        refusals.append(error)
      }
    }
    if step.action == .press, target == nil, pushes.isEmpty {
      throw Failure(text: "no phx-window-keydown and no phx-window-keyup receives this key; name an element with “on”")
    }
    if refusals.count == kinds.count, let refusal = refusals.first { throw Failure(text: refusal.reason) }
    let sent = pushes
    try await within(
      max(.zero, deadline - .now), else: "the LiveView has not answered within \(Formatted.time(limit))"
    ) {
      for push in sent { try await self.send(push, page) }
    }
  }

  private func send(_ push: ViewPush, _ page: LivePage) async throws(ClientError) {
    if let destination = push.destination { return try await page.navigate(to: destination) }
    _ = try await page.send(
      push.frame, .json(JSON.object(push.payload).encoded), to: MirroredPage.topic(of: push.view))
  }

  // MARK: - Waiting

  /// Waits until all views of a page are joined, and `mirrored` has noted the joins.
  private func settle(_ page: LivePage, _ mirrored: MirroredPage) async throws(Failure) {
    let limit = max(options.timeout, .seconds(15))
    let isJoined = try await wait(limit, mirrored) {
      // The page has joined its views before `mirrored` has noted the events of the joins.
      guard await page.isSettled else { return false }
      return await mirrored.joined.isSuperset(of: page.topics)
    }
    if !isJoined {
      throw Failure(text: "the views of the page were not joined within \(Formatted.time(limit))", code: .unavailable)
    }
  }

  /// Checks a condition every few milliseconds until it is true.
  ///
  /// - Returns: `false` if the time is over.
  /// - Throws: if the server refuses the join of a view, or the page ends with an error.
  private func wait(
    _ limit: Duration, _ mirrored: MirroredPage, _ condition: () async -> Bool
  ) async throws(Failure) -> Bool {
    let deadline = ContinuousClock.now + limit
    while true {
      if await condition() { return true }
      if let refusal = await mirrored.refusal { throw Failure(text: refusal, code: .notPermitted) }
      if case .failure(let error) = await mirrored.end {
        throw Failure(text: error.message(isSocketPathSet: options.socketPath != nil), code: error.exitCode)
      }
      if ContinuousClock.now >= deadline { return false }
      try? await Task.sleep(for: .milliseconds(5))
    }
  }
}

extension ScenarioStep {
  /// The values as ``NodeAction/value`` has them.
  fileprivate var members: JSON.Members {
    var members = JSON.Members()
    for value in values { members.set(value.name, to: .string(value.value)) }
    if let value { members.set("value", to: .string(value)) }
    if action == .press { members.set("key", to: .string(target)) }
    return members
  }
}
