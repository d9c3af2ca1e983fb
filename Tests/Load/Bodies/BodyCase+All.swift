/// The cases: the inputs of the growth benchmark that need much memory, and the largest inputs
/// below and above each limit of docs/architecture.md.
extension BodyCase {
  /// The markup of a page.
  private static let nodes = 163_840
  /// The maximum length of a body.
  private static let body = 16 << 20

  static let all: [BodyCase] = bounds + amplified + lists + many + together

  /// The largest accepted inputs, and slightly larger ones.
  private static let bounds: [BodyCase] = [
    BodyCase("numbers, 16 MiB", isQuick: true) { [.mount(#"{"0":[\#(repeated("0,", body / 2 - 20))0],"s":["",""]}"#)] },
    BodyCase("one text, 16 MiB") { [.mount(page(repeated("x", body - 40)))] },
    BodyCase("one text, 8 MiB", isQuick: true) { [.mount(page(repeated("x", (8 << 20) - 40)))] },
    BodyCase("characters that JSON escapes") { [.mount(page(repeated("\\u0001", 2_700_000)))] },
    BodyCase("references") { [.mount(page(repeated("&amp;", 1_600_000)))] },
    BodyCase("as many elements as may be", isQuick: true) { [.mount(#"{"s":["\#(repeated("<br>", nodes - 1))"]}"#)] },
    BodyCase("one element more") { [.mount(#"{"s":["\#(repeated("<br>", nodes))"]}"#)] },
    BodyCase("elements with attributes of their own") {
      [.mount(#"{"s":["\#(joined(0..<nodes - 1) { "<br a=\($0) b=1 c=2>" })"]}"#)]
    },
    BodyCase("elements with too many attributes") {
      [.mount(#"{"s":["\#(joined(0..<nodes - 1) { "<br a=\($0) b=1 c=2 d=3 e=4 f=5>" })"]}"#)]
    },
    BodyCase("one element of 320,000 attributes") {
      [.mount(#"{"s":["<p \#(joined(0..<320_000) { "attribute-number-\($0 + 100_000)=x " })>"]}"#)]
    },
    BodyCase("slots") {
      [
        .mount(
          #"{"0":{"s":["","","",""],"d":[\#(repeated(#"["abcdefghijklmnopqrst","","c"],"#, 174_000))[]]},"s":["",""]}"#)
      ]
    },
    BodyCase("components") {
      let components = joined(1..<100_000) {
        #""\#($0)":{"s":["<i>","</i>"],"0":\#($0 % 300 == 0 ? #""x""# : "\($0 + 1)")},"#
      }
      return [.mount(#"{"0":1,"c":{\#(components)"100000":{"s":[""]}},"s":["",""]}"#)]
    },
    BodyCase("strings of a template") { [.mount(#"{"s":[\#(repeated(#""","#, 1_000_000))""]}"#)] },
    BodyCase("events") { [.mount(#"{"s":["x"]}"#), .diff(#"{"e":[\#(repeated(#"["a",{}],"#, 340_000))["a",{}]]}"#)] },
    BodyCase("frames") {
      [.init(target: "/frames", body: joined(0..<170_000) { "[null,null,\"m\",\"diff\",{\"0\":\"\($0)\"}]\n" })]
    },
  ]

  /// Small bodies that cause much work.
  private static let amplified: [BodyCase] = [
    BodyCase("15: a long formatting element before paragraphs", isQuick: true) {
      [.mount(#"{"s":["<p><b title='\#(repeated("x", 100_000))'>\#(repeated("<p>x", 20_000))"]}"#)]
    },
    BodyCase("characters that JSON escapes, in each of many entries") {
      [.mount(#"{"0":{"s":["<p>\#(repeated("\\u0001", 2_300))</p>"],"d":[\#(repeated("[],", 9_999))[]]},"s":["",""]}"#)]
    },
    BodyCase("12: tables of selects, reversed") {
      let rows = keyed(0..<2_000) { _ in #"{"0":"<caption><a:b><select><option>a</b>"}"# }
      return [
        .mount(#"{"0":{"s":["<tr><td>","</td></tr>"],\#(rows)},"s":["<table>","</table>"]}"#),
        .diff(#"{"0":{\#(keyed(0..<2_000) { String(1_999 - $0) })}}"#),
      ]
    },
    BodyCase("16: fragments in each other, above many entries") {
      let start = String(repeating: #"{"0":"#, count: 480)
      let end = String(repeating: #","s":["<i>","</i>"]}"#, count: 480)
      let inner = joined(0..<60_000) { "[\"y\($0)\"]," }
      return [
        .mount(start + #"{"s":["",""],"d":[["x"]]}"# + end),
        .diff(start + "{\"d\":[\(inner)[\"z\"]]}" + String(repeating: "}", count: 480)),
      ]
    },
  ]

  /// Lists in which all rows change.
  private static let lists: [BodyCase] = [
    BodyCase("11: attributes that all change") {
      let attributes = { (value: Int) in joined(0..<80_000) { "a\($0)=\(value) " } }
      return [.mount(#"{"0":"\#(attributes(1))","s":["<p ",">"]}"#), .diff(#"{"0":"\#(attributes(2))"}"#)]
    },
    BodyCase("13: lists that are emptied, and components off the page") {
      let (n, statics) = (16_000, repeated(#""","#, 16_000))
      let lists = joined(0..<n) { #""\#($0)":{"s":["<i>","</i>"],"d":[["a"]]},"# }
      let components = joined(1..<n) { #""\#($0)":{"s":["<b>","</b>"],"0":"a"},"# }
      return [
        .mount(#"{\#(lists)"s":[\#(statics)""],"c":{\#(components)"\#(n)":{"s":["<b>","</b>"],"0":"a"}}}"#),
        .diff(
          #"{\#(joined(0..<n) { #""\#($0)":"","# })"c":{\#(joined(1..<n) { #""\#($0)":{"0":"b"},"# })"\#(n)":{"0":"b"}}}"#
        ),
      ]
    },
    BodyCase("17: rows that are reversed, emptied and filled", isQuick: true) {
      [
        .mount(list(80_000)), .diff(#"{"0":{\#(keyed(0..<80_000) { String(79_999 - $0) })}}"#),
        .diff(#"{"0":{"k":{"kc":0}}}"#), .diff(#"{"0":{\#(keyed(0..<80_000) { #"{"0":"\#($0)"}"# })}}"#),
      ]
    },
    BodyCase("rows that all change") {
      [
        .mount(list(81_500)), .diff(#"{"0":{\#(keyed(0..<81_500) { _ in #"{"0":"\#(repeated("y", 50))"}"# })}}"#),
        .diff(#"{"0":{\#(keyed(0..<40_000, count: 81_500) { _ in #"{"0":"\#(repeated("y", 50))"}"# })}}"#),
      ]
    },
    BodyCase("elements that are all replaced") {
      let page = { (tag: String) in
        #"{"0":{"s":["<\#(tag)>","</\#(tag)>"],"d":[\#(joined(0..<81_000) { "[\"\($0)\"]," })["z"]]},"s":["<div>","</div>"]}"#
      }
      return [.mount(page("p")), .diff(page("i")), .diff(page("b"))]
    },
    // The memory of views that an import adds is freed by unloading them, which waits for the
    // journal.
    BodyCase("imports after a long stream, with a journal", isQuick: true, hasJournal: true) {
      let items = (0..<20).map { round in
        BodyCase.Post.diff(
          #"{"0":"<ul id=s phx-update=stream>\#(joined(0..<3_800) { "<li id=i\(round)-\($0)>\($0)</li>" })</ul>"}"#)
      }
      let response = #"{"rendered":{"0":"","s":["<p>","</p>"]}}"#
      let imports = (0..<1_200).map { number in
        BodyCase.Post(
          target: "/views",
          body: """
            ["1","1","lv:v\(number % 100)","phx_join",{}]
            ["1","1","lv:v\(number % 100)","phx_reply",{"status":"ok","response":\(response)}]
            ["1",null,"lv:v\(number % 100)","diff",{"0":"\(repeated("a", 37_000))"}]
            """)
      }
      return [.mount(#"{"0":"","s":["<main>","</main>"]}"#)] + items + imports
    },
    BodyCase("small elements that are all replaced, in two views with a journal", isQuick: true, hasJournal: true) {
      let views = ["m", "n"]
      let diffs = (0..<8).flatMap { round in
        views.map { BodyCase.Post.diff(#"{"0":"\#(repeated(["<b></b>", "<i></i>"][round % 2], 142_857))"}"#, $0) }
      }
      return views.map { .mount(#"{"0":"","s":["<main>","</main>"]}"#, $0) } + diffs
    },
    BodyCase("items of a stream that are all replaced") {
      [.mount(emptyStream)] + (0..<3).map { .diff(items(81_000, part: $0, resets: true)) }
    },
    BodyCase("items of a stream that stay") {
      [.mount(emptyStream)] + (0..<4).map { .diff(items(60_000, part: $0, resets: false)) }
    },
  ]

  private static let emptyStream =
    #"{"0":{"s":["<p id=\"","\">x</p>"],"d":[],"stream":["s",[],[],false]},"s":["<div id=s phx-update=stream>","</div>"]}"#

  /// Inserts items into a stream; the ids of each part differ.
  private static func items(_ count: Int, part: Int, resets: Bool) -> String {
    let entries = joined(0..<count) { "[\"s-\(part)-\($0)\"]," }
    let inserts = joined(0..<count) { "[\"s-\(part)-\($0)\",-1,null]," }
    return
      #"{"0":{"s":["<p id=\"","\">x</p>"],"d":[\#(entries)["z"]],"stream":["s",[\#(inserts)["z",-1,null]],[],\#(resets)]}}"#
  }

  /// One body after another.
  private static let many: [BodyCase] = [
    BodyCase("views of many elements") {
      (0..<6).map { .mount(#"{"s":["\#(repeated("<p>x</p>", nodes / 2 - 1))"]}"#, "m\($0)") }
    },
    BodyCase("views of a large text") { (0..<8).map { .mount(page(repeated("x", (8 << 20) - 40)), "m\($0)") } },
    BodyCase("a large text that changes") {
      [.mount(page("x"))] + (0..<8).map { .diff(#"{"0":"\#($0)\#(repeated("x", (8 << 20) - 40))"}"#) }
    },
    BodyCase("mounts of one view") {
      (0..<6).map { _ in .mount(#"{"s":["\#(repeated("<p>x</p>", nodes / 2 - 1))"]}"#) }
    },
  ]
}
