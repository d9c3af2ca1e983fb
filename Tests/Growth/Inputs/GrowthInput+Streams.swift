extension GrowthInput {
  /// Containers with `phx-update="stream"`.
  static var streams: [GrowthInput] {
    [
      .view(
        "streams/inserts in the middle", size: 4_000, mount: { _ in streamPage("") },
        diffs: { n in [streamDiff(inserts: 0..<n, at: n / 2)] }),
      .view(
        "streams/inserts in the middle of items", size: 2_000, mount: { n in streamPage(streamList(0..<n, at: -1)) },
        diffs: { n in [streamDiff(inserts: n..<2 * n, at: n / 2)] }),
      .view(
        "streams/inserts at places that ascend", size: 2_000, mount: { n in streamPage(streamList(0..<n, at: -1)) },
        diffs: { n in [streamDiff(inserts: n..<2 * n) { ($0 - n) * 2 + 1 }] }),
    ]
  }

  /// `<ul>` with a stream in it.
  static func streamPage(_ list: String) -> String {
    #"{"s":["<ul id=\"l\" phx-update=\"stream\">","</ul>"],"0":\#(list.isEmpty ? "\"\"" : list)}"#
  }

  static func streamList(_ items: Range<Int>, at: Int) -> String {
    streamList(items, statics: ["<li id=\"i", "\">", "</li>"]) { _ in at }
  }

  static func streamDiff(inserts: Range<Int>, at: Int) -> String {
    streamDiff(inserts: inserts) { _ in at }
  }

  static func streamDiff(inserts: Range<Int>, at place: (Int) -> Int) -> String {
    #"{"0":\#(streamList(inserts, statics: ["<li id=\"i", "\">", "</li>"], at: place))}"#
  }

  /// A comprehension with the stream's operation.
  private static func streamList(_ items: Range<Int>, statics: [String], at place: (Int) -> Int) -> String {
    let inserts = items.map { #"["i\#($0)",\#(place($0)),null,false]"# }.joined(separator: ",")
    let entries = JSON.members(0..<items.count) {
      #"{"0":"\#(items.lowerBound + $0)","1":"\#(items.lowerBound + $0)"}"#
    }
    return
      #"{"s":\#(JSON.texts(statics)),"k":{\#(entries),"kc":\#(items.count)},"stream":["0",[\#(inserts)],[],false]}"#
  }
}
