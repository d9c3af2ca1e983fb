internal import ArgumentParser
internal import CLibrary
internal import CommandSupport
internal import MirrorSupport
internal import RenderedTree

/// `liveview-mirror demo`: starts a mirror, and plays a ``DemoPage`` into it over HTTP.
struct Demo: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Show the inspector with a LiveView that plays itself.",
    discussion: """
      Needs no Phoenix app. A mirror starts, the page of a todo list is mounted, and every few seconds a diff follows. Standard output \
      says what has happened, and where to look. "Open the page", in the header of the inspector, shows the page itself: use it, also \
      while the demo plays.

      The other options and the variables are those of serve. The log has warnings and errors only, unless you set its level.
      """)

  @Option(help: ArgumentHelp("The time between two steps.", valueName: "time"))
  var pause = "8s"

  @OptionGroup(title: "Settings of the mirror") var flags: ServeFlags

  func validate() throws {
    guard let time = Quantity.time(pause), time <= .seconds(3_600) else {
      throw invalid("--pause", pause, "must be a time of at most an hour with a unit, such as 500ms or 8s")
    }
  }

  func run() throws {
    // The log would interrupt the steps.
    try Serve.run(flags, defaults: ["MIRROR_LOG_LEVEL": "warning"]) { settings, log in
      try Serve.serve(settings, log: log, started: { address in start(address, token: settings.token) })
    }
  }

  /// Prints the address of the view, and plays the demo on a thread of its own, which ends with the
  /// program.
  ///
  /// - Parameter address: the address of the server, such as `http://0.0.0.0:8080`.
  private func start(_ address: String, token: String?) {
    guard let server = try? MirrorAddress(address), let ip = IPAddress(server.host) else { return }
    let shown = ip.isWildcard ? MirrorAddress(host: "localhost", port: server.port) : server
    Output.line("Open \(shown)/views/\(DemoPage.view)\(token.map { "?token=\($0)" } ?? "")")
    // The server accepts a loopback `Host` header at every address.
    let reached = MirrorAddress(host: "\(ip.reachable)", port: server.port)
    let page = DemoPage(MirrorClient(address: reached, token: token, host: "127.0.0.1:\(server.port)"))
    let pause = Quantity.time(pause) ?? .seconds(8)
    Self.run { () throws(MirrorClientError) in
      try page.open()
      Self.run { () throws(MirrorClientError) in try page.listen() }
      try page.play(every: pause) { Output.line($0) }
    }
  }

  /// Runs a part of the demo on a thread of its own. When the mirror stops, it closes the
  /// connections, which is not reported as an error.
  private static func run(_ part: @escaping @Sendable () throws(MirrorClientError) -> Void) {
    let thread = WorkerThread {
      do throws(MirrorClientError) { try part() } catch {
        if error != .closed { Output.error("the demo has ended: \(error)") }
      }
    }
    thread?.detach()
  }
}

extension DemoPage {
  /// Plays the steps on the open page.
  ///
  /// - Parameter say: called after each step, with the text about the step.
  func play(every pause: Duration, say: (String) -> Void) throws(MirrorClientError) {
    for (number, step) in Self.steps.enumerated() {
      if number > 0 { usleep(UInt32(pause / .microseconds(1))) }
      try step.play(self)
      say("\n\(number + 1)/\(Self.steps.count)  \(step.happens)\n     \(step.look)")
    }
  }

  /// One step: what happens, and where the inspector shows it.
  struct Step: Sendable {
    let happens: String
    let look: String
    let play: @Sendable (DemoPage) throws(MirrorClientError) -> Void
  }

  static let steps: [Step] = [
    Step(
      happens:
        "The page has joined. Its Rendered, the JSON of the page, has eight slots, with two lists, a stream and a component.",
      look:
        "The tree is what a client holds. The tab Steps, on the right, shows how it was made. Each diff that follows has its own.",
      play: { _ in }),
    Step(
      happens: "A click on the mark of the second todo. The diff has the count, in slot 0, and two slots of one row.",
      look:
        "Three nodes have changed, and only their subscribers were notified. Each change names its slot: 3.k.1.1 is in the second row.",
      play: { page throws(MirrorClientError) in try page.send("toggle", ["id": "2"]) }),
    Step(
      happens: "The server has put a message into the stream.",
      look: "One element was added. The diff inserts it at the end (-1) of slot 6.stream, and no other item is sent.",
      play: { page throws(MirrorClientError) in try page.receive { $0.receiveMessage("Ada: the build is green") } }),
    Step(
      happens: "Two letters were typed into the form, and the server has answered with a message.",
      look: "The timeline names the event that caused the diff, validate. A new element says what is wrong.",
      play: { page throws(MirrorClientError) in try page.send("validate", type: "form", "title=Bu&_target=title") }),
    Step(
      happens: "The form was sent. The new row is the whole answer for the list: its other rows are not sent again.",
      look: "The new row has a number that no node had before. The other rows have kept theirs.",
      play: { page throws(MirrorClientError) in try page.send("add", type: "form", "title=Buy+bread") }),
    Step(
      happens: "A click on Like. The answer is that of a component, and reaches only its element.",
      look: "One node has changed, in the slot c.1.0: that is component 1.",
      play: { page throws(MirrorClientError) in try page.send("like", [:], component: 1) }),
    Step(
      happens: "A waste: the server has sent the whole list again, and nothing of it is new.",
      look: "No node has changed. The tab Cost says which values the page had already, and how many bytes they were.",
      play: { page throws(MirrorClientError) in try page.receive { $0.repetition } }),
    Step(
      happens: "The first line of the plan was removed. Its list has no keys, so every other line was sent again.",
      look:
        "Three texts have changed, and the last line was removed instead of the first. The tab Diagnostics says how to key the list.",
      play: { page throws(MirrorClientError) in try page.send("next", [:]) }),
    Step(
      happens: "A wrong diff: it names slot 12, which the page does not have.",
      look:
        "The mirror has rejected it as a whole, and the tree has not changed. Open the entry ✕ in the timeline for the place and the reason.",
      play: { page throws(MirrorClientError) in try page.receive { _ in DemoView.wrong } }),
    Step(
      happens: "Now it is your turn: the page is live.",
      look:
        "Follow Open the page, in the header, and use it: Like, a mark, the form. Each answer is a new diff in the timeline.",
      play: { _ in }),
  ]
}
