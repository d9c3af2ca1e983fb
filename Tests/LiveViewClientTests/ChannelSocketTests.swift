import Testing

@testable import LiveViewClient

@Suite struct ChannelSocketTests {
  /// A socket without random delays, with one channel, and what it has sent.
  private struct Fixture {
    var socket = ChannelSocket(numbering: .plain, jitter: { 0 })
    var channel = 0
    var sent: [String] = []
    var timers: [ChannelSocket.Timer: Duration] = [:]
    var notices: [String] = []

    init() {
      channel = socket.add(topic: "lv:a")
      socket.join(channel)
      socket.connect()
      socket.didOpen()
      drain()
    }

    mutating func drain() {
      for effect in socket.takeEffects() {
        switch effect {
        case .connect: sent.append("connect")
        case .disconnect: sent.append("disconnect")
        case .sendJoin(_, let ref): sent.append("join \(ref)")
        case .send(let text): sent.append(text)
        case .start(let timer, let delay): timers[timer] = delay
        case .cancel(let timer): timers[timer] = nil
        case .notice(.disconnected(let reason, _)): notices.append("disconnected: \(reason)")
        case .notice(let notice): notices.append("\(notice)".prefix { $0 != "(" && $0 != ":" }.description)
        }
      }
    }

    mutating func receive(_ text: String) throws {
      socket.receive(try #require(ChannelMessage(Array(text.utf8))))
      drain()
    }

    mutating func fire(_ timer: ChannelSocket.Timer) {
      timers[timer] = nil
      socket.didFire(timer)
      drain()
    }

    mutating func push(_ token: Int = 1) {
      socket.push(.init(token: token, event: "event", payload: "{}", timeout: .seconds(30)), to: channel)
      drain()
    }

    mutating func joined() throws {
      try receive(#"["1","1","lv:a","phx_reply",{"status":"ok","response":{}}]"#)
    }
  }

  @Test func `heartbeats are sent every 30 seconds, and a missing answer closes the connection`() throws {
    var it = Fixture()
    try it.joined()
    #expect(it.timers[.heartbeat] == .seconds(30))
    it.fire(.heartbeat)
    #expect(it.sent.last == #"[null,"2","phoenix","heartbeat",{}]"#)
    #expect(it.timers == [.heartbeatTimeout: .seconds(30)])
    try it.receive(#"[null,"2","phoenix","phx_reply",{"status":"ok","response":{}}]"#)
    #expect(it.timers == [.heartbeat: .seconds(30)])
    it.fire(.heartbeat)
    it.fire(.heartbeatTimeout)
    #expect(it.sent.last == "disconnect")
    #expect(it.timers == [.reconnect: .milliseconds(10)])
    #expect(it.notices == ["joined", "errored", "disconnected: the server has not answered a heartbeat within 30 s"])
  }

  @Test func `the delays before connecting and joining again are those of phoenix.js`() throws {
    var it = Fixture()
    try it.joined()
    var delays: [Duration?] = []
    for _ in 0..<11 {
      it.socket.didClose(.lost)
      it.drain()
      delays.append(it.timers[.reconnect])
      it.fire(.reconnect)
    }
    #expect(delays == [10, 50, 100, 150, 200, 250, 500, 1_000, 2_000, 5_000, 5_000].map { .milliseconds($0) })
    it.socket.didOpen()
    it.drain()
    var joins: [Duration?] = []
    for _ in 0..<5 {
      let ref = try #require(it.socket[it.channel]?.joinRef)
      try it.receive("[\"\(ref)\",\"\(ref)\",\"lv:a\",\"phx_reply\",{\"status\":\"error\",\"response\":{}}]")
      joins.append(it.timers[.rejoin(channel: it.channel)])
      it.fire(.rejoin(channel: it.channel))
    }
    #expect(joins == [1, 2, 5, 10, 10].map { .seconds($0) })
    let jittered = Backoff.reconnect.delay(before: 9, jitter: 1)
    #expect(jittered == .milliseconds(7_500))
  }

  @Test func `connections before the first join, and after a message that is too long, have longer delays`() throws {
    var it = Fixture()
    it.socket.didClose(.refused(status: 503))
    it.drain()
    #expect(it.timers[.reconnect] == .seconds(1))
    it.fire(.reconnect)
    it.socket.didOpen()
    it.drain()
    let ref = try #require(it.socket[it.channel]?.joinRef)
    try it.receive("[\"\(ref)\",\"\(ref)\",\"lv:a\",\"phx_reply\",{\"status\":\"ok\",\"response\":{}}]")
    it.socket.didClose(.messageTooLong(limit: 10))
    it.drain()
    #expect(it.timers[.reconnect] == .seconds(5))
  }

  @Test func `a closure with code 1000 is final`() throws {
    var it = Fixture()
    it.socket.didClose(.closed(code: 1000))
    it.drain()
    #expect(it.timers[.reconnect] == nil)
  }

  @Test func `pushes wait for the join, and are numbered when they are sent`() throws {
    var it = Fixture()
    it.push()
    #expect(it.sent == ["join 1", "connect"])
    try it.joined()
    #expect(it.sent.last == #"["1","2","lv:a","event",{}]"#)
    try it.receive(#"["1","2","lv:a","phx_reply",{"status":"ok","response":{}}]"#)
    #expect(it.notices == ["joined", "replied"])
  }

  @Test func `frames of another join are dropped, and those without a join are current`() throws {
    var it = Fixture()
    try it.joined()
    try it.receive(#"["0",null,"lv:a","diff",{}]"#)
    try it.receive(#"["1",null,"lv:b","diff",{}]"#)
    #expect(it.notices == ["joined"])
    try it.receive(#"["1",null,"lv:a","diff",{}]"#)
    try it.receive(#"[null,null,"lv:a","diff",{}]"#)
    #expect(it.notices == ["joined", "message", "message"])
  }

  @Test func `a crash ends the wait for answers, and the channel joins again with another number`() throws {
    var it = Fixture()
    try it.joined()
    it.push()
    try it.receive(#"["1","1","lv:a","phx_error",{}]"#)
    #expect(it.notices == ["joined", "abandoned", "errored"])
    #expect(it.timers[.rejoin(channel: it.channel)] == .seconds(1))
    it.fire(.rejoin(channel: it.channel))
    #expect(it.sent.last == "join 3")
  }

  @Test func `a join without an answer is left and repeated`() throws {
    var it = Fixture()
    it.fire(.reply(channel: it.channel, ref: "1"))
    #expect(it.sent.last == #"["1","2","lv:a","phx_leave",{}]"#)
    #expect(it.notices == ["joinTimedOut"])
    #expect(it.timers[.rejoin(channel: it.channel)] == .seconds(1))
  }

  @Test func `a channel that is left closes with the answer, or at once if it was not joined`() throws {
    var it = Fixture()
    try it.joined()
    it.socket.leave(it.channel)
    it.drain()
    #expect(it.sent.last == #"["1","2","lv:a","phx_leave",{}]"#)
    #expect(it.notices == ["joined"])
    try it.receive(#"["1","2","lv:a","phx_reply",{"status":"ok","response":{}}]"#)
    #expect(it.notices == ["joined", "closed"])
    var other = Fixture()
    other.socket.leave(other.channel)
    other.drain()
    #expect(other.notices == ["closed"])
    #expect(other.socket.channels.isEmpty)
  }

  @Test func `numbers have the gaps of phoenix.js`() {
    var socket = ChannelSocket(numbering: .browser)
    let main = socket.add(topic: "lv:main")
    socket.join(main)
    socket.connect()
    let child = socket.add(topic: "lv:child")
    socket.join(child)
    #expect((socket[main]?.joinRef, socket[child]?.joinRef) == ("4", "10"))
  }
}
