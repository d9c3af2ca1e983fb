// @ts-check
/*
 * The tap sends the frames of the page's LiveViews to the mirror; see docs/recordings.md. It
 * replaces window.WebSocket by a subclass or, if the LiveSocket does not use it (long poll, a late
 * tap), wraps encode and decode of window.liveSocket. It then loads carrier.js, which sends the
 * mirror's events, and repairs what the mirror has missed. It names each outage in the console,
 * tries again after growing pauses, and says when the mirror is back.
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
    url: decodeURIComponent(address()), title: [...document.title].slice(0, 4096).join(""), user_agent: navigator.userAgent,
    client: client(), carrier: !!socket()
  })
  const client = () => window.liveSocket?.version?.()

  // Lines that the mirror has not confirmed. The first one has the number `first`.
  const lines = [], mostCharacters = 8e6, slice = 3e5
  let first = 0, characters = 0, batchBytes = 9e5, isSending = false, isKnown = false, hasEnded = false
  const lost = { frames: 0, bytes: 0 }

  // A frame of a LiveView's channel: [join_ref, ref, "lv:…
  const isLive = /^\s*\[\s*(?:null|"[^"]*"|\d+)\s*,\s*(?:null|"[^"]*"|\d+)\s*,\s*"lv:/

  const note = (frame, sent, members = "") => {
    if (typeof frame != "string" || !isLive.test(frame)) return
    const line = `{"at":${performance.timeOrigin + performance.now()},"sent":${sent}${members},"frame":${frame}}`
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

  // The next lines: at most `most` bytes, but at least `least` lines.
  const batch = (most, least, size) => {
    let count = 0
    for (let bytes = 0; count < lines.length; count++) {
      bytes += size(lines[count])
      if (bytes > most && count >= least) break
    }
    return { text: lines.slice(0, count).join("\n"), count }
  }

  // The exact size would take longer than posting.
  const mostBytes = line => line.length * 3 + 1

  // A long line in UTF-8. Several tasks encode it, so that the page can work between them.
  const encoded = async text => {
    const parts = []
    for (let start = 0, end; start < text.length; start = end) {
      end = start + slice
      // Surrogate pairs are not split.
      if (text.codePointAt(end - 1) > 65535) end++
      // A task that, unlike a timer, is not delayed in hidden tabs.
      parts.push(await new Blob([text.slice(start, end)]).arrayBuffer())
    }
    return new Blob(parts)
  }

  // `from`: the number of the first line.
  const frames = (from, body, options) =>
    call(`frames?page=${page}&first=${from}&url=${address()}${client() ? "&client=" + encodeURIComponent(client()) : ""}`, body, options)
  const problem = async response => `responds with ${response.status}: ${(await response.json().catch(() => "")).detail}`

  // The mirror recognises repeated lines by `first`. A batch that fails may be too long.
  const send = async () => {
    for (let failures = 0; lines.length && !hasEnded;) {
      const { text, count } = batch(batchBytes / 2 ** failures, 1, mostBytes), from = first
      let reason = "cannot be reached"
      try {
        const body = text.length > slice ? await encoded(text) : text
        const response = await frames(from, body), { ok, status } = response, isTooLong = status == 413
        if (isTooLong && count > 1) {
          batchBytes /= 2
          continue
        }
        if (ok || [400, 413, 422].includes(status)) {
          const report = ok ? await response.json() : { missing_frames: count }
          // Lines may have been dropped meanwhile. They are not lost if the mirror has accepted the
          // batch.
          const dropped = Math.min(count, first - from)
          if (ok) text.split("\n", dropped).forEach(line => (lost.frames--, lost.bytes -= size(line)))
          drop(count - dropped, isTooLong)
          if (ok) confirmed()
          else say("warn", mirror + " " + await problem(response))
          if (lost.frames) await reportLost()
          if (report.missing_frames || report.rejected?.length || text.includes('"over":"resumed"')) check(text, report, status)
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

  let isDown = false, listener
  const confirmed = () => {
    if (!isKnown) say("info", `this page is mirrored at ${mirror} (page ${page})`)
    else if (isDown) say("info", `${mirror} is back`)
    isDown = false
    isKnown = true
    if (!wrapped || listener || hasEnded) return
    listener = new AbortController()
    const { signal } = listener
    load().then(() => tap.carry ? tap.carry(signal) : listener = null)
  }

  // What the mirror has missed is known when a batch was sent, or when the tap is late.
  const check = (...batch) => load().then(() => tap.check?.(...batch))

  let loading
  const load = () => loading ??= new Promise(done => document.head.append(
    Object.assign(document.createElement("script"), {
      src: new URL("carrier.js", script.src), nonce: script.nonce, onload: done, onerror: () => done(loading = null)
    })
  ))

  const complain = reason => {
    if (isDown) return
    isDown = true
    say("warn", `${mirror} ${reason}. Frames are kept and sent later.` + (isKnown ? "" :
      ` Start the mirror with --allow-origin ${location.origin}; name its token in data-token of the script. Allow ${mirror} in ` +
      `script-src and connect-src of the Content-Security-Policy, and access to the local network.`))
  }

  // MARK: Listening

  const Native = window.WebSocket
  const Tapped = class WebSocket extends Native {
    constructor(...all) {
      super(.../** @type {[any]} */ (all))
      // A test's stub may not be an event target.
      this.addEventListener?.("message", event => note(event.data, false))
      this.addEventListener?.("close", () => this.isLive && !socket()?.isConnected?.() && closed())
    }
    send(data) {
      super.send(data)
      if (typeof data == "string" && isLive.test(data)) this.isLive = true
      note(data, true)
    }
    // Subclasses inherit this.
    static [Symbol.hasInstance](object) {
      return Function.prototype[Symbol.hasInstance].call(this == Tapped ? Native : this, object)
    }
  }
  window.WebSocket = Tapped
  const socket = () => window.liveSocket?.getSocket?.()
  // No diff arrives until the views join again.
  const closed = () => socket()?.channels.forEach(it => note(JSON.stringify([null, null, it.topic, "phx_close", {}]), false))
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
    socket_.onClose?.(() => isTapped(socket_) || closed())
    greet()
    if (socket_.conn && !isTapped(socket_) && socket_.channels.some(it => it.topic.startsWith("lv:"))) check("", { missing_frames: 1 })
  }
  const looking = setInterval(wrap, 250)
  setTimeout(() => clearInterval(looking), 15000)
  addEventListener("DOMContentLoaded", wrap)
  addEventListener("load", wrap)

  /** @type {any} */
  const tap = window.liveViewMirrorTap = { page, mirror, call, socket, sleep, say, note, problem, confirmed, complain, announce: () => announce(about()) }

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
    const { text, count } = batch(64e3, 0, size)
    if (count) frames(first, text, { keepalive: true }).catch(() => {})
    drop(count)
    drop(lines.length, true)
    reportLost({ closed: true }, { keepalive: true })
  })
})()
