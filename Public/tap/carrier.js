// @ts-check
/*
 * The carrier sends the mirror's events to the LiveViews of the page, and what the client holds of
 * them to a mirror that has missed frames; see docs/recordings.md. The tap loads it.
 */
(() => {
  const tap = window.liveViewMirrorTap, { page, call, socket, sleep, say, note, mirror, problem, confirmed, complain } = tap

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
  tap.carry = async signal => {
    const locks = navigator.locks
    if (!locks) return read(signal)
    for (const slot of [1, 2, 3]) {
      const isMine = await locks.request("liveview-mirror-" + slot, { ifAvailable: true },
        lock => lock && read(signal).then(() => 1))
      if (isMine) return
    }
    locks.request("liveview-mirror-" + (1 + Date.now() % 3), () => read(signal))
  }

  // MARK: Repairing

  // Looks for what the mirror lacks after a batch. The lines that resume the views give it what was
  // missing before them.
  let canResume = true
  tap.check = (text, { missing_frames, rejected = [] }, status = 200) => {
    const resumes = text.split("\n").map(it => it.includes(',"over":"resumed","before":')), last = resumes.lastIndexOf(true)
    const isRefused = last >= 0 && (status != 200 || rejected.some(it => resumes[it.frame]))
    const isMissing = missing_frames && last < 0
    if (isRefused) canResume = false
    // A join may repeat a frame that is too long.
    if (status == 413) pause = 6e5
    if (isRefused || isMissing || rejected.some(it => it.frame > last && [404, 410].includes(it.problem.status)))
      repair(status == 200 && (isRefused || isMissing))
    else if (last >= 0) clearTimeout(planned)
  }

  // Gives the mirror full pages: those that the client holds or, if they cannot be sent, those of
  // new joins.
  let repaired = 0, pause = 2500, planned
  const repair = async isSure => {
    const time = Date.now() - repaired
    if (time < pause) {
      // Rejected frames may be older than the last repair. A restarted mirror does not know that.
      if (isSure) {
        clearTimeout(planned)
        planned = setTimeout(repair, pause - time, true)
      }
      return
    }
    clearTimeout(planned)
    pause = time > 60000 ? 2500 : pause * 2
    repaired = Date.now()
    tap.announce().catch(() => {})
    if (!socket()) return say("warn", "the mirror has missed frames of this page; reload it, or set window.liveSocket")
    if (canResume && await resumeAll()) return
    const { liveSocket } = window
    liveSocket.disconnect(() => liveSocket.connect())
  }

  // The mirror was restarted.
  const restart = async () => {
    await tap.announce()
    pause = 2500
    repair(true)
  }

  // The client's own members of its tree.
  const internal = ["magicId", "newRender", "reset"]

  // Whether the client has frames that are not in its tree or in the page yet.
  const isBusy = view => view.isJoinPending() || view.pendingDiffs.length || view.el.querySelector("[data-phx-ref-lock]")

  // Notes the tree and the markup of a view, as the reply to its join.
  const resume = (channel, view) => {
    const ref = channel.joinRef(), rendered = view.rendered.get()
    // In another document, elements have no effects.
    const copy = document.implementation.createHTMLDocument("").importNode(view.el, true)
    // The content of other views, and what portals show.
    copy.querySelectorAll("[data-phx-session]").forEach(it => it.replaceChildren())
    copy.querySelectorAll("[data-phx-teleported]").forEach(it => it.remove())
    copy.querySelectorAll("input[type=password]").forEach(it => it.removeAttribute("value"))
    const frame = [ref, ref, channel.topic, "phx_reply", { status: "ok", response: { rendered } }]
    note(JSON.stringify(frame, (key, value) => internal.includes(key) ? undefined : value), false,
      `,"over":"resumed","before":${JSON.stringify(copy.innerHTML)}`)
  }

  // Sends what the client holds of its views. The result is false if the client is not one of
  // LiveView 1.0 to 1.2. A view that is not joined gets its page by its next join.
  const resumeAll = async () => {
    try {
      for (;; await sleep(50)) {
        const { liveSocket } = window, channels = socket().channels.filter(it => it.topic.startsWith("lv:"))
        if (!channels.length || channels.some(it => !it.state)) return false
        const joined = channels.filter(it => it.state == "joined" && document.getElementById(it.topic.slice(3)))
        const views = joined.map(it => liveSocket.getViewByEl(document.getElementById(it.topic.slice(3))))
        if (views.some(isBusy) || liveSocket.transitions?.pendingOps?.length) continue
        joined.forEach((it, index) => resume(it, views[index]))
        return true
      }
    } catch {
      return false
    }
  }

  // Reads the mirror's events until the page is left.
  const read = async signal => {
    let refusal
    for (let failures = 0; !signal.aborted; await sleep(Math.min(1000 * 2 ** failures++, 10000))) {
      try {
        const response = await call(`pages/${page}/pushes`, null, { signal }), { body, ok, status } = response
        if (status == 404) await restart()
        else if (!ok) {
          const reason = await problem(response)
          if (reason != refusal) say("warn", `${mirror} ${reason}. This page does not get its events.`)
          refusal = reason
        }
        if (!ok) continue
        confirmed()
        failures = 0
        refusal = ""
        const reader = body.pipeThrough(new TextDecoderStream()).getReader()
        for (let text = ""; ;) {
          const { value, done } = await reader.read()
          if (done) break
          const events = (text + value).split("\n\n")
          text = events.pop()
          for (const event of events) {
            const data = /^event: push\ndata: (.*)$/.exec(event)
            if (data && socket()) attempt(JSON.parse(data[1]))
          }
        }
      } catch {
        if (!signal.aborted) complain("cannot be reached")
      }
    }
  }

  // An error of the page's client is not one of the mirror.
  const attempt = event => {
    try {
      push(event)
    } catch (error) {
      say("warn", `the page's client cannot send ${event.event}: ${error.message}`)
    }
  }
})()
