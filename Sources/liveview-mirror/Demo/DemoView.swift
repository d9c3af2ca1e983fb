internal import MarkupDocument
internal import MirrorSupport
internal import RenderedTree

/// The LiveView of the demo: a todo list with a form, a stream and a component. As on a server, an
/// event changes what the view holds, and the answer is a diff in the wire format of LiveView 1.1.
///
/// ``DemoPage`` has a `DemoView` behind a lock, and holds the lock until the mirror has received
/// the diff, because each diff builds on the ones before it.
struct DemoView: Sendable {
  private struct Todo: Sendable {
    let id: Int
    let title: String
    var isDone = false
  }

  private var todos = [
    Todo(id: 1, title: "Read the README", isDone: true), Todo(id: 2, title: "Start the demo"),
    Todo(id: 3, title: "Find the diff that changes too much"),
  ]
  /// A list whose rows have no key.
  private var plan = ["Morning: mail", "Noon: lunch", "Afternoon: review", "Evening: deploy"]
  private var lastID = 3
  private var messages = 0
  private var likes = 0

  static let version = "1.1.33"

  // MARK: - The page

  /// The `rendered` of the join.
  var rendered: JSON {
    [
      "s": statics(
        """
        <main>
        <h1>Todo list</h1>
        <p id="left">{} left</p>
        <form id="new" phx-change="validate" phx-submit="add">
        <label>New todo <input name="title" value="{}"></label> <button>Add</button>{}
        </form>
        <ul id="todos">{}</ul>
        <p id="saved">{}</p>
        <h2>Plan</h2>
        <ol id="plan">{}</ol>
        <button id="next" phx-click="next">Done with the first</button>
        <h2>Messages</h2>
        <ul id="messages" phx-update="stream">{}</ul>
        {}
        </main>
        """),
      "0": .string(left), "1": "", "2": "", "3": comprehension(todos.map(row), statics: statics(Self.row)),
      "4": "All changes are saved.",
      "5": comprehension(plan.map { ["0": .string($0)] }, statics: statics("<li>{}</li>")),
      "6": stream([], statics: statics("<li id=\"{}\">{}</li>")), "7": 1,
      "c": [
        "1": [
          "0": "0", "1": "1", "r": 1,
          "s": statics(#"<p id="likes">Likes: {} <button phx-click="like" phx-target="{}">Like</button></p>"#),
        ]
      ],
    ]
  }

  private static let row =
    #"<li id="todo-{}" class="{}"><button phx-click="toggle" phx-value-id="{}">{}</button> <span>{}</span> "#
    + #"<button phx-click="delete" phx-value-id="{}">×</button></li>"#

  /// - Parameter template: markup with `{}` for each slot.
  private func statics(_ template: String) -> JSON {
    .array(template.split(separator: "{}", omittingEmptySubsequences: false).map { .string(String($0)) })
  }

  private var left: String { String(todos.count { !$0.isDone }) }

  private func row(_ todo: Todo) -> JSON {
    let id = JSON.string(String(todo.id))
    return ["0": id, "1": done(todo), "2": id, "3": mark(todo), "4": .string(todo.title.escaped), "5": id]
  }

  private func done(_ todo: Todo) -> JSON { todo.isDone ? "done" : "" }
  private func mark(_ todo: Todo) -> JSON { todo.isDone ? "✓" : "○" }

  /// A comprehension with all rows.
  private func comprehension(_ rows: [JSON], statics: JSON? = nil) -> JSON {
    changes(of: rows.count, rows.enumerated().map { ($0.offset, $0.element) }, statics: statics)
  }

  /// Some rows of a comprehension.
  ///
  /// - Parameter statics: `nil` in a diff: the client has them.
  private func changes(
    of count: Int, _ rows: [(index: Int, row: JSON)], moved: Bool = false, statics: JSON? = nil
  ) -> JSON {
    var keyed = JSON.Members()
    for (index, row) in rows { keyed.set(String(index), to: row) }
    keyed.set("kc", to: .integer(count))
    if moved { keyed.set("km", to: .bool(true)) }
    var members = JSON.Members()
    members.set("k", to: .object(keyed))
    if let statics { members.set("s", to: statics) }
    return .object(members)
  }

  private func stream(_ rows: [(id: String, text: String)], statics: JSON? = nil) -> JSON {
    let content = comprehension(rows.map { ["0": .string($0.id), "1": .string($0.text)] }, statics: statics)
    guard var members = content.members else { return content }
    let inserts = rows.map { [.string($0.id), -1, .null, .bool(false)] as JSON }
    members.set("stream", to: ["0", .array(inserts), []])
    return .object(members)
  }

  // MARK: - Events

  /// Answers an event.
  ///
  /// - Parameter value: of the payload: an object, or the text of a form.
  /// - Returns: the diff; empty if nothing has changed.
  mutating func answer(_ event: String, _ value: JSON?) -> JSON {
    switch event {
    case "toggle": change(value) { todos, index in todos[index].isDone.toggle() }
    case "delete": delete(value)
    case "validate": validate(title(in: value))
    case "add": add(title(in: value))
    case "like": like()
    case "next": finishFirst()
    default: [:]
    }
  }

  private func index(of value: JSON?) -> Int? {
    value?.members?["id"]?.text.flatMap(Int.init).flatMap { id in todos.firstIndex { $0.id == id } }
  }

  private mutating func change(_ value: JSON?, _ body: (inout [Todo], Int) -> Void) -> JSON {
    guard let index = index(of: value) else { return [:] }
    body(&todos, index)
    let row: JSON = ["1": done(todos[index]), "3": mark(todos[index])]
    return ["0": .string(left), "3": changes(of: todos.count, [(index, row)])]
  }

  private mutating func delete(_ value: JSON?) -> JSON {
    guard let index = index(of: value) else { return [:] }
    todos.remove(at: index)
    // A row that only moves is sent as its former index.
    let moves = (index..<todos.count).map { ($0, JSON.integer($0 + 1)) }
    return ["0": .string(left), "3": changes(of: todos.count, moves, moved: !moves.isEmpty)]
  }

  private func validate(_ title: String) -> JSON {
    ["1": .string(title.escaped), "2": title.count < 3 ? Self.tooShort : ""]
  }

  private static let tooShort: JSON = ["s": ["<p class=\"error\">Write at least three characters.</p>"]]

  private mutating func add(_ title: String) -> JSON {
    guard title.count >= 3 else { return validate(title) }
    lastID += 1
    todos.append(Todo(id: lastID, title: title))
    return [
      "0": .string(left), "1": "", "2": "",
      "3": changes(of: todos.count, [(todos.count - 1, row(todos[todos.count - 1]))]),
    ]
  }

  private mutating func like() -> JSON {
    likes += 1
    return ["c": ["1": ["0": .string(String(likes))]]]
  }

  /// Removes the first row of the plan. Its rows have no keys, so all rows are sent again, each
  /// with the content of the row after it.
  private mutating func finishFirst() -> JSON {
    if !plan.isEmpty { plan.removeFirst() }
    return ["5": comprehension(plan.map { ["0": .string($0)] })]
  }

  private func title(in value: JSON?) -> String {
    for field in value?.text?.split(separator: "&") ?? [] {
      let parts = field.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      if parts[0] == "title", parts.count == 2 { return ParameterFilter.decoded(parts[1]) }
    }
    return ""
  }

  // MARK: - What the server sends by itself

  /// The diff of a new message in the stream.
  mutating func receiveMessage(_ text: String) -> JSON {
    messages += 1
    return ["6": stream([("message-\(messages)", text.escaped)])]
  }

  /// A diff whose values the client has already.
  var repetition: JSON {
    [
      "0": .string(left), "3": changes(of: todos.count, todos.enumerated().map { ($0.offset, row($0.element)) }),
      "4": "All changes are saved.",
    ]
  }

  /// A diff of a slot that the page does not have.
  static let wrong: JSON = ["12": "This slot does not exist"]
}

extension String {
  /// As a template renders it, also inside of an attribute.
  fileprivate var escaped: String {
    var markup = MarkupOutput(dialect: .html)
    markup.escape(self, inAttribute: true)
    return String(decoding: markup.bytes, as: UTF8.self)
  }
}
