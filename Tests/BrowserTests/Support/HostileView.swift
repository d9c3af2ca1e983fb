import Foundation

/// Views with a payload at every position that a LiveView controls.
enum HostileView {
  /// A page that writes the payloads as an app might: raw and escaped, as values and as names, in
  /// statics and in slots.
  static func rendered(_ payloads: [Corpus.Payload], raw: Bool) throws -> String {
    var statics = ["<main id=\"top\">"]
    var tree: [String: Any] = [:]
    func put(_ before: String, _ dynamic: String, _ after: String) {
      statics[statics.count - 1] += before
      tree["\(statics.count - 1)"] = dynamic
      statics.append(after)
    }
    for payload in payloads {
      let (escaped, number) = (payload.escaped, payload.number)
      put("<p id=\"text-\(number)\">\(escaped)</p><p title=\"\(escaped)\">", escaped, "</p>")
      put("<p id=\"\(escaped)\" class=\"", escaped, "\">id</p>")
      put("<a href=\"\(escaped)\" data-x=\"", escaped, "\">link</a>")
      put("<img alt=x src=\"", escaped, "\">")
      put("<form action=\"\(escaped)\"><input name=\"\(escaped)\" value=\"", escaped, "\"></form>")
      put("<!-- @caller \(escaped) --><div style=\"", escaped, "\">style</div>")
      put("<template>", escaped, "</template>")
      if raw {
        put("<section>\(payload.text)", payload.text, "</section>")
        put("<p \(payload.text)=1 title=", payload.text, "></p>")
        put("<\(payload.text)></\(payload.text)>", payload.text, "")
      }
    }
    statics[statics.count - 1] += "</main>"
    tree["s"] = statics
    tree["t"] = payloads.map(\.text).joined(separator: " ")
    tree["e"] = payloads.map { [$0.text, [$0.text: $0.text]] }
    return try json(tree)
  }

  /// A component and a stream whose ids are the payload.
  static func parts(_ payload: Corpus.Payload) throws -> String {
    try json([
      "s": ["<div>", "</div><ul id=\"list\" phx-update=\"stream\">", "</ul>"], "0": 1,
      "c": ["1": ["s": ["<b title=\"", "\">component</b>"], "0": payload.escaped]],
      "1": [
        "s": ["<li id=\"", "\">", "</li>"], "k": ["0": ["0": payload.escaped, "1": payload.escaped], "kc": 1],
        "stream": [payload.text, [[payload.text, -1, NSNull(), NSNull()]], []],
      ],
    ])
  }

  static func native(_ payload: Corpus.Payload) throws -> String {
    let escaped = payload.escaped
    return try json([
      "s": [
        "<VStack id=\"\(escaped)\"><Text template=\"\(escaped)\">", "</Text><Image url=\"",
        "\" name=\"\(escaped)\" />"
          + "<AsyncImage url=\"\(escaped)\" /><Link destination=\"\(escaped)\" href=\"\(escaped)\">link</Link>"
          + "<Button phx-click=\"\(escaped)\" style=\"\(escaped)\">\(escaped)</Button><TextField text=\"\(escaped)\" /></VStack>",
      ],
      "0": escaped, "1": escaped, "t": payload.text,
    ])
  }

  /// A diff that changes a text, an attribute and the title, and has events and a reply.
  static func diff(_ payload: Corpus.Payload) throws -> String {
    try json([
      "0": payload.escaped + "2", "1": payload.escaped + "2", "t": payload.text,
      "e": [[payload.text, ["x": payload.text]]],
      "r": [payload.text: payload.text],
    ])
  }

  /// Diffs that are refused. The error messages quote the payload.
  static func rejected(_ payload: Corpus.Payload) throws -> [String] {
    [
      try json([payload.text: payload.text]), try json(["0": ["s": payload.text]]),
      try json(["c": [payload.text: ["0": payload.text]]]), payload.text,
    ]
  }

  private static func json(_ value: Any) throws -> String {
    String(decoding: try JSONSerialization.data(withJSONObject: value, options: .sortedKeys), as: UTF8.self)
  }
}
