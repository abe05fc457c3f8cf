"""A BCF 2.1 file whose topics point at elements of the two models."""

from __future__ import annotations

import io
import pathlib
import zipfile
from xml.sax.saxutils import escape, quoteattr

from facts.project import FICTION, NAME, NUMBER, uid
from ifc_models import FILES, element_id
from rfi_files import ZIP_TIME

TARGET = "rfi/RM-2417_Koordination_K.bcfzip"

# number | building | type | status | priority | discipline | created | due | author>assignee | elements | title | description | comments
_TOPICS = """
K-01|A|Clash|Closed|High|Lüftung|2026-02-02|2026-02-13|HLK>ARC|IfcWall:IW-01-1.01|Lüftungskanal durchdringt Treppenhauswand|Der Zuluftkanal 600 × 300 mm durchdringt die Wand IW-01 des Treppenhauses Ost im 1. Obergeschoss. Durchdringungen von Treppenhäusern sind nicht zulässig.|ARC: Kanal wird im Korridor 1.12 geführt. HLK: Modell nachgeführt, Kanal neu 700 × 250 mm.
K-02|A|Clash|Closed|Normal|Elektro|2026-02-03|2026-02-13|ELO>ARC|IfcDoor:T-1.03|Badgeleser an Schulzimmertür T-1.03|Im Elektroplan ist an der Tür T-1.03 ein Badgeleser eingetragen, in der Türliste nicht.|ARC: Kein Badgeleser an Schulzimmertüren, nur Schlüssel. ELO: Leser gelöscht.
K-03|A|Issue|Closed|High|Brandschutz|2026-02-05|2026-02-20|BSP>ARC|IfcDoor:T-2.10,IfcSpace:2.08|Feuerwiderstand Tür zur Sammlung|Die Tür zur Sammlung 2.08 war im Modell mit EI30 attributiert. Verlangt ist EI60.|ARC: Attribut FireRating auf EI60 geändert, siehe RFI-014.
K-04|A|Clash|Closed|Normal|Sanitär|2026-02-09|2026-02-27|HLK>ING|IfcWall:IW-03-1.01|Vorwand WC 1.13 zu schmal|Die Installationswand IW-03 mit 150 mm nimmt das Fallrohr DN 110 mit Dämmung nicht auf.|ING: Fallrohr wird in die Steigzone 2 verlegt, die Wand bleibt bei 150 mm.
K-05|A|Issue|Active|Normal|Architektur|2026-03-04|2026-03-20|ARC>FEN|IfcWindow:F-1.01,IfcWindow:F-1.02|Brüstungshöhe Fenster Schulzimmer 1|Brüstung im Modell 0.80 m, im Detail ARC-401 0.75 m. Bitte 0.75 m übernehmen.|FEN: Werkplan wird angepasst.
K-06|A|Clash|Closed|High|Holzbau|2026-03-09|2026-03-27|HOL>HLK|IfcSlab:DE-01 1. Obergeschoss|Kerben in der Verbunddecke für Überströmelemente|Die Überströmelemente liegen 40 mm im Überbeton der Decke DE-01 über dem Korridor.|HLK: Elemente werden um 60 mm abgesenkt und liegen in der abgehängten Decke.
K-07|A|Issue|Closed|Low|Architektur|2026-03-11|2026-03-27|ARC>ARC|IfcSpace:1.17|Raum Materialraum fehlte im Modell|Der Materialraum 1.17 mit 12.0 m² war Teil des Korridors.|ARC: Raum ergänzt, Tür EI30 gesetzt.
K-08|A|Clash|Active|High|Lüftung|2026-06-22|2026-07-10|VEN>ING|IfcSlab:DE-02 Erdgeschoss,IfcBuildingElementProxy:LA-01|Einbringöffnung Monoblock|Die Öffnung im Boden des Korridors 0.04 ist im Modell 2.20 × 2.00 m, benötigt werden 2.60 × 2.20 m.|ING: Randverstärkung mit 6 Stäben Durchmesser 20 mm möglich. VEN: Mass bestätigt.
K-09|A|Remark|Closed|Low|Aufzug|2026-06-24|2026-07-10|ARC>ELO|IfcTransportElement:AU-01|Schachtentlüftung Aufzug|Die motorisierte Klappe der Schachtentlüftung AU-01 hat im Elektroplan keinen Anschluss.|ELO: Anschluss 230 V mit Rückmeldung ergänzt.
K-10|B|Clash|Closed|Normal|Sanitär|2026-07-06|2026-07-24|HLK>ARC|IfcDoor:T-B0.12,IfcSpace:B0.08|Rinne vor Duschentür|Die Duschrinne in B0.08 endet unter dem Türblatt der Garderobentür.|ARC: Rinne um 0.40 m gekürzt und an die Rückwand verlegt.
K-11|B|Issue|Active|Normal|Tragwerk|2026-08-05|2026-08-28|ING>HOL|IfcColumn:ST-B0.03,IfcColumn:ST-B0.04|Stützenfuss im Spritzwasserbereich|Die Stützen ST-B0.03 und ST-B0.04 stehen im Bereich der Aussentür T-B0.01 ohne Sockel.|HOL: Stahlschuh 200 mm hoch, feuerverzinkt, wird offeriert.
K-12|B|Request|Active|High|Photovoltaik|2026-09-15|2026-10-02|ELO>ING|IfcRoof:DA-11 Obergeschoss Turnhalle,IfcBuildingElementProxy:PV-01|Modulfeld über Dehnfuge|Das Modulfeld liegt im Modell über der Bewegungsfuge des Hallendachs DA-11. Trennung nötig?|ING: Ja, Unterkonstruktion auf der Fuge trennen, Spalt 20 mm.
"""


def topics() -> list[dict]:
    keys = ("number", "building", "type", "status", "priority", "discipline", "created", "due", "way", "elements", "title", "description", "comments")
    found = []
    for line in _TOPICS.strip().splitlines():
        t = dict(zip(keys, line.split("|")))
        t["guid"] = str(uid("bcf", t["number"]))
        t["sender"], t["receiver"] = t["way"].split(">")
        t["ids"] = [element_id(t["building"], *e.split(":", 1)) for e in t["elements"].split(",")]
        found.append(t)
    return found


def _mail(code: str) -> str:
    return f"{code.lower()}@beispiel.example"


def _comments(t: dict) -> str:
    out = []
    day = t["due"]
    for i, part in enumerate(c for c in t["comments"].replace(" HLK: ", "\nHLK: ").replace(" ELO: ", "\nELO: ").replace(" VEN: ", "\nVEN: ").splitlines()):
        author, text = part.split(": ", 1)
        out.append(f'<Comment Guid="{uid("bcf-comment", t["number"], str(i))}"><Date>{day}T{9 + i:02d}:15:00+02:00</Date>'
                   f"<Author>{_mail(author)}</Author><Comment>{escape(text)}</Comment></Comment>")
    return "".join(out)


def markup(t: dict, index: int) -> str:
    file, _ = FILES[t["building"]]
    view = uid("bcf-view", t["number"])
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n<Markup>'
        f'<Header><File IfcProject="{element_id(t["building"], "IfcProject", "project")}" isExternal="true"><Filename>{file.split("/")[1]}</Filename><Date>2026-03-20T08:00:00+00:00</Date></File></Header>'
        f'<Topic Guid="{t["guid"]}" TopicType={quoteattr(t["type"])} TopicStatus={quoteattr(t["status"])}>'
        f'<Title>{escape(t["number"] + " " + t["title"])}</Title><Priority>{t["priority"]}</Priority><Index>{index}</Index><Labels>{escape(t["discipline"])}</Labels>'
        f'<CreationDate>{t["created"]}T08:30:00+01:00</CreationDate><CreationAuthor>{_mail(t["sender"])}</CreationAuthor>'
        f'<ModifiedDate>{t["due"]}T10:15:00+02:00</ModifiedDate><ModifiedAuthor>{_mail(t["receiver"])}</ModifiedAuthor>'
        f'<DueDate>{t["due"]}T17:00:00+02:00</DueDate><AssignedTo>{_mail(t["receiver"])}</AssignedTo><Description>{escape(t["description"])}</Description></Topic>'
        f'{_comments(t)}<Viewpoints Guid="{view}"><Viewpoint>viewpoint.bcfv</Viewpoint></Viewpoints></Markup>\n'
    )


def viewpoint(t: dict) -> str:
    parts = "".join(f'<Component IfcGuid="{g}"/>' for g in t["ids"])
    return (
        f'<?xml version="1.0" encoding="UTF-8"?>\n<VisualizationInfo Guid="{uid("bcf-view", t["number"])}">'
        f'<Components><Selection>{parts}</Selection><Visibility DefaultVisibility="true"/></Components>'
        "<PerspectiveCamera><CameraViewPoint><X>12</X><Y>-18</Y><Z>9</Z></CameraViewPoint><CameraDirection><X>-0.5</X><Y>0.8</Y><Z>-0.3</Z></CameraDirection>"
        "<CameraUpVector><X>0</X><Y>0</Y><Z>1</Z></CameraUpVector><FieldOfView>60</FieldOfView></PerspectiveCamera></VisualizationInfo>\n"
    )


def write(folder: pathlib.Path) -> None:
    files = {
        "bcf.version": '<?xml version="1.0" encoding="UTF-8"?>\n<Version VersionId="2.1"><DetailedVersion>2.1</DetailedVersion></Version>\n',
        "project.bcfp": f'<?xml version="1.0" encoding="UTF-8"?>\n<ProjectExtension><Project ProjectId="{uid("bcf")}"><Name>{NAME}, {NUMBER} ({FICTION["de"]})</Name></Project><ExtensionSchema></ExtensionSchema></ProjectExtension>\n',
    }
    for i, t in enumerate(topics(), 1):
        files[f'{t["guid"]}/markup.bcf'] = markup(t, i)
        files[f'{t["guid"]}/viewpoint.bcfv'] = viewpoint(t)
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, text in files.items():
            info = zipfile.ZipInfo(name, ZIP_TIME)
            info.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(info, text.encode())
    path = folder / TARGET
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(out.getvalue())
