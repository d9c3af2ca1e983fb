/// The code of one article, or of the README's library section.
///
/// The parts that the article shows are between `// example: NAME` and `// end`. Each block of the article is one such region, or
/// several regions that are joined: all but the first begin with `// example: NAME, continued`. Examples must use only public API,
/// because `script/docs` also compiles these files in another package.
protocol Example {
  static func run() throws
}
