/*
 * The tap: sends every frame of the page's LiveViews to the mirror. Put it into the head of the dev layout, before the app's own
 * script, without defer:
 *
 *     <script src="http://localhost:8080/assets/tap.js"></script>
 *
 * It listens to WebSockets by a subclass of window.WebSocket. Where the LiveSocket has no such socket (long poll, or a tap that was
 * loaded late), it wraps the encode and decode functions of window.liveSocket. It changes nothing else in the page.
 */
(() => {
  const script = document.currentScript
  if (!script || window.liveViewMirrorTap) return
  const mirror = new URL("..", script.src).href
  const page = Date.now().toString(36) + Math.random().toString(36).slice(2, 10)
  const say = (kind, text) => console[kind]("[liveview-mirror] " + text)
  const sleep = ms => new Promise(done => setTimeout(done, ms))

  // A request without a preflight: the content type is text/plain. Only a token needs one.
  const call = (path, body, options) => fetch(mirror + path, {
    method: body == null ? "GET" : "POST", body, credentials: "omit",
    headers: script.dataset.token ? { Authorization: "Bearer " + script.dataset.token } : {}, ...options
  })
  const announce = (what, options) => call("pages/" + page, JSON.stringify(what), options)
  const about = () => ({ url: location.href, title: document.title, user_agent: navigator.userAgent, carrier: !!socket() })

  // The queue: lines that the mirror has not confirmed. `first` is the number of the first one.
  const lines = [], mostBytes = 8e6, batchBytes = 1e6
  let first = 0, bytes = 0, lost = 0, lostBytes = 0, isSending = false, isKnown = false, hasEnded = false

  // A frame of a LiveView's channel: [join_ref, ref, "lv:…
  const isLive = /^\s*\[\s*(?:null|"[^"]*"|\d+)\s*,\s*(?:null|"[^"]*"|\d+)\s*,\s*"lv:/

  const note = (frame, sent) => {
    if (typeof frame != "string" || !isLive.test(frame)) return
    const line = `{"at":${performance.timeOrigin + performance.now()},"sent":${sent},"frame":${frame}}`
    lines.push(line)
    bytes += line.length
    while (bytes > mostBytes && lines.length > 1) {
      lost++
      lostBytes += lines[0].length
      drop(1)
    }
    start()
  }

  const start = () => {
    if (isSending || !lines.length) return
    isSending = true
    setTimeout(send)
  }

  const drop = count => {
    for (const line of lines.splice(0, count)) bytes -= line.length
    first += count
  }

  /** The next lines as a body, and their number. */
  const batch = most => {
    let count = 0, size = 0
    while (count < lines.length && (!count || size + lines[count].length < most)) size += lines[count++].length
    return [lines.slice(0, count).join("\n"), count]
  }

  const frames = (body, options) =>
    call(`frames?page=${page}&first=${first}&url=${encodeURIComponent(location.href)}`, body, options)

  // Sends the lines in order, one batch after the other. A batch is repeated until the mirror confirms it: `first` tells the
  // mirror which lines it knows.
  const send = async () => {
    for (let wait = 250; lines.length && !hasEnded;) {
      const [body, count] = batch(batchBytes), from = first
      let reason = "cannot be reached"
      try {
        const response = await frames(body)
        if (response.ok || [400, 413, 422].includes(response.status)) {
          const report = response.ok ? await response.json() : { missing_frames: count }
          // Lines may have been dropped from a full queue meanwhile.
          drop(Math.max(0, count - (first - from)))
          if (!response.ok) say("warn", `the mirror has refused ${count} frames: ${await response.text()}`)
          else confirmed()
          if (lost) {
            announce({ lost: { frames: lost, bytes: lostBytes } }).catch(() => {})
            lost = lostBytes = 0
          }
          if (report.missing_frames || (report.rejected || []).some(it => it.problem.status == 404))
            rejoin(response.ok && report.missing_frames)
          wait = 250
          continue
        }
        reason = `responds with ${response.status}: ${(await response.json().catch(() => ({}))).detail}`
      } catch {}
      complain(reason)
      await sleep(wait * (0.5 + Math.random()))
      wait = Math.min(wait * 2, 5000)
    }
    isSending = false
  }

  let hasComplained = false, listener
  const confirmed = () => {
    if (!isKnown) say("info", `this page is mirrored at ${mirror} (page ${page})`)
    isKnown = true
    if (!wrapped || listener || hasEnded) return
    listener = new AbortController()
    listen(listener.signal)
  }

  const complain = reason => {
    if (hasComplained) return
    hasComplained = true
    say("warn", `${mirror} ${reason}. Frames are kept and sent later. Start the mirror with --allow-origin ${location.origin}; ` +
      `if it needs a token, name it in data-token of the script element. If the console shows a violation of the ` +
      `Content-Security-Policy, add ${mirror} to script-src and connect-src. If the browser asks for access to the local ` +
      `network, allow it.`)
  }

  // MARK: Listening

  const Native = window.WebSocket
  const Tapped = class WebSocket extends Native {
    constructor() {
      super(...arguments)
      // A stub in a test may not be an event target.
      this.addEventListener?.("message", event => note(event.data, false))
    }
    send(data) {
      super.send(data)
      note(data, true)
    }
    // Subclasses inherit this.
    static [Symbol.hasInstance](object) {
      return Function.prototype[Symbol.hasInstance].call(this == Tapped ? Native : this, object)
    }
  }
  window.WebSocket = Tapped
  window.liveViewMirrorTap = { page, mirror }

  const socket = () => window.liveSocket?.getSocket?.()
  const isTapped = socket => socket.conn?.constructor == Tapped
  let wrapped

  const wrap = () => {
    const socket_ = socket()
    if (!socket_ || socket_ == wrapped) return
    wrapped = socket_
    const { encode, decode } = socket_
    socket_.decode = (raw, then) => {
      if (!isTapped(socket_)) note(raw, false)
      return decode.call(socket_, raw, then)
    }
    socket_.encode = (message, then) => encode.call(socket_, message, out => {
      if (!isTapped(socket_)) note(out, true)
      return then(out)
    })
    greet()
    // The joins were missed.
    if (socket_.conn && !isTapped(socket_) && socket_.channels.some(it => it.topic.startsWith("lv:"))) rejoin()
  }
  const looking = setInterval(wrap, 250)
  setTimeout(() => clearInterval(looking), 15000)
  addEventListener("DOMContentLoaded", wrap)
  addEventListener("load", wrap)

  // A join gives a full page again.
  let rejoined = 0, pause = 2500, planned
  const rejoin = isSure => {
    const time = Date.now() - rejoined
    if (time < pause) {
      // Rejected frames may be older than the last join. A mirror that was restarted does not know that join.
      if (isSure) {
        clearTimeout(planned)
        planned = setTimeout(rejoin, pause - time, true)
      }
      return
    }
    clearTimeout(planned)
    pause = time > 60000 ? 2500 : pause * 2
    rejoined = Date.now()
    if (!socket()) return say("warn", "the mirror has missed frames of this page; reload it, or set window.liveSocket")
    window.liveSocket.disconnect(() => window.liveSocket.connect())
  }

  // MARK: Acting

  const push = ({ topic, event, payload }) => {
    const { liveSocket } = window, element = document.getElementById(topic.slice(3))
    // The client follows links itself, with the page's address and history.
    const link = {
      live_patch: ["patch", { href: payload.url }],
      live_redirect: ["navigate", { href: payload.to, replace: payload.kind == "replace" }]
    }[event]
    if (link) return liveSocket.execJS(element || document.body, JSON.stringify([link]))
    const view = liveSocket.getViewByEl?.(element)
    // The view applies the answer to the page.
    if (view?.pushWithReply) view.pushWithReply(null, event, payload)?.catch?.(() => {})
    else socket()?.channels.find(it => it.topic == topic)?.push(event, payload)
  }

  // Browsers open at most six connections to a server, for all tabs together. So at most three tabs listen at a time.
  const listen = async signal => {
    const locks = navigator.locks
    if (!locks) return read(signal)
    for (const slot of [1, 2, 3]) {
      const isMine = await locks.request("liveview-mirror-" + slot, { ifAvailable: true }, lock => lock && read(signal).then(() => 1))
      if (isMine) return
    }
    locks.request("liveview-mirror-" + (1 + page.charCodeAt(9) % 3), () => read(signal))
  }

  const read = async signal => {
    while (!signal.aborted) {
      try {
        const { body, ok, status } = await call(`pages/${page}/pushes`, null, { signal })
        // A mirror that has been restarted does not know the page, nor its views.
        if (status == 404) {
          await announce(about())
          rejoin(true)
          continue
        }
        const reader = ok && body.pipeThrough(new TextDecoderStream()).getReader()
        for (let text = ""; reader;) {
          const { value, done } = await reader.read()
          if (done) break
          const events = (text + value).split("\n\n")
          text = events.pop()
          for (const event of events) {
            const data = /^event: push\ndata: (.*)$/.exec(event)
            if (data && socket()) push(JSON.parse(data[1]))
          }
        }
      } catch {}
      await sleep(2000)
    }
  }

  // MARK: The page

  const greet = () => announce(about()).then(response => response.ok && confirmed(), () => complain("cannot be reached"))
  addEventListener("load", greet)
  // A page in the browser's back/forward cache may return.
  addEventListener("pageshow", event => {
    if (!event.persisted) return
    hasEnded = false
    greet()
    start()
  })
  addEventListener("pagehide", () => {
    if (!isKnown) return
    hasEnded = true
    listener?.abort()
    listener = null
    // The body of a request that outlives its page is limited to 64 KiB.
    const [body] = batch(60000)
    if (body && body.length < 60000) frames(body, { keepalive: true }).catch(() => {})
    announce({ closed: true }, { keepalive: true }).catch(() => {})
  })
})()
