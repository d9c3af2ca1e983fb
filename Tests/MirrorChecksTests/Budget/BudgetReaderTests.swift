import Testing

@testable import MirrorChecks

@Suite struct BudgetReaderTests {
  /// The problems of a file, without its name.
  private func problems(_ yaml: String) -> [String] {
    do throws(YAMLProblems) {
      _ = try BudgetReader.read(Array(yaml.utf8), name: "mirror.yml")
      return []
    } catch { return error.lines.map { String($0.dropFirst("mirror.yml:".count)) } }
  }

  @Test func `a budget has limits of all diffs, of events and of server pushes`() throws {
    let budget = try Budget(
      """
      # A comment
      bytes: 4096
      waste: 12.5%
      idle_renders: 0.1
      latency_p50: 1.5s
      latency_p95: 200 ms
      latency_p99: 1m
      duplicate_ids: any
      events:
        inc: {bytes: 200, nodes: 5}
        "live patch":
          waste: 50%
      server_push: {bytes: 4KB}
      views: {ShopWeb.CartLive: {mount_bytes: 2KiB}}
      pages:
        /products/*: {total_bytes: 1MB}
      """)
    #expect(budget.limits[.all]?[.bytes] == Budget.Limit(4096, from: .file("mirror.yml", line: 2)))
    #expect(budget.limits[.all]?[.waste]?.value == 0.125)
    #expect(budget.limits[.all]?[.idleRenders]?.value == 0.1)
    #expect(budget.limits[.all]?[.latencyP50]?.value == 1_500)
    #expect(budget.limits[.all]?[.latencyP95]?.value == 200)
    #expect(budget.limits[.all]?[.latencyP99]?.value == 60_000)
    #expect(budget.limits[.all]?[.duplicateIDs]?.value == .some(nil))
    #expect(budget.limits[.all]?[.rejected] == Budget.Limit(0, from: .standard))
    #expect(
      budget.limits[.cause(.event("inc"))] == [
        .bytes: Budget.Limit(200, from: .file("mirror.yml", line: 10)),
        .nodes: Budget.Limit(5, from: .file("mirror.yml", line: 10)),
      ])
    #expect(budget.limits[.cause(.event("live patch"))]?[.waste]?.value == 0.5)
    #expect(budget.limits[.cause(.serverPush)]?[.bytes]?.value == 4_000)
    #expect(budget.limits[.module("ShopWeb.CartLive")]?[.mountBytes]?.value == 2_048)
    #expect(budget.limits[.page("/products/*")]?[.totalBytes]?.value == 1_000_000)
  }

  @Test(arguments: [
    ("byte: 1", "1:1: “byte” is not a key: did you mean “bytes”?"),
    ("latency-p95: 1", "1:1: “latency-p95” is not a key: did you mean “latency_p95”?"),
    ("\n\n  event: {}", "3:3: “event” is not a key: did you mean “events”?"),
    (
      "colour: red",
      "1:1: “colour” is not a key: it must be one of mount_bytes, bytes, nodes, diffs, total_bytes, waste, idle_renders, "
        + "latency_p50, latency_p95, latency_p99, resent_lists, lost_identities, duplicate_ids, rejected, client_throws, "
        + "version_skew, events, server_push, views, pages"
    ),
    ("events: {inc: {node: 1}}", "1:16: “node” is not a key: did you mean “nodes”?"),
    (
      "events: {inc: {mount_bytes: 1}}", "1:16: “mount_bytes” is a limit of views and pages, which have mounts"
    ),
    ("pages: {products: {bytes: 1}}", "1:9: “products” must be the path of a page, such as /products/*"),
    ("views: {A: {byte: 1}}", "1:13: “byte” is not a key: did you mean “bytes”?"),
    (
      "events: {inc: {rejected: 1}}",
      "1:16: “rejected” is a limit of the whole recording: move it to the top of the file"
    ),
  ])
  func `a typing error names the line, the key and the key that was probably meant`(yaml: String, problem: String) {
    #expect(problems(yaml) == [problem])
  }

  @Test(arguments: [
    ("bytes: many", "1:8: bytes: “many” must be a number of bytes ≥ 0, such as 4096, 4KB or 4KiB, or “any”"),
    ("bytes: -1", "1:8: bytes: “-1” must be a number of bytes ≥ 0, such as 4096, 4KB or 4KiB, or “any”"),
    ("bytes: 1.5", "1:8: bytes: “1.5” must be a number of bytes ≥ 0, such as 4096, 4KB or 4KiB, or “any”"),
    (
      "bytes:",
      "1:7: bytes: the value is missing; it must be a number of bytes ≥ 0, such as 4096, 4KB or 4KiB, or “any”"
    ),
    ("bytes: [1]", "1:8: bytes: must be a number of bytes ≥ 0, such as 4096, 4KB or 4KiB, or “any”"),
    ("nodes: true", "1:8: nodes: “true” must be a whole number ≥ 0, such as 5, or “any”"),
    ("waste: 1.1", "1:8: waste: “1.1” must be a share from 0% to 100%, such as 10% or 0.1, or “any”"),
    ("waste: 110%", "1:8: waste: “110%” must be a share from 0% to 100%, such as 10% or 0.1, or “any”"),
    ("waste: -5%", "1:8: waste: “-5%” must be a share from 0% to 100%, such as 10% or 0.1, or “any”"),
    ("latency_p95: 5", "1:14: latency_p95: “5” must be a time with a unit, such as 200ms or 1.5s, or “any”"),
    ("latency_p95: 1e3", "1:14: latency_p95: “1e3” must be a time with a unit, such as 200ms or 1.5s, or “any”"),
    ("events: 5", "1:9: must be events with their limits, such as “inc: {bytes: 200}”"),
    ("events: {inc: 5}", "1:15: must be limits of “inc”, such as {bytes: 200, nodes: 5}"),
    ("- bytes: 1", "1:1: must be limits, such as “bytes: 4096”"),
  ])
  func `a wrong value names what is expected`(yaml: String, problem: String) {
    #expect(problems(yaml) == [problem])
  }

  @Test(arguments: ["", "\n", "# Only a comment\n", "---\n"])
  func `an empty file is an error`(yaml: String) {
    #expect(problems(yaml) == ["1:1: the file is empty: it must contain limits, such as “bytes: 4096”"])
  }

  @Test func `a key that is there twice is named with both lines`() {
    #expect(
      problems("bytes: 1\nnodes: 2\nbytes: 3\n") == [
        "3:1: “bytes” is a key twice; it is already in line 1: remove one of both"
      ])
    #expect(
      problems("bytes: 1\nevents:\n  inc: {nodes: 1}\n  dec: {bytes: 1}\n  inc: {nodes: 2}\n") == [
        "5:3: “inc” is a key twice; it is already in line 3: remove one of both"
      ])
  }

  @Test func `a key is the same in quotes, and in brackets`() {
    #expect(
      problems("events: {inc: {nodes: 1}, \"inc\": {nodes: 2}}") == [
        "1:27: “inc” is a key twice; it is already in line 1: remove one of both"
      ])
  }

  @Test func `an alias has the value of its anchor`() throws {
    let budget = try BudgetReader.read(
      Array("events:\n  inc: &small {bytes: 200}\n  dec: *small\n".utf8), name: "x")
    #expect(budget.limits[.cause(.event("dec"))]?[.bytes]?.value == 200)
    #expect(problems("events: {inc: *small}") == ["1:15: the file is not YAML: nothing has the anchor &small"])
    #expect(
      problems("bytes: 1\n# A letter of two bytes: é\nnodes: \u{7}\n") == [
        "3:1: the file is not YAML: control characters are not allowed"
      ])
  }

  @Test func `only the first keys that are there twice are named`() {
    let found = problems((0..<30).map { "k\($0): 1\nk\($0): 2\n" }.joined())
    #expect(found.count == 21 && found.contains { $0.hasSuffix(": 10 other keys are there twice") })
  }

  @Test(arguments: [
    ("bytes: {", "2:1: the file is not YAML: did not find expected node content"),
    ("bytes: 1\n\tnodes: 2\n", "the file is not YAML: "),
    ("a: b: c", "1:5: the file is not YAML: mapping values are not allowed in this context"),
    ("bytes: 1\n---\nbytes: 2\n", "2:1: the file is not YAML: a second document begins here"),
    ("bytes: *x", "1:8: the file is not YAML: nothing has the anchor &x"),
  ])
  func `a file that is not YAML is an error with its place`(yaml: String, problem: String) {
    #expect(problems(yaml).count == 1)
    #expect(problems(yaml).first?.contains(problem) == true, "\(problems(yaml))")
  }

  @Test func `binary, long and deeply nested files are errors`() {
    func problem(_ bytes: [UInt8]) -> String? {
      do throws(YAMLProblems) {
        _ = try BudgetReader.read(bytes, name: "x")
        return nil
      } catch { return error.description }
    }
    #expect(
      problem([0xFF, 0xFE, 0])
        == "x:1:1: the file is not a text in UTF-8: it must contain limits, such as “bytes: 4096”")
    #expect(problem(Array("bytes: 1\0".utf8))?.contains("is not a text in UTF-8") == true)
    #expect(problem([UInt8](repeating: 0x20, count: 1 << 21))?.contains("is longer than 1 MiB") == true)
    for nested in ["[", "{a: ", "- ", "? "] {
      let text = String(repeating: nested, count: 100_000)
      #expect(problem(Array(text.utf8))?.hasSuffix(": values are nested more than 64 deep") == true)
    }
    // Each alias makes its value deeper, although no line does.
    let chain = "- &a [1]\n" + String(repeating: "- &a [*a]\n", count: 80_000)
    #expect(problem(Array(chain.utf8)) == "x:64:7: the file is not YAML: values are nested more than 64 deep")
    // Deep without brackets: each line is indented further.
    let deep = (0..<700).map { String(repeating: " ", count: $0) + "a:\n" }.joined()
    #expect(problem(Array(deep.utf8)) == "x:65:65: the file is not YAML: values are nested more than 64 deep")
  }

  @Test func `all problems of a file are reported, in the order of the lines`() {
    #expect(
      problems("waste: 2\nbites: 1\nevents:\n  inc: {nods: 1, bytes: x}\nnodes: -1\n").map { $0.prefix { $0 != " " } }
        == [
          "1:8:", "2:1:", "4:9:", "4:25:", "5:8:",
        ])
  }

  @Test func `names may have any characters`() throws {
    let name = "a\u{1F600}é\"\\: #{}[],&*!|>'%@`\u{7F}\u{85}\u{2028}\u{2029}\u{FEFF}\u{FFFE}\u{E0001}\t\n"
    var budget = Budget.standard
    budget.limits[.cause(.event(name))] = [.bytes: .init(1, from: .flag)]
    let read = try Budget(BudgetWriter.text(budget, replacing: nil))
    #expect(read.limits.keys.sorted().map(\.name) == [nil, name])
  }
}
