internal import ArgumentParser
internal import CommandSupport
internal import LiveViewMirror
internal import MirrorInspector
internal import MirrorSupport
internal import RenderedTree

/// `liveview-mirror push`: sends an event to a LiveView by its carrier.
struct PushEvent: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "push",
    abstract: "Send an event to a LiveView and print what the answer changed.",
    discussion: """
      The view's carrier, a browser with the tap or an attached client, sends the event through its own socket. Standard output has \
      the change set that answers it.

        liveview-mirror push lv:phx-F1~tab --selector '#inc'
        liveview-mirror push lv:phx-F1~tab --node 9 --event submit
        liveview-mirror push lv:phx-F1~tab --event inc --value '{"by": 1}'

      Exit codes: 0 the LiveView has answered, 65 the mirror has refused the request, 69 the mirror cannot be reached, 75 there is no \
      carrier or no answer in time, 77 the mirror needs a token.
      """)

  @Argument(help: "The id of the view, as GET /views lists it.")
  var view: String

  @Option(
    help: """
      The name of the event to send, such as inc; with --node or --selector, what a person does: click, change, submit, keydown, \
      keyup, focus or blur.
      """)
  var event: String?

  @Option(help: "The node that a person acts on: a number in the tree of the view.")
  var node: String?

  @Option(help: "The first element that matches a CSS selector, such as '#inc', instead of a node.")
  var selector: String?

  @Option("The value of the event as JSON: an object, or a text with an encoded form.", of: "json") var value: String?

  @Option(help: "The component that receives the event of --event: its id.")
  var target: String?

  @Option(help: "The type of the event of --event: click, form, keyup, …")
  var type: String?

  @Option(help: ArgumentHelp("How long to wait for the answer, at most 60s.", valueName: "time"))
  var wait = "5s"

  @Flag(help: "Print the change set as JSON.")
  var json = false

  @OptionGroup(title: "The mirror") var options: MirrorOptions

  func validate() throws {
    if !LiveViews.isValid(id: view) {
      throw ValidationError("“\(view)” must be the id of a view: 1 to 200 of A–Z a–z 0–9 . _ : ~ -")
    }
    switch (node, selector, event) {
    case (_?, _?, _): throw ValidationError("--node and --selector both name the element: remove one")
    case (nil, nil, nil): throw ValidationError("name the event with --event, or the element with --node or --selector")
    default: break
    }
    if node != nil || selector != nil {
      let others = [target == nil ? nil : "--target", type == nil ? nil : "--type"].compactMap(\.self)
      if !others.isEmpty {
        throw ValidationError("\(others.joined(separator: ", ")): the bindings of the element decide this; remove it")
      }
    }
    for (flag, text) in [("--node", node), ("--target", target)] {
      if let text, Int(text).map({ $0 < 0 }) ?? true { throw invalid(flag, text, "must be a whole number ≥ 0") }
    }
    if let value, !Self.isJSON(value) {
      throw invalid("--value", value, "must be JSON, such as '{\"by\": 1}' or '\"name=Ada&age=36\"'")
    }
    if seconds == nil {
      throw invalid("--wait", wait, "must be a time of at most a minute with a unit, such as 500ms or 5s")
    }
  }

  /// The seconds of ``wait``; `nil` if it is not valid.
  private var seconds: Double? { Quantity.time(wait).map { $0 / .seconds(1) }.flatMap { $0 <= 60 ? $0 : nil } }

  func run() throws {
    // The mirror responds after `wait` at the latest, so the time limit of the client is longer.
    let seconds = seconds ?? 5
    let client = try options.client(timeout: .seconds(seconds + 10))
    let response: MirrorResponse
    do throws(MirrorClientError) {
      response = try client.post(
        "/views/\(view)/push?wait=\(seconds)", Array(body.utf8), accept: json ? "application/json" : "text/plain")
    } catch {
      throw loggedError(
        "\(error). Name the mirror with --mirror, or start it with liveview-mirror serve", code: .unavailable)
    }
    guard response.isSuccess else { throw loggedError(response.problemText, code: response.exitCode) }
    let text = response.text
    Output.write(text.hasSuffix("\n") ? text : text + "\n")
  }

  /// The body of `POST /views/{view}/push`.
  var body: String {
    var members = JSON.Members()
    if let node = node.flatMap({ Int($0) }) { members.set("node", to: .integer(node)) }
    if let selector { members.set("selector", to: .string(selector)) }
    if let event { members.set("event", to: .string(event)) }
    if let type { members.set("type", to: .string(type)) }
    if let value { members.set("value", to: .json(value)) }
    if let target = target.flatMap({ Int($0) }) { members.set("target", to: .integer(target)) }
    return JSON.object(members).encoded
  }

  private static func isJSON(_ text: String) -> Bool {
    (try? WireDecoder().members(Array("{\"value\":\(text)}".utf8)))?.count == 1
  }
}
