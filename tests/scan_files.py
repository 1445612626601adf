"""Small files of scanned pages, written by hand for tests."""

from __future__ import annotations

from xml.sax.saxutils import escape, quoteattr

ALTO_SPACES = {2: "http://www.loc.gov/standards/alto/ns-v2#", 3: "http://www.loc.gov/standards/alto/ns-v3#"}
ALTO_SPACES[4] = "http://www.loc.gov/standards/alto/ns-v4#"


def alto(lines: list[str], *, version: int = 3, image: str = "", width: int = 1000, height: int = 800) -> bytes:
    """A page whose letters are 10 wide and whose lines are 40 apart; the confidence of a word is its length × 10."""
    rows = []
    for row, line in enumerate(lines):
        at, words = 50, []
        for word in line.split():
            box = f'HPOS="{at}" VPOS="{40 + 40 * row}" WIDTH="{10 * len(word)}" HEIGHT="30"'
            sure = min(10, len(word)) / 10
            words.append(f'<String CONTENT={quoteattr(word)} {box} WC="{sure}"/>')
            at += 10 * len(word) + 10
        rows.append(f"<TextLine>{'<SP/>'.join(words)}</TextLine>")
    source = f"<sourceImageInformation><fileName>{escape(image)}</fileName></sourceImageInformation>"
    page = f'<Page ID="p" WIDTH="{width}" HEIGHT="{height}"><PrintSpace><TextBlock ID="b">{"".join(rows)}</TextBlock>'
    head = f'<?xml version="1.0"?><alto xmlns="{ALTO_SPACES[version]}"><Description>{source}</Description>'
    return f"{head}<Layout>{page}</PrintSpace></Page></Layout></alto>".encode()


def mets(pages: list[tuple[str, list[str]]], title: str = "The Harbour") -> bytes:
    """A volume of pages with labels and files."""
    files, divisions = [], []
    for number, (label, places) in enumerate(pages):
        names = [f"f{number}_{i}" for i in range(len(places))]
        files += [
            f'<mets:file ID="{name}"><mets:FLocat LOCTYPE="URL" xlink:href={quoteattr(place)}/></mets:file>'
            for name, place in zip(names, places, strict=True)
        ]
        pointers = "".join(f'<mets:fptr FILEID="{name}"/>' for name in names)
        order = f'ORDER="{len(pages) - number}" ORDERLABEL="{label}"'
        divisions.append(f'<mets:div TYPE="page" {order}>{pointers}</mets:div>')
    space = 'xmlns:mets="http://www.loc.gov/METS/" xmlns:xlink="http://www.w3.org/1999/xlink"'
    about = f'<mods:title xmlns:mods="http://www.loc.gov/mods/v3">{title}</mods:title><dateIssued>May 1893</dateIssued>'
    mods = f"<mets:dmdSec>{about}</mets:dmdSec>"
    structure = f'<mets:structMap TYPE="PHYSICAL"><mets:div TYPE="physSequence">{"".join(divisions)}</mets:div>'
    return (
        f"<mets:mets {space}>{mods}<mets:fileSec><mets:fileGrp>{''.join(files)}</mets:fileGrp></mets:fileSec>"
        f"{structure}</mets:structMap></mets:mets>"
    ).encode()


HOCR = b"""<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd">
<html><head><meta name='ocr-system' content='made by hand' /></head><body>
<div class='ocr_page' title='image "two.png"; bbox 0 0 600 400; ppageno 0'><div class='ocr_carea'><p class='ocr_par'>
<span class='ocr_line' title="bbox 10 10 300 30">
<span class='ocrx_word' title='bbox 10 10 90 30; x_wconf 91'>North</span>
<span class='ocrx_word' title='bbox 100 10 160 30; x_wconf 40'><strong>pi&amp;er</strong></span></span></p></div>
<span class='ocr_line' title="bbox 0 100 190 120">line of words</span></div>
<div class='ocr_page' title='bbox 0 0 600 400; ppageno 1'><span class='ocr_line'>second</span></div></body></html>"""


def page_xml(year: int = 2019) -> bytes:
    """Two regions, the second first in reading order; one has words, the other a line of text."""
    return f"""<?xml version="1.0" encoding="UTF-8"?>
<PcGts xmlns="http://schema.primaresearch.org/PAGE/gts/pagecontent/{year}-07-15"><Page imageFilename="three.jpg"
 imageWidth="500" imageHeight="700"><ReadingOrder><OrderedGroup id="o"><RegionRefIndexed index="0" regionRef="r2"/>
<RegionRefIndexed index="1" regionRef="r1"/></OrderedGroup></ReadingOrder>
<TextRegion id="r1"><Coords points="0,0 9,9"/><TextLine id="l1"><Coords points="10,50 90,50 90,70 10,70"/>
<TextEquiv conf="0.8"><Unicode>two words</Unicode></TextEquiv></TextLine></TextRegion>
<TextRegion id="r2"><TextLine id="l2"><Word id="w"><Coords points="10,5 60,8 60,25 10,22"/><TextEquiv index="1">
<Unicode>wrong</Unicode></TextEquiv><TextEquiv index="0" conf="0.5"><Unicode>first</Unicode></TextEquiv></Word>
<TextEquiv><Unicode>first</Unicode></TextEquiv></TextLine></TextRegion></Page></PcGts>""".encode()
