"""Prints the texts of the elements of the XML on standard input, by the names of parent and element. Fails if it is not well-formed."""
import json
import sys
import xml.etree.ElementTree as tree

found = {}


def name(element):
    return element.tag.split("}")[-1]


def walk(element):
    for child in element:
        found.setdefault(f"{name(element)}/{name(child)}", []).append(child.text or "")
        walk(child)


walk(tree.fromstring(sys.stdin.buffer.read()))
print(json.dumps(found))
