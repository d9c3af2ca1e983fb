internal import ArgumentParser
internal import CommandSupport
internal import LiveViewClient
internal import LiveViewMirror
internal import MarkupDocument
internal import MirrorChecks
internal import MirrorSupport
internal import RenderedTree

/// Runs the steps of a scenario on a live page, and writes the recording of its frames.
struct ScenarioRun {
  let url: String
  /// The name of the file with the steps, for messages.
  let file: String
  let steps: [Step]
  let options: ClientOptions

  /// Why a scenario ends early.
  private struct Failure: Error {
    var text: String
    var code = ExitCode.failure
  }

  /// - Returns: the frames as lines, if all steps have succeeded.
  /// - Throws: the exit code, after a message.
  func run() async throws(ExitCode) -> [UInt8] {
    let mirrored = MirroredPage(dialect: options.dialect)
    let page: LivePage
    do throws(ClientError) { page = try await LiveViewClient(options: options).open(url) } catch {
      Console.note(error.message(isSocketPathSet: options.socketPath != nil))
      throw error.exitCode
    }
    let reading = Task { for await event in page.events { await mirrored.note(event) } }
    do throws(Failure) {
      try await settle(page, mirrored)
      for (index, step) in steps.enumerated() {
        do throws(Failure) { try await run(step, page, mirrored) } catch {
          throw Failure(
            text: "\(file):\(step.line): step \(index + 1) of \(steps.count), \(step.title): \(error.text)",
            code: error.code)
        }
      }
    } catch {
      Console.note(error.text)
      await page.close()
      throw error.code
    }
    await page.close()
    await reading.value
    return await mirrored.recording
  }

  // MARK: - Steps

  private func run(_ step: Step, _ page: LivePage, _ mirrored: MirroredPage) async throws(Failure) {
    let limit = Duration.milliseconds(step.time)
    switch step.action {
    case .pause: try? await Task.sleep(for: limit)
    case .click: try await act(.click, step, page, mirrored)
    case .change: try await act(.change, step, page, mirrored)
    case .submit: try await act(.submit, step, page, mirrored)
    case .assertText:
      let isShown = try await wait(limit, mirrored) { await mirrored.contains(step.target) }
      if !isShown { throw Failure(text: "the page does not have this text within \(Figures.time(limit))") }
    case .waitFor, .assert, .assertNone:
      let selector = try selector(of: step)
      let isNone = step.action == .assertNone
      let isReached = try await wait(limit, mirrored) { await mirrored.contains(selector, with: step.text) != isNone }
      if isReached { return }
      if isNone { throw Failure(text: "an element still matches after \(Figures.time(limit))") }
      let texts = await mirrored.texts(of: selector)
      if step.text == nil || texts.isEmpty { throw Failure(text: "no element matches within \(Figures.time(limit))") }
      let found = texts.map { "\"\($0.beginning(60))\"" }.joined(separator: ", ")
      throw Failure(text: "no matching element has this text within \(Figures.time(limit)); found \(found)")
    }
  }

  private func selector(of step: Step) throws(Failure) -> Selector {
    guard let selector = Selector(step.target) else { throw Failure(text: "this is not a CSS selector") }
    return selector
  }

  /// Waits for the element, sends what LiveView's client sends for the action, and waits for the answers.
  private func act(
    _ kind: NodeAction.Kind, _ step: Step, _ page: LivePage, _ mirrored: MirroredPage
  ) async throws(Failure) {
    let selector = try selector(of: step)
    let deadline = ContinuousClock.now + .milliseconds(step.time)
    let limit = Duration.milliseconds(step.time)
    guard try await wait(limit, mirrored, { await mirrored.contains(selector, with: nil) }) else {
      throw Failure(text: "no element matches within \(Figures.time(limit))")
    }
    let pushes: [ViewPush]
    do throws(ActionError) { pushes = try await mirrored.plan(kind, on: selector, step.members) ?? [] } catch {
      throw Failure(text: error.reason)
    }
    let answered = Arrival<Result<Void, ClientError>>()
    Task {
      do throws(ClientError) {
        for push in pushes { try await send(push, page) }
        answered.set(.success(()))
      } catch { answered.set(.failure(error)) }
    }
    switch await answered.wait(atMost: max(.zero, deadline - .now)) {
    case .success: return
    case .failure(let error): throw Failure(text: error.description)
    case nil: throw Failure(text: "the LiveView has not answered within \(Figures.time(limit))")
    }
  }

  private func send(_ push: ViewPush, _ page: LivePage) async throws(ClientError) {
    if let destination = push.destination { return try await page.navigate(to: destination) }
    _ = try await page.send(
      push.frame, .json(JSONTree.object(push.payload).json.text), to: MirroredPage.topic(of: push.view))
  }

  // MARK: - Waiting

  /// Waits until every view is joined, and its page is mirrored.
  private func settle(_ page: LivePage, _ mirrored: MirroredPage) async throws(Failure) {
    let limit = max(options.timeout, .seconds(15))
    let isJoined = try await wait(limit, mirrored) {
      // The events of a join are noted after it.
      guard await page.isSettled else { return false }
      return await mirrored.joined.isSuperset(of: page.views)
    }
    if !isJoined {
      throw Failure(text: "the views of the page were not joined within \(Figures.time(limit))", code: .unavailable)
    }
  }

  /// Asks again until a condition is true.
  ///
  /// - Returns: `false` if the time is over.
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

extension Step {
  /// The values as ``NodeAction/value`` has them.
  fileprivate var members: JSONTree.Members {
    var members = JSONTree.Members()
    for value in values { members.set(value.name, to: .string(value.value)) }
    if let value { members.set("value", to: .string(value)) }
    return members
  }
}
