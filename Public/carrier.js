/*
 * The carrier sends the mirror's events to the LiveViews of the page; see docs/capture.md. The tap loads it.
 */
(() => {
  const tap = window.liveViewMirrorTap, { page, call, socket, sleep, restart } = tap

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

  const read = async signal => {
    while (!signal.aborted) {
      try {
        const { body, ok, status } = await call(`pages/${page}/pushes`, null, { signal })
        if (status == 404) {
          await restart()
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
})()
