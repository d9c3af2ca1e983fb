import Foundation
@testable import LiveViewMirror
import MicroHTTP
import MirrorSupport
import TestSupport
import Testing

/// The journal keeps what the mirror keeps, and memory holds what is used.
@Suite struct RetentionTests {
  private static let counter = #"{"0":"0","s":["<p>Count: ","</p>"]}"#

  @Test(arguments: StoreKind.allCases)
  func `evicted entries leave the store, and the rest is the same after a restart`(kind: StoreKind) throws {
    let place = try JournalPlace(kind)
    let limits = MirrorLimits(versions: 200)
    let store = try place.open()
    let mirror = try JournaledMirror(store, limits: limits)
    try mirror.post("/views/counter/rendered", Self.counter)
    for count in 1...1_500 {
      #expect(try mirror.post("/views/counter/diffs", #"{"0":"\#(count)"}"#) == 200)
      if count.isMultiple(of: 300) { try mirror.post("/views/counter/diffs", #"{"7":"x"}"#) }
    }
    let before = try mirror.everything()
    let kept = try #require(try store.view("counter"))
    #expect(kept.entries.count < 500)
    #expect(kept.snapshot != nil)
    mirror.stop()
    let next = try JournaledMirror(place.open(), limits: limits)
    let change = difference(before, try next.everything())
    #expect(change == nil)
    #expect(try next.post("/views/counter/diffs", #"{"0":"x"}"#) == 200)
    next.stop()
  }

  @Test(arguments: StoreKind.allCases)
  func `ended epochs are readable after a restart, and leave the store when they are dropped`(kind: StoreKind) throws {
    let place = try JournalPlace(kind)
    let store = try place.open()
    let mirror = try JournaledMirror(store)
    for epoch in 1...12 {
      try mirror.post("/views/counter/rendered", Self.counter)
      for count in 1...5 { try mirror.post("/views/counter/diffs", #"{"0":"\#(epoch).\#(count)"}"#) }
    }
    let before = try mirror.everything()
    // Eight ended epochs are kept beside the current one.
    #expect(try #require(try store.view("counter")).entries.count == 9 * 6)
    mirror.stop()
    let next = try JournaledMirror(place.open())
    let change = difference(before, try next.everything())
    #expect(change == nil)
    next.stop()
  }

  @Test func `a view that is not used is unloaded, listed, and loaded when it is read`() throws {
    let mirror = try JournaledMirror(MemoryStore())
    defer { mirror.stop() }
    for view in ["a", "b", "c"] {
      try mirror.post("/views/\(view)/rendered", Self.counter)
      try mirror.post("/views/\(view)/diffs", #"{"0":"1"}"#)
    }
    let before = try mirror.everything()
    #expect(try mirror.post("/views/b/subscriptions", #"{"node":2}"#) == 201)
    #expect(mirror.views.unloadIdle(for: .seconds(60)) == 0)
    // The view with a subscription stays.
    #expect(mirror.views.unloadIdle(for: .zero) == 2)
    #expect(mirror.views.loadedViews == ["b"])
    #expect(mirror.views.usage.views == 3)
    let list = try mirror.text("/views").components(separatedBy: #","limits":"#)[0]
    #expect(list.contains(#""view":"a""#) && list.contains(#""view":"c""#))
    #expect(mirror.views.loadedViews == ["b"])
    #expect(try mirror.post("/views/a/diffs", #"{"0":"2"}"#) == 200)
    #expect(mirror.views.loadedViews == ["a", "b"])
    #expect(try mirror.text("/views/c/tree") == before["/views/c/tree"])
  }

  /// Counted twice, eight views that are loaded at once would evict nearly all entries of each
  /// other.
  @Test func `a view that is being loaded counts its log once`() throws {
    let mirror = try JournaledMirror(MemoryStore())
    defer { mirror.stop() }
    for view in ["a", "b"] {
      try mirror.post("/views/\(view)/rendered", Self.counter)
      for count in 0..<20 { try mirror.post("/views/\(view)/diffs", #"{"0":"\#(count)"}"#) }
    }
    let bytes = mirror.views.logBudget.bytes
    #expect(mirror.views.unloadIdle(for: .zero) == 2)
    #expect(mirror.views.logBudget.bytes == bytes)
    let loading = Guarded(0)
    mirror.views.whenReloaded { [views = mirror.views] _ in loading.withLock { $0 = views.logBudget.bytes } }
    _ = try mirror.text("/views/a/tree")
    #expect(loading.current == bytes)
    #expect(mirror.views.logBudget.bytes == bytes)
  }

  @Test(arguments: StoreKind.allCases)
  func `a removed view does not come back, and its epochs are not used again`(kind: StoreKind) throws {
    let place = try JournalPlace(kind)
    let mirror = try JournaledMirror(place.open())
    for _ in 1...3 { try mirror.post("/views/counter/rendered", Self.counter) }
    try mirror.post("/views/other/rendered", Self.counter)
    mirror.views.unloadIdle(for: .zero)
    for view in ["counter", "other"] { #expect(try mirror.send(.delete, "/views/\(view)", []).status.code == 204) }
    mirror.stop()
    let next = try JournaledMirror(place.open())
    #expect(try next.send(.get, "/views/counter", []).status.code == 404)
    #expect(next.views.all.isEmpty)
    #expect(try next.post("/views/counter/rendered", Self.counter) == 201)
    #expect(next.views["counter"]?.view?.epoch == 4)
    #expect(try next.post("/views/other/rendered", Self.counter) == 201)
    #expect(next.views["other"]?.view?.epoch == 2)
    next.stop()
  }

  @Test(arguments: StoreKind.allCases.filter { $0 != .memory })
  func `the rows of views that were removed long ago leave the store`(kind: StoreKind) throws {
    let place = try JournalPlace(kind)
    let store = try place.open()
    let mirror = try JournaledMirror(store)
    defer { mirror.stop() }
    for view in ["a", "b", "c"] {
      try mirror.post("/views/\(view)/rendered", Self.counter)
      #expect(try mirror.send(.delete, "/views/\(view)", []).status.code == 204)
    }
    #expect(try mirror.post("/views/b/rendered", Self.counter) == 201)
    #expect(try store.views().count == 3)
    try place.removeEarlier(by: JournalGroup.daysOfRemovedViews + 1)
    // The next removal deletes them, but not a view that was mounted again.
    #expect(try mirror.post("/views/d/rendered", Self.counter) == 201)
    #expect(try mirror.send(.delete, "/views/d", []).status.code == 204)
    #expect(try store.views().map(\.id).sorted() == ["b", "d"])
    // The mirror still knows the epochs.
    #expect(try mirror.post("/views/a/rendered", Self.counter) == 201)
    #expect(try mirror.text("/views/a").contains(#""epoch":2"#))
    #expect(try mirror.text("/views/b").contains(#""epoch":2"#))
  }

  @Test func `joins of topics without a view are forgotten, the oldest first`() throws {
    let store = MemoryStore()
    let mirror = try JournaledMirror(store)
    defer { mirror.stop() }
    let joins = (0..<10_200).map { #"["1","1","lv:\#($0)","phx_join",{}]"# }
    #expect(try mirror.post("/frames", joins.joined(separator: "\n")) == 200)
    let kept = try store.pages().map(\.id).filter { $0.hasPrefix("join:") }
    #expect(kept.count == 10_000)
    #expect(!kept.contains("join:lv:199") && kept.contains("join:lv:200"))
  }

  @Test func `an import does not replace a view that is not loaded`() throws {
    let mirror = try JournaledMirror(MemoryStore())
    defer { mirror.stop() }
    try mirror.post("/views/main/rendered", Self.counter)
    let export = try mirror.text("/views/main/export")
    mirror.views.unloadIdle(for: .zero)
    #expect(mirror.views.pageMemory(of: "main") > 0)
    #expect(try mirror.post("/views", export) == 201)
    #expect(try mirror.text("/views/main").contains(#""epoch":1"#))
    #expect(mirror.views.all.count == 2)
  }

  @Test func `the number of views counts those that are not loaded`() throws {
    let mirror = try JournaledMirror(MemoryStore(), limits: MirrorLimits(views: 3))
    defer { mirror.stop() }
    for view in ["a", "b", "c"] {
      try mirror.post("/views/\(view)/rendered", Self.counter)
      Thread.sleep(forTimeInterval: 0.005)
    }
    mirror.views.unloadIdle(for: .zero)
    try mirror.post("/views/d/rendered", Self.counter)
    #expect(Set(mirror.views.all.map(\.id)) == ["b", "c", "d"])
  }

  @Test func `pages that take too much memory are unloaded and not removed`() throws {
    let mirror = try JournaledMirror(MemoryStore(), limits: MirrorLimits(pageBytes: 200_000))
    defer { mirror.stop() }
    let items = (0..<500).map { "<li>\($0)</li>" }.joined()
    for view in 1...6 { try mirror.post("/views/v\(view)/rendered", #"{"s":["<ul>\#(items)</ul>"]}"#) }
    #expect(mirror.views.all.count == 6)
    for _ in 0..<6_000 where mirror.views.loadedViews.count == 6 { usleep(10_000) }
    #expect(mirror.views.loadedViews.count < 6)
    #expect(mirror.views.usage.evictedViews == 0)
  }

  @Test func `views that are only read are unloaded as well`() throws {
    let mirror = try JournaledMirror(MemoryStore(), limits: MirrorLimits(pageBytes: 200_000))
    defer { mirror.stop() }
    let items = (0..<500).map { "<li>\($0)</li>" }.joined()
    for view in 1...30 { try mirror.post("/views/v\(view)/rendered", #"{"s":["<ul>\#(items)</ul>"]}"#) }
    for view in 1...30 { #expect(try mirror.text("/views/v\(view)/log").contains(#""version":0"#)) }
    for _ in 0..<6_000 where mirror.views.loadedViews.count > 3 { usleep(10_000) }
    #expect(mirror.views.loadedViews.count <= 3)
    #expect(!mirror.views.readsJournal(beforeUpdating: "v30") && mirror.views.readsJournal(beforeUpdating: "v1"))
  }

  @Test func `views with subscriptions and event streams are unloaded as well, and their clients go on`() throws {
    let mirror = try JournaledMirror(MemoryStore(), limits: MirrorLimits(pageBytes: 200_000))
    defer { mirror.stop() }
    let items = (0..<500).map { "<li>\($0)</li>" }.joined()
    var readers: [StreamReader] = []
    for view in 1...6 {
      try mirror.post("/views/v\(view)/rendered", #"{"0":"","s":["<p>","</p><ul>\#(items)</ul>"]}"#)
      #expect(try mirror.post("/views/v\(view)/subscriptions", #"{"node":2}"#) == 201)
      readers.append(try mirror.events("/views/v\(view)/events"))
    }
    for _ in 0..<6_000 where mirror.views.loadedViews.count > 2 { usleep(10_000) }
    #expect(mirror.views.loadedViews.count <= 2)
    #expect(mirror.views.usage.evictedViews == 0)
    for (index, reader) in readers.enumerated() {
      let view = "/views/v\(index + 1)"
      #expect(try mirror.post("\(view)/diffs", #"{"0":"x"}"#) == 200)
      #expect(reader.ids(until: "1.1").last == "1.1")
      let subscriptions = try mirror.text("\(view)/subscriptions")
      #expect(subscriptions.contains(#""notified":1"#), "\(subscriptions)")
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `the index lists evicted views after a restart, with their times`(kind: StoreKind) throws {
    let place = try JournalPlace(kind)
    let mirror = try JournaledMirror(place.open(), limits: MirrorLimits(views: 1))
    for view in ["b", "a", "new"] {
      #expect(try mirror.post("/views/\(view)/rendered", Self.counter) == 201)
      Thread.sleep(forTimeInterval: 1.1)
    }
    let last = try #require(mirror.views.evicted(last: 1).first)
    mirror.stop()
    let next = try JournaledMirror(place.open(), limits: MirrorLimits(views: 1))
    defer { next.stop() }
    let evicted = next.views.evicted(last: 2)
    #expect(Set(evicted.map(\.view)) == ["a", "b"])
    // The store in memory keeps no times. SQLite has whole seconds.
    if kind != .memory { #expect(evicted[0].view == "a" && abs(evicted[0].time - last.time) <= 1_000) }
    let index = try next.send(.get, "/", [], headers: ["Accept": "text/html"])
    #expect(String(decoding: index.bytes, as: UTF8.self).contains("<code>a</code>"))
  }

  /// Removes a view while another thread reads it from the store.
  @Test func `a view that is removed while it is loaded stays removed`() throws {
    let store = SlowStore(MemoryStore())
    let mirror = try JournaledMirror(store)
    defer { mirror.stop() }
    try mirror.post("/views/a/rendered", Self.counter)
    #expect(mirror.views.unloadIdle(for: .zero) == 1)
    store.whenReading { _ = mirror.views.remove("a") }
    #expect(mirror.views["a"] == nil)
    #expect(mirror.views.all.isEmpty)
    #expect(try mirror.post("/views/a/rendered", Self.counter) == 201)
    #expect(mirror.views["a"]?.view?.epoch == 2)
  }
}
