"""The program, serving on a free port, and the recordings as a feed sends them."""

import json
import os
import pathlib
import re
import subprocess
import urllib.error
import urllib.request

ROOT = pathlib.Path(__file__).parent.parent.parent
RECORDINGS = ROOT / "Tests" / "Fixtures" / "wire"
START = 1_795_500_000_000  # The time of the first frame, in milliseconds since 1970: the same in every run.


class Mirror:
    """Runs the program that MIRROR_PROGRAM names, as a context manager."""

    def __init__(self, *arguments):
        self.arguments = arguments

    def __enter__(self):
        command = [os.environ["MIRROR_PROGRAM"], "serve", "--port", "0", "--log-level", "error", *self.arguments]
        self.process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
        line = self.process.stdout.readline()
        match = re.search(r"listens on (http://\S+)", line)
        if not match:
            raise SystemExit(f"the program did not start: {line}")
        self.address = match[1].rstrip("/")
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()

    def request(self, method, target, body=None):
        """Returns the JSON of the answer, also of a problem, or its text."""
        data = body if body is None or isinstance(body, bytes) else body.encode()
        request = urllib.request.Request(self.address + target, data=data, method=method)
        request.add_header("Accept", "application/json")
        try:
            text = urllib.request.urlopen(request).read().decode()
        except urllib.error.HTTPError as error:
            text = error.read().decode()
        try:
            return json.loads(text)
        except ValueError:
            return text

    def post(self, target, body):
        return self.request("POST", target, body if isinstance(body, (str, bytes)) else json.dumps(body))

    def get(self, target):
        return self.request("GET", target)

    def feed(self, name, page, folder="1.2.10", count=None, start=START, url=None):
        """Posts the frames of a recording, with those of the client and a time for each. Returns the ids of its views."""
        recording = json.loads((RECORDINGS / folder / f"{name}.json").read_text())
        lines, at = [], start
        for step in recording["steps"][:count]:
            for frame in step.get("sent") or []:
                lines.append({"at": at, "sent": True, "frame": frame["frame"] if isinstance(frame, dict) else frame})
                at += 7
            lines.append({"at": at, "sent": False, "frame": step["frame"]})
            at += 900
        address = url or f"http://localhost:4000/{page}"
        body = "\n".join(json.dumps(line) for line in lines)
        dialect = "&dialect=native" if recording["format"] == "swiftui" else ""
        self.post(f"/frames?page={page}&url={address}{dialect}", body)
        return [view["view"] for view in self.get(f"/pages/{page}")["views"]]
