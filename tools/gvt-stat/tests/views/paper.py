# SPDX-License-Identifier: GPL-2.0-or-later
"""The pictures of a PDF that Chromium has printed."""
import re
import zlib

STREAM = rb"stream\r?\n(.*?)\r?\nendstream"
PLACED = rb"([\d.]+) 0 0 -?[\d.]+ ([\d.]+) [\d.]+ cm(?:(?! cm)[\s\S])*?/X(\d+) Do"


class Picture:
    """One that is @width pixels wide; pixels are bytes of red, green, blue."""

    def __init__(self, number, width, pixels):
        self.number, self.width, self.pixels, self.right = number, width, pixels, []

    def colours(self):
        return {self.pixels[at:at + 3] for at in range(0, len(self.pixels) - 2, 3)}


def pictures(data):
    """(points of the paper's width, pictures), each with the right edges of its places on the paper."""
    found = {}
    for number, head, body in re.findall(rb"(\d+) 0 obj\s*<<([^<>]*?/Subtype\s*/Image.*?)>>\s*" + STREAM, data, re.S):
        if b"/ICCBased" in head or b"/DeviceRGB" in head:
            width = int(re.search(rb"/Width (\d+)", head)[1])
            found[int(number)] = Picture(int(number), width, zlib.decompress(body))
    for body in re.findall(STREAM, data, re.S):
        try:
            text = zlib.decompress(body)
        except zlib.error:
            continue
        scale = re.match(rb"([\d.]+) 0 0 -", text)
        for size, left, number in re.findall(PLACED, text) if scale else ():
            if int(number) in found:
                found[int(number)].right.append((float(size) + float(left)) * float(scale[1]))
    return float(re.search(rb"/MediaBox \[0 0 ([\d.]+)", data)[1]), list(found.values())
