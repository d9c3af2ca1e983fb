/// The tag names that the rules of tree construction mention, as integers on which an insertion
/// mode can switch.
///
/// The tokenizer resolves each name once. Any other name is ``other``; such tags are compared by
/// name.
enum KnownTag: UInt8, CaseIterable, Sendable {
  case other
  case a, address, annotationXML, applet, area, article, aside, b, base, basefont, bgsound, big, blockquote, body, br
  case button, caption, center, code, col, colgroup, dd, desc, details, dialog, dir, div, dl, dt, em, embed, fieldset
  case figcaption, figure, font, footer, foreignObject, form, frame, frameset, h1, h2, h3, h4, h5, h6, head, header
  case hgroup, hr, html, i, iframe, image, img, input, keygen, li, link, listing, main, malignmark, marquee, math
  case menu, meta, mglyph, mi, mn, mo, ms, mtext, nav, nobr, noembed, noframes, noscript, object, ol, optgroup, option
  case p, param, plaintext, pre, rb, rp, rt, rtc, ruby, s, script, search, section, select, selectedcontent, small
  case source, span, strike, strong, style, sub, summary, sup, svg, table, tbody, td, template, textarea, tfoot, th
  case thead, title, tr, track, tt, u, ul, `var`, wbr, xmp

  /// The name in lower case, as the tokenizer returns it in `html`.
  var name: String { KnownTagTable.shared.names[Int(rawValue)] }

  var key: KnownTagTable.Key { KnownTagTable.shared.keys[Int(rawValue)] }
}

/// Finds a ``KnownTag`` by the bytes of its name, in a small hash table with open addressing.
/// ``Tokenizer``, ``TemplateReader`` and ``MarkupOutput`` use the shared table.
struct KnownTagTable: Sendable {
  /// A name as two words. Names of up to sixteen bytes are stored exactly; no known tag is longer.
  /// The bytes after the sixteenth are hashed into the words with a random secret, so that hostile
  /// markup cannot choose two names with the same key.
  struct Key: Equatable, Sendable {
    /// Odd, so that a multiplication by it loses no information.
    private static let secret = UInt64.random(in: 1...UInt64.max) | 1

    var low: UInt64 = 0
    var high: UInt64 = 0

    init() {}

    init(_ name: some Sequence<UInt8>) {
      for (index, byte) in name.enumerated() { set(byte, at: index) }
    }

    @inline(__always) mutating func set(_ byte: UInt8, at index: Int) {
      if index < 8 {
        low |= UInt64(byte) &<< UInt64(index &* 8)
      } else if index < 16 {
        high |= UInt64(byte) &<< UInt64((index &- 8) &* 8)
      } else {
        low = (low ^ UInt64(byte) ^ (high &>> 29)) &* Self.secret
        high = (high ^ (low &>> 31)) &* Self.secret
      }
    }

    /// The first slot to try: the ten highest bits of a hash, because the table has 1,024 slots.
    @inline(__always) var slot: Int {
      Int(truncatingIfNeeded: ((low ^ (high &* 0xBF58_476D_1CE4_E5B9)) &* 0x9E37_79B9_7F4A_7C15) &>> 54)
    }
  }

  static let shared = KnownTagTable()

  let names: [String]
  let keys: [Key]
  private let slots: [KnownTag]

  private init() {
    var names: [String] = []
    var keys: [Key] = []
    var slots = [KnownTag](repeating: .other, count: 1024)
    for tag in KnownTag.allCases {
      let name = tag == .annotationXML ? "annotation-xml" : "\(tag)".lowercased()
      names.append(name)
      let key = Key(name.utf8)
      keys.append(key)
      if tag == .other { continue }
      var slot = key.slot
      while slots[slot] != .other { slot = (slot + 1) & 1023 }
      slots[slot] = tag
    }
    self.names = names
    self.keys = keys
    self.slots = slots
  }

  /// The tag with a key; ``other`` for an unknown key. The search for an unknown key ends at a free
  /// slot, which always exists because there are fewer tags than slots.
  @inline(__always) func tag(_ key: Key) -> KnownTag {
    var slot = key.slot
    while slots[slot] != .other {
      if keys[Int(slots[slot].rawValue)] == key { return slots[slot] }
      slot = (slot &+ 1) & 1023
    }
    return .other
  }

  /// - Parameter name: in lower case.
  func tag(named name: some Collection<UInt8>) -> KnownTag { name.count <= 16 ? tag(Key(name)) : .other }
}
