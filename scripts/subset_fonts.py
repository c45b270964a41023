#!/usr/bin/env python3
"""subset_fonts.py --output FOLDER: Inter 400 and 600 from Debian's fonts-inter as small files, with tabular digits.

The page shows columns of numbers, so the digits' glyphs are replaced by those of equal width (OpenType feature tnum)
in the character map itself: no style rule can then forget to ask for them. Layout tables are dropped, kerning too (4 KB):
the canvas has none either. Plain OpenType: page and canvas read the same two files, and packed by the server they are as small as WOFF2.
Runs with Debian's python3, which has fontTools and brotli.
"""
import argparse
import pathlib

from fontTools import subset
from fontTools.ttLib import TTFont
from fontTools.ttLib.scaleUpem import scale_upem

SOURCE = pathlib.Path("/usr/share/fonts/opentype/inter")
LICENCE = pathlib.Path("/usr/share/doc/fonts-inter/copyright")
WEIGHTS = {"Inter-Regular.otf": ("inter-400", [(0x100, 0x17F)]), "Inter-SemiBold.otf": ("inter-600", [])}
# ASCII and Latin-1, and in the weight of what people type the letters of Latin Extended-A (others come from the system's typeface, and
# on the canvas are a question mark); dashes, quotes, bullet, ellipsis; superscripts and signs that formulas are made of; arrows.
RANGES = [(0x20, 0x7E), (0xA0, 0xFF)]
SINGLES = "–—‘’“”•…⁰⁹←↑→↓−≈≠≤≥α"
TABULAR = "0123456789+-.,: $%()=<>−×÷±"


def tabular_glyphs(font):
    """glyph -> its tabular form, from every lookup of the feature tnum"""
    table = font["GSUB"].table
    lookups = {at for record in table.FeatureList.FeatureRecord if record.FeatureTag == "tnum" for at in record.Feature.LookupListIndex}
    mapping = {}
    for at in sorted(lookups):
        for part in table.LookupList.Lookup[at].SubTable:
            part = getattr(part, "ExtSubTable", part)
            mapping.update(getattr(part, "mapping", {}))
    return mapping


def make(source, target, more):
    font = TTFont(source, recalcTimestamp=False)
    tabular = tabular_glyphs(font)
    for table in font["cmap"].tables:
        if table.isUnicode():
            for char in TABULAR:
                glyph = table.cmap.get(ord(char))
                if glyph in tabular:
                    table.cmap[ord(char)] = tabular[glyph]
    wanted = [code for first, last in [*RANGES, *more] for code in range(first, last + 1)] + [ord(char) for char in SINGLES]
    options = subset.Options()
    options.layout_features = []
    options.name_IDs = [1, 2, 13, 14]
    options.hinting = False
    options.desubroutinize = True
    subsetter = subset.Subsetter(options)
    subsetter.populate(unicodes=wanted)
    subsetter.subset(font)
    # On the usual grid of this format coordinates take fewer bytes; half a unit is a hundredth of a pixel in the largest text.
    scale_upem(font, 1000)
    cmap = font.getBestCmap()
    widths = {font["hmtx"][cmap[ord(digit)]][0] for digit in "0123456789"}
    if max(widths) - min(widths) > font["head"].unitsPerEm * 0.002:
        raise SystemExit(f"{source.name}: digits of unequal widths {sorted(widths)}")
    font.save(target)
    return len(cmap)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--output", type=pathlib.Path, required=True)
    options = parser.parse_args()
    options.output.mkdir(parents=True, exist_ok=True)
    for source, (stem, more) in WEIGHTS.items():
        target = f"{stem}.otf"
        count = make(SOURCE / source, options.output / target, more)
        print(f"{target}: {count} characters, {(options.output / target).stat().st_size} bytes")
    (options.output / "LICENSE").write_bytes(LICENCE.read_bytes())


if __name__ == "__main__":
    main()
