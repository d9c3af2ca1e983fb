import RenderedTree

enum RenderedTreeExample: Example {
  static func run() throws {
    // example: RenderedTree
    var view = try RenderedView(#"{"0": "1", "s": ["<p>", "</p>"]}"#)
    try view.merge(#"{"0": "2"}"#)
    print(try view.markup())
    // end
  }
}
