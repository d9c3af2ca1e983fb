/// The code of one article, or of docs/library.md.
///
/// The parts that the article shows are between `// example: NAME` and `// end`. Each block of the
/// article is one such region, or several regions that are joined: all but the first begin with `//
/// example: NAME, continued`. `PackageTests` also builds what the article shows as a package of its
/// own. At the top level of `main.swift`, where a reader puts the code, `return` is invalid, so a
/// missing node ends the program with `fatalError`.
protocol Example {
  static func run() throws
}
