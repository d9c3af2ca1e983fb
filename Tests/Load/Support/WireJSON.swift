// Inputs as JSON, built from parts.

func repeated(_ text: String, _ count: Int) -> String { String(repeating: text, count: count) }

func joined(_ numbers: Range<Int>, _ text: (Int) -> String) -> String {
  numbers.reduce(into: "") { $0 += text($1) }
}

func page(_ text: String) -> String { #"{"0":"\#(text)","s":["<p>","</p>"]}"# }

/// The member `k` of a keyed comprehension.
func keyed(_ rows: Range<Int>, count: Int? = nil, _ row: (Int) -> String) -> String {
  #""k":{\#(joined(rows) { #""\#($0)":\#(row($0)),"# })"kc":\#(count ?? rows.count)}"#
}

func list(_ rows: Int) -> String {
  #"{"0":{"s":["<li>","</li>"],\#(keyed(0..<rows) { #"{"0":"\#($0)"}"# })},"s":["<ul>","</ul>"]}"#
}
