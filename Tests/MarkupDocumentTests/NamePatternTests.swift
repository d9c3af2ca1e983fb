import Testing

@testable import MarkupDocument

/// What JavaScript's `String.match` says of the same patterns and names.
@Suite("Name patterns")
struct NamePatternTests {
  @Test(
    "patterns are found as JavaScript finds them",
    arguments: [
      ("data-*", ["data", "data-a", "x-data--", "metadata"], ["dat", "aria", ""]),
      ("data-.*", ["data-", "data-a"], ["data", "data_a"]),
      ("^data-.*$", ["data-", "data-a"], ["x-data-a", "data"]),
      ("^a*$", ["", "a", "aaa"], ["b", "ab", "ba"]),
      ("a*", ["", "b", "a"], []),
      ("a+b?c*", ["a", "xab", "ac"], ["", "bc"]),
      ("(aria|data)-st*", ["aria-s", "data-sttt"], ["aria-", "st"]),
      ("(?:a|b)*c", ["c", "abac", "xc"], ["ab"]),
      ("[a-c]x*[^0-9]", ["az", "cxxz"], ["a", "a1", "dz"]),
      ("\\d*\\w\\.", ["1a.", "_."], [".", "-."]),
      ("x{a*}", ["x{}", "x{aa}"], ["x", "xa"]),
      ("(a*)*b", ["b", "aab"], ["", "aaa"]),
      ("a*?b", ["b", "ab"], ["a"]),
      ("[\\d-]*z", ["z", "1-z"], ["1-"]),
      ("^(data|aria)-.*", ["data-a", "aria-"], ["x-data-a", "data"]),
      ("^(a|b)*$", ["", "a", "ba"], ["c", "ac"]),
    ] as [(String, [String], [String])])
  func found(pattern: String, matching: [String], others: [String]) throws {
    let pattern = try #require(NamePattern(pattern))
    for name in matching { #expect(pattern.isFound(in: name), "\(name)") }
    for name in others { #expect(!pattern.isFound(in: name), "\(name)") }
  }

  @Test(
    "patterns that are malformed or not supported are refused",
    arguments: [
      "*", "a**", "(a*", "a*)", "[a*", "[c-a]*", "a{2}*", "a*{2,3}", "(?=a)*", "(a)\\1*", "a*\\b", "a*|^b", "^a|b*",
      "a*|b$", "^(a|b)|c*",
      "a*\\",
      String(repeating: "a", count: 64) + "b*",
    ])
  func refused(pattern: String) { #expect(NamePattern(pattern) == nil) }

  @Test("a name takes time that is linear in its length, whatever the pattern")
  func linear() throws {
    let pattern = try #require(NamePattern("(a*)*(a|a)*(a*a*)*b"))
    #expect(!pattern.isFound(in: String(repeating: "a", count: 100_000)))
  }

  @Test("names are compared as they are, besides patterns")
  func names() {
    let ignored = IgnoredNames(["open", "data-*", "a{2}*"])
    for name in ["open", "data-x", "a{2}*"] { #expect(ignored.matches(name), "\(name)") }
    for name in ["opened", "aa", "class"] { #expect(!ignored.matches(name), "\(name)") }
    #expect(IgnoredNames(["*"]).matches("anything"))
  }
}
