/*
 * The tap sends the frames of the page's LiveViews to the mirror; see docs/capture.md. It replaces window.WebSocket by a
 * subclass or, if the LiveSocket does not use it (long poll, a late tap), wraps encode and decode of window.liveSocket.
 */
(() => {
  const script = document.currentScript
  if (!script || window.liveViewMirrorTap) return
  const mirror = new URL("..", script.src).href
  const page = Date.now().toString(36) + Math.random().toString(36).slice(2, 10)
  const say = (kind, text) => console[kind]("[liveview-mirror] " + text)
  const sleep = ms => new Promise(done => setTimeout(done, ms))

  // Only a token needs a preflight: the content type is text/plain.
  const call = (path, body, options) => fetch(mirror + path, {
    method: body == null ? "GET" : "POST", body, credentials: "omit",
    headers: script.dataset.token ? { Authorization: "Bearer " + script.dataset.token } : {}, ...options
  })
  const announce = (what, options) => call("pages/" + page, JSON.stringify(what), options)
  // Percent-encoded. The mirror limits heads to 16 KiB, and texts to 8,192 characters.
  const address = () => encodeURIComponent(location.href).slice(0, 8192).replace(/%.?$/, "")
  const about = () => ({
    url: decodeURIComponent(address()), title: [...document.title].slice(0, 4096).join(""), user_agent: navigator.userAgent, carrier: !!socket()
  })

  // Lines that the mirror has not confirmed. The first one has the number `first`.
  const lines = [], mostCharacters = 8e6
  let first = 0, characters = 0, batchBytes = 1e6, isSending = false, isKnown = false, hasEnded = false
  const lost = { frames: 0, bytes: 0 }

  // A frame of a LiveView's channel: [join_ref, ref, "lv:…
  const isLive = /^\s*\[\s*(?:null|"[^"]*"|\d+)\s*,\s*(?:null|"[^"]*"|\d+)\s*,\s*"lv:/

  const note = (frame, sent) => {
    if (typeof frame != "string" || !isLive.test(frame)) return
    const line = `{"at":${performance.timeOrigin + performance.now()},"sent":${sent},"frame":${frame}}`
    lines.push(line)
    characters += line.length
    while (characters > mostCharacters && lines.length > 1) drop(1, true)
    start()
  }

  const start = () => {
    if (isSending || !lines.length) return
    isSending = true
    setTimeout(send)
  }

  const size = line => new TextEncoder().encode(line).length + 1

  const drop = (count, isLost) => {
    for (const line of lines.splice(0, count)) {
      characters -= line.length
      if (isLost) lost.frames++, lost.bytes += size(line)
    }
    first += count
  }

  const reportLost = (what, options) => {
    const { frames, bytes } = lost
    return announce({ lost, ...what }, options).then(() => {
      lost.frames -= frames
      lost.bytes -= bytes
    }, () => {})
  }

  // The next lines as a body of at most `most` bytes, but at least `least` lines; and their number.
  const batch = (most, least = 1) => {
    let count = 0
    for (let bytes = 0; count < lines.length; count++) {
      bytes += size(lines[count])
      if (bytes > most && count >= least) break
    }
    return [lines.slice(0, count).join("\n"), count]
  }

  const frames = (body, options) => call(`frames?page=${page}&first=${first}&url=${address()}`, body, options)
  const problem = async response => `responds with ${response.status}: ${(await response.json().catch(() => "")).detail}`

  // The mirror recognises repeated lines by `first`. A batch that fails may be too long.
  const send = async () => {
    for (let failures = 0; lines.length && !hasEnded;) {
      const [body, count] = batch(batchBytes / 2 ** failures), from = first
      let reason = "cannot be reached"
      try {
        const response = await frames(body), { ok, status } = response, isTooLong = status == 413
        if (isTooLong && count > 1) {
          batchBytes /= 2
          continue
        }
        if (ok || [400, 413, 422].includes(status)) {
          const report = ok ? await response.json() : { missing_frames: count }
          // Lines may have been dropped meanwhile.
          drop(Math.max(0, count - (first - from)), isTooLong)
          if (ok) confirmed()
          else say("warn", mirror + " " + await problem(response))
          if (lost.frames) await reportLost()
          // A join may repeat it.
          if (isTooLong) pause = 6e5
          if (report.missing_frames || report.rejected?.some(it => it.problem.status == 404))
            rejoin(ok && report.missing_frames)
          failures = 0
          continue
        }
        reason = await problem(response)
      } catch {}
      complain(reason)
      await sleep(Math.min(250 * 2 ** failures++, 5000) * (0.5 + Math.random()))
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
      `name its token in data-token of the script. Allow ${mirror} in script-src and connect-src of the ` +
      `Content-Security-Policy, and access to the local network.`)
  }

  // MARK: Listening

  const Native = window.WebSocket
  const Tapped = class WebSocket extends Native {
    constructor() {
      super(...arguments)
      // A test's stub may not be an event target.
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
    if (socket_.conn && !isTapped(socket_) && socket_.channels.some(it => it.topic.startsWith("lv:"))) rejoin()
  }
  const looking = setInterval(wrap, 250)
  setTimeout(() => clearInterval(looking), 15000)
  addEventListener("DOMContentLoaded", wrap)
  addEventListener("load", wrap)

  // Gives full pages, also if the first joins were missed.
  let rejoined = 0, pause = 2500, planned
  const rejoin = isSure => {
    const time = Date.now() - rejoined
    if (time < pause) {
      // Rejected frames may be older than the last join. A restarted mirror does not know that.
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
    // The client follows links itself.
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

  // Browsers open at most six connections to a server, so at most three tabs listen.
  const listen = async signal => {
    const locks = navigator.locks
    if (!locks) return read(signal)
    for (const slot of [1, 2, 3]) {
      const isMine = await locks.request("liveview-mirror-" + slot, { ifAvailable: true },
        lock => lock && read(signal).then(() => 1))
      if (isMine) return
    }
    locks.request("liveview-mirror-" + (1 + Date.now() % 3), () => read(signal))
  }

  const read = async signal => {
    while (!signal.aborted) {
      try {
        const { body, ok, status } = await call(`pages/${page}/pushes`, null, { signal })
        // The mirror was restarted.
        if (status == 404) {
          await announce(about())
          pause = 2500
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

  const greet = () => announce(about()).then(
    async response => response.ok ? confirmed() : complain(await problem(response)), () => complain("cannot be reached"))
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
    // Requests that outlive their page have at most 64 KiB together.
    const [body, count] = batch(64e3, 0)
    if (count) frames(body, { keepalive: true }).catch(() => {})
    drop(count)
    drop(lines.length, true)
    reportLost({ closed: true }, { keepalive: true })
  })
})()
