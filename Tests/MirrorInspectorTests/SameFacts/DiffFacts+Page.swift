import MarkupDocument

@testable import MirrorInspector

/// One diff on the page at its version, with the facts of `DiffFacts.swift`.
extension Facts {
  /// - Parameter page: the page at a version, with the details of its diff.
  init(diff page: ParsedPage) {
    guard let details = page.element(id: "details") else { return }
    func words(_ tag: String, _ name: String?, in top: ParsedPage.Place? = nil) -> String? {
      page.first(tag, name, in: top ?? details).map { page.words(of: $0) }
    }
    add("shown title", page.first("h1").map { page.words(of: $0) })
    let line = page.first("p", "circumstances", in: details)
    let shown = page.words(of: line)
    add("version", Int(shown.dropFirst().prefix { $0.isNumber }))
    let cause = line.flatMap { words("bdi", "cause", in: $0) }
    add("cause", cause ?? (shown.contains(" · pushed by the server · ") ? "server" : "mount"))
    let value = line.flatMap { words("code", nil, in: $0) }
    add("value", value.map { $0.hasSuffix(" characters") ? "cut off" : Self.json($0) })
    add("latency", shown.firstMatch(of: #/B in ([\d.]+) ms · /#).map { String($0.1) })
    add("at", line.flatMap { page.first("time", in: $0) }.flatMap { page.attribute("datetime", of: $0) })
    add("bytes", shown.firstMatch(of: #/ · ([\d.,]+ [kM]?B)/#).map { String($0.1) })
    let counts = page.all("h4", nil, in: details).compactMap {
      page.words(of: $0).wholeMatch(of: /([\d,]+) changes?/).map { String($0.1) }
    }
    add("count", counts.first ?? (page.first("b", "version", in: details) == nil ? nil : "0"))
    for list in page.all("ul", "changes", in: details)
    where page.tree[list].element?.classes.contains("evaluations") == false {
      for item in page.children("li", of: list) where page.attribute("data-nodes", of: item) != nil {
        add("change", ChangeFacts.line(of: item, in: page))
      }
    }
    addReach(page, details)
    addNotices(page, details)
    addIsolation(page, details)
    if let table = page.first("table", "diff-parts", in: details) {
      for line in PartFacts.lines(of: table, in: page) { add("part", line) }
    }
    let notes = page.element(id: "input").map { page.all("p", "note", in: $0) } ?? []
    add(
      "unmarked waste",
      notes.compactMap { page.words(of: $0).firstMatch(of: /^([\d,]+) more slots? sent without effect/) }.first.map {
        String($0.1)
      })
    addTimings(page, details)
  }

  private mutating func addReach(_ page: ParsedPage, _ details: ParsedPage.Place) {
    for line in page.all("p", "reach", in: details) {
      let words = page.words(of: line)
      if page.tree[line].element?.classes.contains("waste") == true {
        guard let match = words.wholeMatch(of: /! (.*?) already on the page \((?:under )?\d+ %\): (slots? .*)/) else {
          continue
        }
        add("wasted bytes", String(match.1))
        add("wasted slots", String(match.2))
      } else if let match = words.firstMatch(of: /^Notified ([\d,]+) of ([\d,]+) subscribers?/) {
        add("observers", String(match.1))
        add("all observers", String(match.2))
        for node in page.all("a", "node", in: line) { add("notified", page.words(of: node)) }
        add("more notified", words.firstMatch(of: #/ and (\d+) more/#).map { String($0.1) })
        let ended = words.firstMatch(of: /; ([\d,]+) removed nodes? had subscribers, which ended/)
        add("ended", ended.map { String($0.1) })
      }
    }
    if page.all("p", "note", in: details).contains(where: { page.words(of: $0).contains("no subscriber was notified") })
    {
      add("observers", "0")
    }
  }

  private mutating func addNotices(_ page: ParsedPage, _ details: ParsedPage.Place) {
    for notice in page.all("p", "notice", in: details) {
      let words = page.words(of: notice)
      let code = page.first("code", in: notice).map { page.words(of: $0) } ?? "?"
      if page.tree[notice].element?.classes.contains("finding") == true {
        let node = page.first("a", "node", in: notice).flatMap { page.attribute("data-node", of: $0) }
        let message = page.children("bdi", of: notice).first
        add("diagnostic", "\(code) \(node.map { "\($0) " } ?? "")\(page.words(of: message))")
      } else if page.tree[notice].element?.classes.contains("waste") == true {
        let sent = words.firstMatch(of: /^! List in slot \S+: [\d,]+ of ([\d,]+) entr(?:y|ies) w\w+ sent,/)
        let shifted = words.firstMatch(of: /([\d,]+) that w\w+ on the page already at another position \(([\d,]+) B\)/)
        if sent == nil { add("shifted list", "not a list: \(words)") }
        if let sent, let shifted { add("shifted list", "\(code) | \(shifted.1) | \(sent.1) | \(shifted.2)") }
      } else if let match = words.wholeMatch(of: /([\d,]+) more lists? with entries that were sent again\./) {
        add("more shifted lists", String(match.1))
      } else if words.hasPrefix("Page title: ") {
        add("title before", page.first("del", in: notice).map { page.words(of: $0) })
        add("title", page.first("ins", in: notice).map { page.words(of: $0) })
      } else {
        add(words.hasPrefix("Events ") ? "events" : "reply", Self.json(code))
      }
    }
  }

  private mutating func addIsolation(_ page: ParsedPage, _ details: ParsedPage.Place) {
    guard let section = page.first("details", "isolation", in: details) else { return }
    let rows = page.rows(ofTable: "ways")
    add("isolation", (rows.map { $0[1] } + rows.map { $0[2] }).joined(separator: " "))
    guard let list = page.first("ul", "evaluations", in: section) else { return }
    let line = page.words(of: page.first("p", "reach", in: section))
    let counts = line.firstMatch(of: /^([\d,]+) views? evaluated(?:, = ([\d,]+) idle)?/)
    add("evaluated", counts.map { String($0.1) })
    add("for nothing", counts.map { $0.2.map(String.init) ?? "0" })
    for item in page.children("li", of: list) {
      guard let node = page.first("a", "node", in: item), let why = page.first("span", "why", in: item) else {
        continue
      }
      // The reason has the name of a child, and the JSON only its number.
      let reasons = page.words(of: why).replacing(/child (\d+)(?: <[^>]*>)?/) { "child \($0.1)" }
      add(
        "evaluation",
        [
          page.words(of: page.first("b", "mark", in: item)), page.words(of: node), reasons,
          page.words(of: page.first("bdi", "size", in: item)),
        ].joined(separator: " "))
    }
  }

  private mutating func addTimings(_ page: ParsedPage, _ details: ParsedPage.Place) {
    guard let list = page.first("dl", "timings", in: details), let section = page.tree.parent(of: list) else { return }
    for (stage, time) in page.definitions(in: list) { add("time of \(stage)", time.replacing(" µs", with: "")) }
    let summary = page.words(of: page.first("summary", in: section))
    guard let match = summary.wholeMatch(of: /Timings, ([\d,]+) µs(?: (.*))?/) else { return }
    add("time", String(match.1))
    add("path", match.2.map(String.init))
  }
}
