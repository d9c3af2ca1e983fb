/// The code of one article, or of the README's library section, to be run.
///
/// What the article shows stands between `// example: NAME` and `// end`: one such region for each of its blocks, in their
/// order, or several for one block, where all but the first say `// example: NAME, continued`. Nothing in here may be
/// known to this package alone: `script/docs` compiles these files as somebody else's.
protocol Example {
  static func run() throws
}
