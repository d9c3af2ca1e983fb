"""A Phoenix app with one LiveView, a counter, without Phoenix: for checks on machines that have only Python.

    python3 phoenix.py        prints the port, and serves until its standard input ends

It answers GET / with the page, and a WebSocket of Phoenix's channel protocol 2.0.0 with a join, events and heartbeats.
"""

import base64
import hashlib
import json
import socketserver
import sys
import threading

PAGE = """<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><meta name="csrf-token" content="TOKEN"><title>Counter</title></head>
<body><div id="phx-app" data-phx-main data-phx-session="SESSION" data-phx-static="TOKEN"><p>0</p></div></body></html>
"""


class Connection(socketserver.StreamRequestHandler):
    def handle(self):
        self.rfile.readline()
        headers = {}
        while line := self.rfile.readline().strip():
            name, _, value = line.decode().partition(":")
            headers[name.lower()] = value.strip()
        if headers.get("upgrade", "").lower() != "websocket":
            body = PAGE.encode()
            head = f"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: {len(body)}\r\nConnection: close\r\n\r\n"
            self.wfile.write(head.encode() + body)
            return
        # RFC 6455, 4.2.2.
        key = headers["sec-websocket-key"] + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
        accept = base64.b64encode(hashlib.sha1(key.encode()).digest()).decode()
        self.wfile.write(
            f"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: {accept}\r\n\r\n".encode()
        )
        self.count = 0
        while (text := self.receive()) is not None:
            self.answer(json.loads(text))

    def receive(self):
        """The text of the next frame; None at the end."""
        head = self.rfile.read(2)
        if len(head) < 2 or head[0] & 15 == 8:
            return None
        length = head[1] & 127
        if length >= 126:
            length = int.from_bytes(self.rfile.read(2 if length == 126 else 8), "big")
        mask = self.rfile.read(4)
        data = bytes(byte ^ mask[i % 4] for i, byte in enumerate(self.rfile.read(length)))
        # A ping or a pong has no text.
        return self.receive() if head[0] & 15 > 8 else data.decode()

    def answer(self, frame):
        join_ref, ref, topic, event, payload = frame
        response = {}
        if event == "phx_join":
            response = {"rendered": {"0": "0", "s": ["<p>", '</p><button phx-click="inc">+</button>']}, "liveview_version": "1.1.33"}
        elif event == "event" and payload["event"] == "inc":
            self.count += 1
            response = {"diff": {"0": str(self.count)}}
        text = json.dumps([join_ref, ref, topic, "phx_reply", {"status": "ok", "response": response}]).encode()
        head = bytes([0x81, len(text)]) if len(text) < 126 else bytes([0x81, 126]) + len(text).to_bytes(2, "big")
        self.wfile.write(head + text)


class Server(socketserver.ThreadingTCPServer):
    allow_reuse_address = True
    daemon_threads = True


with Server(("127.0.0.1", 0), Connection) as server:
    threading.Thread(target=server.serve_forever, daemon=True).start()
    print(server.server_address[1], flush=True)
    sys.stdin.read()
