import Foundation
import Testing

/// A tab of the browser, with a trap in every frame.
///
/// The trap is triggered if a script calls `alert` or a similar function, if a dialog opens, or if
/// the frame navigates to an address that only a script can open. ``TrapServer`` records requests.
final class Tab {
  private let tools: DevTools
  private let target: String
  let session: String
  /// The triggers of the trap since ``forget()``.
  private(set) var sprung: [String] = []
  /// Messages of the browser about our own pages: violations of their policy, and errors.
  private(set) var complaints: [String] = []
  /// What the page has written to the console.
  private(set) var messages: [String] = []
  /// Receives the events of the tab too.
  var onEvent: (DevTools.Event) -> Void = { _ in }
  private var loads = 0
  private var mainFrame: String?
  /// Frames with a process of their own, and workers.
  private var childSessions: [String] = []

  /// Runs before the scripts of every document, in every frame that permits scripts.
  private static let trap = """
    for (const name of ["alert", "confirm", "prompt", "print"])
      Object.defineProperty(window, name, { value: (...what) => trap(name + " " + what.join(" ") + " at " + location.href), configurable: false });
    """

  init(_ browser: Chromium) throws {
    tools = browser.tools
    target = try #require(tools.call("Target.createTarget", ["url": "about:blank"])["targetId"].string)
    session = try #require(
      tools.call("Target.attachToTarget", ["targetId": target, "flatten": true])["sessionId"].string)
    let me = session
    tools.onEvent = { [weak self] event in self?.hear(event, main: me) }
    prepare(session)
    try tools.call("Page.enable", in: session)
  }

  /// Closes the tab.
  func close() { tools.send("Target.closeTarget", ["targetId": target]) }

  private func prepare(_ session: String) {
    tools.send("Page.enable", in: session)
    tools.send("Runtime.enable", in: session)
    tools.send("Log.enable", in: session)
    tools.send("Runtime.addBinding", ["name": "trap"], in: session)
    tools.send("Page.addScriptToEvaluateOnNewDocument", ["source": Self.trap, "runImmediately": true], in: session)
    tools.send("Emulation.setFocusEmulationEnabled", ["enabled": true], in: session)
    // Frames with a process of their own, and workers.
    tools.send(
      "Target.setAutoAttach", ["autoAttach": true, "waitForDebuggerOnStart": true, "flatten": true], in: session)
    tools.send("Runtime.runIfWaitingForDebugger", in: session)
  }

  private func hear(_ event: DevTools.Event, main: String) {
    if event.session == main { onEvent(event) }
    switch event.method {
    case "Target.attachedToTarget":
      if let child = event.parameters["sessionId"].string {
        childSessions.append(child)
        prepare(child)
      }
    case "Target.detachedFromTarget":
      childSessions.removeAll { $0 == event.parameters["sessionId"].string }
    case "Runtime.bindingCalled":
      sprung.append(event.parameters["payload"].string ?? "")
    case "Page.javascriptDialogOpening":
      sprung.append("a dialog: \(event.parameters["message"].string ?? "")")
      tools.send("Page.handleJavaScriptDialog", ["accept": true], in: event.session)
    case "Page.frameNavigated":
      let frame = event.parameters["frame"]
      if event.session == main, frame["parentId"].isMissing { mainFrame = frame["id"].string }
    case "Page.loadEventFired":
      if event.session == main { loads += 1 }
    case "Runtime.consoleAPICalled":
      messages.append(event.parameters["args"].array.compactMap { $0["value"].string }.joined(separator: " "))
    case "Log.entryAdded":
      complaints.append(event.parameters["entry"]["text"].string ?? "")
    case "Runtime.exceptionThrown":
      complaints.append(event.parameters["exceptionDetails"]["exception"]["description"].string ?? "an exception")
    default: break
    }
  }

  func forget() {
    sprung = []
    complaints = []
  }

  /// Opens a page, and waits until the page and its frames are loaded.
  @discardableResult
  func open(_ url: String) throws -> Tab {
    let before = loads
    let answer = try tools.call("Page.navigate", ["url": url], in: session)
    // After a download or without a response there is no load event.
    guard answer["errorText"].isMissing else { return self }
    #expect(try tools.pump(for: 60) { loads > before }, "\(url) does not load")
    return self
  }

  /// Handles events until a condition is true.
  @discardableResult
  func wait(for seconds: Double, until condition: () -> Bool = { false }) throws -> Bool {
    try tools.pump(for: seconds, until: condition)
  }

  /// Waits until a value has stayed the same for a time, and gives the value. An error if it goes
  /// on changing.
  func settled<Value: Equatable>(
    for seconds: Double, within limit: Double = 60, _ value: () throws -> Value
  ) throws -> Value {
    let deadline = ContinuousClock.now.advanced(by: .seconds(limit))
    var last = try value()
    while ContinuousClock.now < deadline {
      try wait(for: seconds)
      let next = try value()
      if next == last { return next }
      last = next
    }
    throw Unsettled(last: "\(last)")
  }

  struct Unsettled: Error { let last: String }

  /// Waits until an expression is true.
  func wait(until expression: String, seconds: Double = 60) throws -> Bool {
    let deadline = ContinuousClock.now.advanced(by: .seconds(seconds))
    while ContinuousClock.now < deadline {
      // The page that evaluates the expression may be about to be replaced.
      if (try? evaluate("!!(\(expression))").bool) == true { return true }
      try tools.pump(for: 0.05)
    }
    return false
  }

  /// The value of an expression in the page, with user activation. Waits for promises.
  func evaluate(_ expression: String) throws -> Received {
    let answer = try tools.call(
      "Runtime.evaluate",
      ["expression": expression, "returnByValue": true, "awaitPromise": true, "userGesture": true, "timeout": 10_000],
      in: session)
    let details = answer["exceptionDetails"]
    if !details.isMissing {
      throw DevTools.Failure.refused(
        method: expression, message: details["exception"]["description"].string ?? details["text"].string ?? "?")
    }
    return answer["result"]["value"]
  }

  @discardableResult
  func call(_ method: String, _ parameters: [String: Any] = [:]) throws -> Received {
    try tools.call(method, parameters, in: session)
  }

  /// Clicks everything that could run a script or send a request.
  ///
  /// - Parameter inFrames: whether the elements of the page's frames are clicked too. This takes
  ///   long on a page with many frames.
  func clickEverything(inFrames: Bool = false) throws {
    guard inFrames else { return _ = try? evaluate(Self.clicks) }
    for session in [session] + childSessions {
      // A session may end during the clicks.
      guard let tree = try? tools.call("Page.getFrameTree", in: session)["frameTree"] else { continue }
      for frame in Self.frames(of: tree) { try? click(in: frame, of: session) }
    }
  }

  private static func frames(of tree: Received) -> [String] {
    [tree["frame"]["id"].string].compactMap(\.self) + tree["childFrames"].array.flatMap(frames)
  }

  private static let clicks =
    """
    for (const element of document.querySelectorAll("a, area, button, input, summary, [onclick], math, svg a")) {
      const to = element.href?.baseVal ?? element.href ?? "";
      if (/^https?:/i.test(to) && !element.ping) continue;
      try { element.click?.() } catch {}
      try { element.dispatchEvent(new MouseEvent("click", { bubbles: true })) } catch {}
    }
    """

  /// Runs in a world of its own, because a sandboxed frame has no scripts.
  private func click(in frame: String, of session: String) throws {
    let world = try tools.call("Page.createIsolatedWorld", ["frameId": frame], in: session)
    try tools.call(
      "Runtime.evaluate",
      ["expression": Self.clicks, "userGesture": true, "contextId": world["executionContextId"].int ?? 0], in: session)
  }
}
