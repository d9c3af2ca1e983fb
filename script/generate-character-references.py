#!/usr/bin/env python3
"""Writes the named character references of the HTML standard, as Python's html.entities holds them, as Swift source.

    python3 script/generate-character-references.py \
      > Sources/MarkupDocument/CharacterReferences/CharacterReferences+Names.swift
"""
import html.entities
import textwrap

names = html.entities.html5
assert len(names) == 2231


def lines(words):
    return "\n".join("    " + line for line in textwrap.wrap(" ".join(words), 112, break_on_hyphens=False))


print(
    f'''/// The {len(names)} names of the standard (13.5 Named character references): data, made by
/// `script/generate-character-references.py` from Python's `html.entities.html5`.
extension CharacterReferences {{
  /// `name:scalar` or `name:scalar,scalar`, scalars in hexadecimal; every name here ends in a semicolon in markup.
  static let named: StaticString = """
{lines(f"{n[:-1]}:{','.join(f'{ord(c):x}' for c in v)}" for n, v in sorted(names.items()) if n.endswith(";"))}
    """

  /// The names that also stand without their semicolon, for old pages' sake.
  static let legacy: StaticString = """
{lines(sorted(n for n in names if not n.endswith(";")))}
    """
}}'''
)
