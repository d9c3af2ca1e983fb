"""The page e_table10k of script/bench: a keyed table of 10,000 rows, 60,006 elements, 110,008 nodes. One cell changes."""

import random

WORDS = ("alpha bravo charlie delta echo foxtrot golf hotel india juliet kilo lima mike november oscar papa quebec romeo sierra "
         "tango uniform victor whiskey xray yankee zulu").split()
STATICS = [
    '<div class="container mx-auto p-4" id="page"><header class="navbar"><h1 class="title">',
    '</h1></header><main class="content"><table id="users" class="min-w-full divide-y"><tbody id="users-body">',
    "</tbody></table></main></div>",
]
ROW = ["<tr", ' class="hover:bg-gray-50"><td class="px-4 py-2 name">', '</td><td class="px-4 py-2 email">',
       '</td><td class="px-4 py-2 city">', '</td><td class="px-4 py-2 amount">', '</td><td class="px-4 py-2 status">', "</td></tr>"]


def rendered(rows=10_000):
    chance = random.Random(1)

    def row(number):
        cells = [f' id="users-{number + 1}"', f"{chance.choice(WORDS).title()} {chance.choice(WORDS).title()}",
                 f"{chance.choice(WORDS)}{number + 1}@example.com", chance.choice(WORDS).title(),
                 f"${chance.randrange(100000) / 100:.2f}", chance.choice(["active", "invited", "disabled"])]
        return {str(slot): text for slot, text in enumerate(cells)}

    entries = {str(number): row(number) for number in range(rows)}
    return {"0": "Users", "1": {"s": ROW, "k": {**entries, "kc": rows}}, "s": STATICS}


def diff(number, rows=10_000):
    """The diff that changes one cell in the middle: 48 bytes, a new text every time."""
    return {"1": {"k": {str(rows // 2): {"4": f"${number % 10_000:,}.56"}, "kc": rows}}}
