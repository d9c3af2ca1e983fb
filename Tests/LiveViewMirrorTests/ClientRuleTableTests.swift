import Foundation
import RecordingFixtures
import Testing

/// The table of the client's rules in `docs/architecture.md`, compared with the *Client* items of
/// the doc comments in the code. `ClientRule` describes these items. Only text is read, so the
/// tests need no new build.
@Suite struct ClientRuleTableTests {
  /// One *Client* item, and the declaration that it documents, such as `ClientPatch.cut`.
  private struct Item {
    var functions: Set<String>
    var versions: String
    var declaration: String
    /// The case, if the item is that of a case of `ClientRule`.
    var clientRule: String? {
      declaration.hasPrefix("ClientRule.") ? String(declaration.dropFirst("ClientRule.".count)) : nil
    }
  }

  /// One row of the table.
  private struct Row {
    var rule: String
    var functions: Set<String>
    var versions: String
    var declarations: Set<String>
    var guards: [String]
    var switches: [String]
    var cases: [String]

    /// Whether an item belongs to the row.
    func has(_ item: Item) -> Bool {
      guard item.functions.isSubset(of: functions) else { return false }
      if let rule = item.clientRule { return switches.contains(rule) }
      return declarations.contains(item.declaration) && versions == item.versions
    }
  }

  /// The folders in which each rule has an item.
  private static let folders = ["Sources/MarkupDocument/Client", "Sources/RenderedTree/Merging"]

  private let rows: [Row]
  private let items: [Item]

  init() throws {
    let section = try Self.text("docs/architecture.md").components(separatedBy: "\n## ").first {
      $0.hasPrefix("What a client makes of a page")
    }
    rows = try #require(section).split(separator: "\n").filter { $0.hasPrefix("|") }.dropFirst(2).map { line in
      let cells = line.split(separator: "|", omittingEmptySubsequences: false).dropFirst().dropLast()
        .map { $0.trimmingCharacters(in: .whitespaces) }
      try #require(cells.count == 7, "\(line)")
      let names = cells.map { cell in cell.matches(of: /`([^`]+)`/).map { String($0.output.1) } }
      return Row(
        rule: cells[0], functions: Set(names[1]), versions: cells[2], declarations: Set(names[3]), guards: names[4],
        switches: names[5], cases: names[6])
    }
    items = try Self.folders.flatMap(Self.swiftFiles).flatMap { file in
      try Self.items(in: String(contentsOf: file, encoding: .utf8))
    }
  }

  @Test func `each Client item in the code has a row`() {
    #expect(items.count > 60)
    for item in items {
      #expect(
        rows.contains { $0.has(item) }, "no row for \(item.functions) \(item.versions) at \(item.declaration)")
    }
  }

  @Test func `each function of the client in a row has a Client item at a declaration of that row`() {
    #expect(rows.count > 20)
    for row in rows {
      let known = items.filter(row.has).reduce(into: Set()) { $0.formUnion($1.functions) }
      #expect(row.functions.subtracting(known) == [], "\(row.rule): no Client item at a declaration of the row")
    }
  }

  @Test func `each declaration, guard and case that a row names exists`() throws {
    let reasons = try Self.text("Sources/LiveViewMirror/Update/FullUpdateReason.swift")
      .components(separatedBy: "extension FullUpdateReason")[0].matches(of: /\w+/).map { String($0.output) }
    let suites = Self.swiftFiles(in: "Tests").map { $0.deletingPathExtension().lastPathComponent }
    let cases = try Self.categories().union(suites)
    for row in rows {
      let documented = Set(items.filter(row.has).map(\.declaration))
      for name in row.declarations.subtracting(documented) {
        #expect(try Self.isDeclaredElsewhere(name), "\(row.rule): \(name) has no Client item")
      }
      for reason in row.guards { #expect(reasons.contains(reason), "\(row.rule): FullUpdateReason.\(reason)") }
      #expect(!row.cases.isEmpty && cases.isSuperset(of: row.cases), "\(row.rule): \(row.cases)")
    }
  }

  @Test func `each case of ClientRule is the switch of one row, and its Client item has its versions`() throws {
    let source = try Self.text("Sources/MarkupDocument/Client/ClientRule.swift")
    let rules = source.matches(of: /(?m)^  case (\w+)$/).map { String($0.output.1) }
    #expect(rules.sorted() == rows.flatMap(\.switches).sorted())
    var versions: [String: String] = [:]
    for line in source.matches(of: /case (\..+): \((nil|release\(.+?\)), (nil|release\(.+?\))\)\n/) {
      for name in line.output.1.matches(of: /\w+/) {
        versions[String(name.output)] = Self.versions(from: line.output.2, to: line.output.3)
      }
    }
    #expect(versions.count == rules.count)
    for item in items {
      if let rule = item.clientRule { #expect(item.versions == versions[rule], "ClientRule.\(rule)") }
    }
  }

  // MARK: - Reading

  private static func text(_ path: String) throws -> String {
    try String(contentsOf: Fixtures.root.appending(path: path), encoding: .utf8)
  }

  private static func swiftFiles(in folder: String) -> [URL] {
    Fixtures.files(in: Fixtures.root.appending(path: folder), withExtension: "swift")
  }

  /// The *Client* items of a Swift file.
  private static func items(in source: String) -> [Item] {
    var items: [Item] = []
    var (type, comment) = ("", "")
    for line in source.split(separator: "\n") {
      let code = line.drop { $0 == " " }
      if code.hasPrefix("///") {
        comment += " " + code.dropFirst(3).drop { $0 == " " }
        continue
      }
      let isTopLevel = code.startIndex == line.startIndex
      if isTopLevel, let match = code.firstMatch(of: /^(?:\w+ )*?(?:struct|enum|extension) (\w+)/) {
        type = String(match.output.1)
      }
      defer { comment = "" }
      guard comment.contains("- Client:") else { continue }
      let member = code.firstMatch(of: /^(?:[\w()]+ )*?(?:func|var|let|case|init)\b ?(\w*)/).map(\.output.1)
      let declaration = member.map { "\(type).\($0.isEmpty ? "init" : $0)" } ?? type
      let found = comment.matches(
        of: /- Client: ((?:`\w+`(?:, )?)+) in `\w+\.js`, (\S+)\. Origin: (?:none known|phoenix_live_view#\d+)\./)
      #expect(found.count == comment.matches(of: /- Client:/).count, "malformed Client item at \(declaration)")
      items += found.map { item in
        Item(
          functions: Set(item.output.1.matches(of: /\w+/).map { String($0.output) }), versions: String(item.output.2),
          declaration: declaration)
      }
    }
    return items
  }

  /// Versions as *Client* items write them, from the arguments of `release`.
  private static func versions(from first: Substring, to end: Substring) -> String? {
    func numbers(_ release: Substring) -> (minor: Int, patch: Int)? {
      release.firstMatch(of: /(\d+), (\d+)/).flatMap { match in
        Int(match.output.1).flatMap { minor in Int(match.output.2).map { (minor, $0) } }
      }
    }
    switch (numbers(first), numbers(end)) {
    case (nil, let end?): return "1.\(end.minor - 1)"
    case (let first?, nil): return first.patch == 0 ? "1.\(first.minor)+" : "1.\(first.minor).\(first.patch)+"
    case ((let minor, 0)?, (let next, 0)?) where next == minor + 1: return "1.\(minor)"
    case (let first?, let end?) where end.patch == 0: return "1.\(first.minor).\(first.patch)–1.\(end.minor - 1)"
    case (let first?, let end?): return "1.\(first.minor).\(first.patch)–1.\(end.minor).\(end.patch - 1)"
    case (nil, nil): return nil
    }
  }

  /// Whether a file outside of ``folders`` declares a function of a type, such as
  /// `FormInput.encoded`.
  private static func isDeclaredElsewhere(_ name: String) throws -> Bool {
    let parts = name.split(separator: ".")
    guard parts.count == 2 else { return false }
    return try swiftFiles(in: "Sources").contains { file in
      guard file.lastPathComponent.hasPrefix(parts[0]), !folders.contains(where: file.path.contains) else {
        return false
      }
      return try String(contentsOf: file, encoding: .utf8).contains("func \(parts[1])(")
    }
  }

  /// The categories of the recorded cases.
  private static func categories() throws -> Set<String> {
    var categories: Set<String> = []
    for file in Fixtures.files(in: Fixtures.folder("client"), withExtension: "jsonl") {
      for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
        guard let match = line.prefix(300).firstMatch(of: /"category": ?"([^"]+)"/) else { continue }
        categories.insert(String(match.output.1))
      }
    }
    return categories
  }
}
