#!/usr/bin/env python3
"""Writes script/release.order: the functions that requests run through, in the order in which they call each other.

    script/generate-release-order.py "$(script/release)"

Feeds and asks the program under callgrind (Debian's `valgrind`), which sees every call. To be run again when the way of a
request has changed much; a list that is old costs speed and nothing else, since the linker passes over what it does not find.
"""

import collections
import http.client
import os
import re
import shutil
import subprocess
import sys
import tempfile

ROUNDS = 200
# How many diffs of a text come to each of another kind.
USUAL = 5
COUNTER = '{"0":"0","s":["<p>Count: ","</p>"]}'
PAGE = (
    '{"0":"a","1":"b","2":{"k":{"0":{"0":"x"},"1":{"0":"y"},"kc":2},"s":["<li>","</li>"]},'
    '"s":["<div class=\\"","\\"><b>","</b><ul>","</ul></div>"]}'
)


def requests(round):
    """What is asked in every round: the more often, the further to the front."""
    for number in range(USUAL):
        yield "POST", "/views/counter/diffs", '{"0":"%d"}' % (USUAL * round + number)
    yield "GET", "/healthz", None
    yield "POST", "/views/page/diffs", '{"0":"class-%d"}' % round
    yield "POST", "/views/page/diffs", '{"2":{"k":{"0":{"0":"row %d"},"kc":2}}}' % round
    if round % 10 == 0:
        for path in ["/views", "/views/page/tree", "/views/page/log?limit=5", "/metrics"]:
            yield "GET", path, None


def feed(port):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)

    def ask(method, path, body):
        connection.request(method, path, body)
        answer = connection.getresponse()
        answer.read()
        if answer.status >= 400:
            sys.exit(f"{method} {path}: {answer.status}")

    ask("POST", "/views/counter/rendered", COUNTER)
    ask("POST", "/views/page/rendered", PAGE)
    for round in range(ROUNDS):
        for request in requests(round):
            ask(*request)


def record(program, folder):
    """The calls that the program made while it was fed, as callgrind writes them."""
    # Without what debuggers read: callgrind would take minutes for it.
    stripped = os.path.join(folder, "program")
    subprocess.run(["strip", "-g", "-o", stripped, program], check=True)
    calls = os.path.join(folder, "calls")
    # With no setting but its own, such as a token or a log that nobody reads.
    environment = {name: value for name, value in os.environ.items() if not name.startswith("MIRROR_")}
    with open(os.path.join(folder, "errors"), "w+") as errors:
        process = subprocess.Popen(
            ["valgrind", "--quiet", "--tool=callgrind", "--demangle=no", f"--callgrind-out-file={calls}", stripped,
             "serve", "--port", "0"], stdout=subprocess.PIPE, stderr=errors, text=True, env=environment)
        try:
            found = re.search(r"listens on http://127\.0\.0\.1:(\d+)", process.stdout.readline())
            if not found:
                process.wait(60)
                errors.seek(0)
                sys.exit(f"{program} does not serve: {errors.read()[-2000:]}")
            feed(int(found.group(1)))
        finally:
            process.terminate()
            try:
                process.wait(60)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
    return calls


def call_graph(calls):
    """Who calls whom, in the order in which callgrind lists it, and how often each is called."""
    names, callees, counts = {}, collections.defaultdict(list), collections.Counter()
    caller = callee = None

    def name(text):
        number, named = re.match(r"\((\d+)\)(?: (.*))?", text).groups()
        if named:
            # A recursive call has a number behind it.
            names[number] = re.sub(r"'\d+$", "", named)
        return names[number]

    with open(calls) as lines:
        for line in lines:
            if line.startswith("fn="):
                caller = name(line[3:].rstrip("\n"))
            elif line.startswith("cfn="):
                callee = name(line[4:].rstrip("\n"))
            elif line.startswith("calls="):
                callees[caller].append(callee)
                counts[callee] += int(line[6:].split()[0])
    return callees, counts


def order(callees, counts, known):
    """Depth first from those that nobody calls: first what runs with every diff, then what is rarer."""
    found = {}

    def visit(function, least):
        stack = [function]
        while stack:
            function = stack.pop()
            if function in found or counts[function] < least:
                continue
            found[function] = None
            stack.extend(reversed(callees[function]))

    roots = [function for function in list(callees) if counts[function] == 0] + sorted(counts, key=lambda f: -counts[f])
    for least in [USUAL * ROUNDS, ROUNDS, ROUNDS // 10]:
        for function in roots:
            for callee in [function] + callees[function]:
                visit(callee, least)
    return [function for function in found if function in known]


def functions(program):
    lines = subprocess.run(["nm", "--defined-only", program], check=True, capture_output=True, text=True).stdout
    return {fields[2] for fields in map(str.split, lines.splitlines()) if len(fields) == 3 and fields[1] in "tTwW"}


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    for tool in ["valgrind", "strip", "nm"]:
        if not shutil.which(tool):
            sys.exit(f"{tool} is needed: apt-get install valgrind binutils")
    program = sys.argv[1]
    with tempfile.TemporaryDirectory() as folder:
        callees, counts = call_graph(record(program, folder))
    listed = order(callees, counts, functions(program))
    target = os.path.join(os.path.dirname(os.path.abspath(__file__)), "release.order")
    with open(target, "w") as file:
        file.write("\n".join(listed) + "\n")
    print(f"{len(listed)} functions in {target}")


main()
