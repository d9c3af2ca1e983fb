/// One load of a page in one browser tab: an id that its feed has chosen, and the LiveViews of the
/// page.
///
/// Topics do not tell tabs apart: `live_render(id: "kid")` has the topic `lv:kid` in every tab. So
/// a view that is fed with a page has the id `TOPIC~PAGE`.
///
/// ``PageTable`` has the pages, and a row of the journal stores each. A frame counts as
/// ``received`` when the mirror begins to process the request that contains the frame, and as
/// ``kept`` when the journal has the frame's effects. ``kept`` is never higher than ``received``.
package struct PageLoad: Sendable {
  package let id: String
  /// The number of pages that were opened before.
  let ordinal: Int
  /// The address that the page shows now; `nil` if it is not known.
  package var url: String?
  package var title: String?
  /// The browser or program that shows the page.
  package var userAgent: String?
  /// The version of LiveView's client in the page; `nil` if the feed does not state it.
  package var client: String?
  /// Whether the feed has announced that it can send events to the LiveViews.
  package var hasCarrier = false
  /// Milliseconds since 1970.
  package let openedAt: Int64
  /// Milliseconds since 1970; `nil` while the page is open.
  package var closedAt: Int64?
  /// The frames that the feed could not deliver, in total.
  package var lost = Lost()
  /// The ids of the views, in the order of their first frames.
  package var views: [String] = []
  /// The number of frames that were received or are lost, if the feed counts them.
  var received = 0
  /// The number of ``received`` frames whose effects the journal has.
  var kept = 0
  /// The last address that the feed has stated. A feed may state one address many times, so ``url``
  /// may be newer, because a later frame has set it.
  var statedURL: String?

  init(id: String, ordinal: Int, at time: Int64) {
    self.id = id
    self.ordinal = ordinal
    openedAt = time
  }

  /// Frames that a feed has dropped because the mirror could not be reached.
  package struct Lost: Sendable, Hashable {
    package var frames = 0
    package var bytes = 0

    package init(frames: Int = 0, bytes: Int = 0) {
      self.frames = frames
      self.bytes = bytes
    }
  }

  /// The properties of a page that its feed announces by `POST /pages/{page}`. A property that is
  /// `nil` changes nothing.
  package struct Announcement: Sendable {
    package var url: String?
    package var title: String?
    package var userAgent: String?
    package var client: String?
    package var hasCarrier: Bool?
    /// Frames that were dropped since the last announcement.
    package var lost: Lost?

    package init(
      url: String? = nil, title: String? = nil, userAgent: String? = nil, client: String? = nil,
      hasCarrier: Bool? = nil, lost: Lost? = nil
    ) {
      self.url = url
      self.title = title
      self.userAgent = userAgent
      self.client = client
      self.hasCarrier = hasCarrier
      self.lost = lost
    }
  }

  /// Takes over the properties that a feed has announced.
  mutating func note(_ announcement: Announcement) {
    if let url = announcement.url { state(url) }
    title = announcement.title ?? title
    userAgent = announcement.userAgent ?? userAgent
    client = announcement.client ?? client
    hasCarrier = announcement.hasCarrier ?? hasCarrier
    if let more = announcement.lost {
      // The sums stop at the largest integer.
      lost.frames += min(more.frames, .max - lost.frames)
      lost.bytes += min(more.bytes, .max - lost.bytes)
    }
  }

  /// Counts the arrival of frames that a feed has numbered. A feed sends an input again if it got
  /// no response, so the frames may have been received before.
  ///
  /// - Returns: the number of frames to skip at the beginning, and the number of frames that are
  ///   missing before them.
  mutating func receive(_ count: Int, first: Int) -> (known: Int, missing: Int) {
    let (known, missing) = (min(count, max(0, received - first)), max(0, first - received))
    // A feed may state any number, so the sum stops at the largest integer.
    received = max(received, first + min(count, .max - first))
    return (known, missing)
  }

  /// Sets ``url`` to an address that the feed states, unless the last stated address was the same.
  mutating func state(_ url: String) {
    if url != statedURL { (self.url, statedURL) = (url, url) }
  }
}

/// The page load whose frames an input contains, as the parameters of `POST /frames` state it.
package struct PageFeedParameters: Sendable {
  /// The id of the page. See ``LiveViews/isValid(page:)``.
  package var id: String
  /// The address of the page; `nil` if the feed does not state it.
  package var url: String?
  /// The number of frames of the page that the feed has sent, or given up, before this input; `nil`
  /// if the feed does not count.
  package var first: Int?
  /// When the page was opened, in milliseconds since 1970; `nil` for now.
  package var openedAt: Int64?

  /// The number of frames of the page up to the frame at `position` (from 1) of this input; `nil`
  /// if the feed does not count frames. A feed may state any number, so the sum stops at the
  /// largest integer.
  func count(through position: Int) -> Int? { first.map { $0 + min(position, .max - $0) } }

  package init(id: String, url: String? = nil, first: Int? = nil, openedAt: Int64? = nil) {
    self.id = id
    self.url = url
    self.first = first
    self.openedAt = openedAt
  }
}
