import ScriptedPhoenix

/// A page of an app with the tap, and with as much of LiveView's client as the tap reads: a view
/// with a text and a stream, whose tree forgets the items of the stream.
final class ResumedPage: Sendable {
  let server: PhoenixServer
  /// How often the page has joined its view.
  var joins: Int { server.opened.count }

  init(tap: String) throws {
    let page = """
      <!doctype html><html><head><title>App</title><script src="\(tap)"></script></head><body>
      <div id="phx-r" data-phx-session="s"><h1></h1><ul id="items" phx-update="stream"></ul></div>
      <script>
      const element = document.getElementById("phx-r"), list = document.getElementById("items")
      const view = { el: element, rendered: { get: () => view.tree }, isJoinPending: () => !view.tree, pendingDiffs: [] }
      const channel = { topic: "lv:phx-r", state: "joined", joinRef: () => "4", push() {} }
      const apply = ({ 0: text, 1: items }) => {
        if (text) element.querySelector("h1").textContent = view.tree[0] = text
        for (const entry of items?.d ?? [])
          list.insertAdjacentHTML("beforeend", `<li data-phx-stream="0" id="${entry[0]}" data-phx-id="m1-phx-r">${entry[1]}</li>`)
      }
      const socket = {
        transport: window.WebSocket, channels: [channel], encode() {}, decode() {},
        connect() {
          this.conn = new this.transport(location.origin.replace("http", "ws") + "/live/websocket?vsn=2.0.0")
          this.conn.onmessage = event => {
            const [, , , name, payload] = JSON.parse(event.data)
            if (name == "diff") return apply(payload)
            view.tree = payload.response.rendered
            list.replaceChildren()
            apply(view.tree)
            view.tree[1] = { s: view.tree[1].s, d: [] }
            view.tree.magicId = "m1-phx-r"
          }
        }
      }
      window.liveSocket = {
        version: () => "1.0.18", getSocket: () => socket, getViewByEl: it => it == element ? view : null,
        connect: () => socket.connect(), disconnect: then => { socket.conn.close(); then() }
      }
      socket.connect()
      window.more = () => socket.conn.send("more")
      window.shown = () => element.innerHTML.replace(/ data-phx-(stream|id)="[^"]*"/g, "")
      </script></body></html>
      """
    server = try PhoenixServer(page: page) { _ in StreamScript() }
  }
}

/// Sends a diff with a new text and a new item of the stream for each message of the page.
private final class StreamScript: SocketScript {
  private let output = Locked<SocketOutput?>(nil)
  private let sent = Locked(0)

  func opened(_ output: SocketOutput) {
    self.output.withLock { $0 = output }
    output.send(
      #"["4","4","lv:phx-r","phx_reply",{"status":"ok","response":{"rendered":{"0":"0","1":"#
        + #"{"s":["<li id=\"","\">","</li>"],"d":[["i0","0"]],"stream":["0",[["i0",-1,null,false]],[]]},"#
        + #""s":["<h1>","</h1><ul id=\"items\" phx-update=\"stream\">","</ul>"]}}}]"#)
  }

  func received(_ text: String) {
    guard text == "more" else { return }
    let n = sent.withLock {
      $0 += 1
      return $0
    }
    output.withLock { $0 }?.send(
      #"["4",null,"lv:phx-r","diff",{"0":"\#(n)","1":{"d":[["i\#(n)","\#(n)"]],"stream":["0",[["i\#(n)",-1,null,false]],[]]}}]"#
    )
  }
}
