import Testing

@testable import MarkupDocument

/// The expected results are those of JavaScript's `String.match`.
@Suite("Name patterns")
struct NamePatternTests {
  @Test(
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
  func `patterns match the same names as in JavaScript`(pattern: String, matching: [String], others: [String]) throws {
    let pattern = try #require(NamePattern(pattern))
    for name in matching { #expect(pattern.isFound(in: name), "\(name)") }
    for name in others { #expect(!pattern.isFound(in: name), "\(name)") }
  }

  @Test(
    arguments: [
      "*", "a**", "(a*", "a*)", "[a*", "[c-a]*", "a{2}*", "a*{2,3}", "(?=a)*", "(a)\\1*", "a*\\b", "a*|^b", "^a|b*",
      "a*|b$", "^(a|b)|c*",
      "a*\\",
      String(repeating: "a", count: 64) + "b*",
    ])
  func `malformed and unsupported patterns are refused`(pattern: String) {
    #expect(NamePattern(pattern) == nil)
  }

  @Test
  func `the matching time is linear in the length of the name for every pattern`() throws {
    let pattern = try #require(NamePattern("(a*)*(a|a)*(a*a*)*b"))
    #expect(!pattern.isFound(in: String(repeating: "a", count: 100_000)))
  }

  @Test
  func `names without wildcards are compared exactly`() {
    let ignored = IgnoredNames(["open", "data-*", "a{2}*"])
    for name in ["open", "data-x", "a{2}*"] { #expect(ignored.matches(name), "\(name)") }
    for name in ["opened", "aa", "class"] { #expect(!ignored.matches(name), "\(name)") }
    #expect(IgnoredNames(["*"]).matches("anything"))
  }
}
