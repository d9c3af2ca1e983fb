/// The benchmark pages that have no table. ``BenchmarkPages`` makes them by name.
extension BenchmarkPage {
  /// One number on a small page.
  static func counter(_ name: String) -> BenchmarkPage {
    let statics = [
      #"<div class="container mx-auto p-4"><header class="navbar"><a class="brand" href="/">Counter</a></header>"#
        + #"<main class="content"><h1 class="title">Counter</h1><p class="count">It stands at <span id="count">"#,
      #"</span></p><div class="buttons"><button class="btn" phx-click="dec">-</button>"#
        + #"<button class="btn" phx-click="inc">+</button></div></main>"#
        + #"<footer class="footer"><p>Made with Phoenix</p></footer></div>"#,
    ]
    return BenchmarkPage(
      name, elements: 12, mount: .fragment(statics, ["0"]), diffs: ["1", "2", "0"].map { ["0": .text($0)] })
  }

  /// Ten sections of ten cards, which are nested function components. One value in each section
  /// changes.
  static func dashboard(_ name: String) -> BenchmarkPage {
    let trend = [#"<div class="trend "#, #""><span class="arrow">"#, #"</span><b class="delta">"#, "</b></div>"]
    let card = [
      #"<div class="card rounded shadow p-4""#,
      #"><div class="card-header"><span class="icon"><svg class="w-4"><g class="g"><path d="M4 6h16M4 12h16"></path></g>"#
        + #"</svg></span><h3 class="card-title">"#,
      #"</h3></div><div class="card-body"><div class="stat"><span class="stat-value">"#,
      #"</span><span class="stat-unit">"#, "</span></div>",
      #"<ul class="list"><li class="item"><span class="k">min</span></li><li class="item"><span class="k">max</span></li>"#
        + #"<li class="item"><span class="k">avg</span></li></ul></div></div>"#,
    ]
    let section = [#"<section class="grid grid-cols-5 gap-4"><h2 class="section-title">"#, "</h2>"]
    let between = Array(repeating: "", count: 9)
    var source = WordSource(seed: 7)
    let values = (0..<10).map { _ in (0..<10).map { _ in String(source.number(below: 10_000)) } }
    let sections = (0..<10).map { i -> Wire in
      let cards = (0..<10).map { j -> Wire in
        .fragment(
          card,
          [
            .text(#" id="card-\#(i)-\#(j)""#), .text("\(source.name()) \(source.word())"), .text(values[i][j]),
            .text(source.pick(["ms", "req/s", "MB", "%"])),
            .fragment(
              trend, [.text(source.pick(["up", "down"])), "^", .text("\(source.number(below: 100))%")], isRoot: true),
          ], isRoot: true)
      }
      return .fragment(section + between + ["</section>"], [.text("Section \(i)")] + cards, isRoot: true)
    }
    // Each diff changes one card of every section. The position of this card differs between the
    // sections, but not between the diffs.
    func diff(_ value: (_ section: Int, _ card: Int) -> String) -> Wire {
      .slots((0..<10).map { i in [String((i * 7 + 3) % 10 + 1): ["2": .text(value(i, (i * 7 + 3) % 10))]] })
    }
    return BenchmarkPage(
      name, elements: 1 + 10 * (2 + 10 * 21),
      mount: .fragment([#"<div class="dashboard" id="dashboard">"#] + between + ["</div>"], sections),
      diffs: [diff { i, _ in String(20_000 + i) }, diff { i, j in values[i][j] }])
  }

  /// Live components with a common template. One of them changes.
  static func components(_ name: String, count: Int) -> BenchmarkPage {
    let statics = [
      "<div", #" class="user-card"><h3 class="name">"#, #"</h3><p class="bio">"#,
      #"</p><div class="actions"><button class="btn" phx-click="follow" phx-target=""#,
      #"">Follow</button><span class="count">"#, "</span></div></div>",
    ]
    var source = WordSource(seed: 9)
    let followers = (1...count).map { _ in String(source.number(below: 1000)) }
    let components = (1...count).map { cid -> (String, Wire) in
      let slots: [Wire] = [
        .text(#" id="user-card-\#(cid)""#), .text("\(source.name()) \(source.name())"),
        .text((0..<8).map { _ in source.word() }.joined(separator: " ")), .text(String(cid)),
        .text(followers[cid - 1]),
      ]
      // The first component has the template, the others refer to it.
      let template: Wire = cid == 1 ? .statics(statics) : 1
      return (String(cid), .object(Wire.numbered(slots) + [("s", template), ("r", 1)]))
    }
    let list: Wire = [
      "s": .statics(["", ""]),
      "k": .object(Wire.numbered((1...count).map { ["0": .number($0)] }) + [("kc", .number(count))]),
    ]
    let frame: Wire = .statics([
      #"<div class="page" id="page"><h1 class="title">"#, #"</h1><div class="cards" id="cards">"#, "</div></div>",
    ])
    let cid = count / 2
    return BenchmarkPage(
      name, elements: 3 + 6 * count, mount: ["0": "People", "1": list, "c": .object(components), "s": frame],
      diffs: ["1001", followers[cid - 1]].map { ["c": [String(cid): ["4": .text($0)]]] })
  }

  /// Thousands of elements that no diff changes, and one text that every diff changes.
  static func staticHeavy(_ name: String) -> BenchmarkPage {
    var source = WordSource(seed: 11)
    func lists(_ range: Range<Int>) -> String {
      stride(from: range.lowerBound, to: range.upperBound, by: 25).map { first in
        let items = (first..<first + 25).map { number in
          #"<li class="nav-item px-2 py-1" data-index="\#(number)"><a class="link" href="/docs/\#(source.word())/"#
            + #"\#(number)">\#(source.name()) \#(source.word())</a></li>"#
        }
        return #"<ul class="nav">\#(items.joined())</ul>"#
      }.joined()
    }
    let statics = [
      #"<div class="docs" id="docs"><aside class="left">\#(lists(0..<1225))</aside><main class="body"><p class="now">"#,
      #"</p></main><aside class="right">\#(lists(1225..<2450))</aside></div>"#,
    ]
    return BenchmarkPage(
      name, elements: 5 + 2450 / 25 + 2 * 2450, mount: .fragment(statics, ["12:00:00"]),
      diffs: ["12:00:01", "12:00:00"].map { ["0": .text($0)] })
  }
}
