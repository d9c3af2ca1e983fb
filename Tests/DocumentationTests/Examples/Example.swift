/// The code of one article, or of the README's library section.
///
/// The parts that the article shows are between `// example: NAME` and `// end`. Each block of the article is one such region, or
/// several regions that are joined: all but the first begin with `// example: NAME, continued`. `PackageTests` also builds
/// what the article shows as a package of its own.
protocol Example {
  static func run() throws
}
