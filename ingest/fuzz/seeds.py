#!/usr/bin/env python3
"""Writes the first inputs of every fuzz target: small files made here, and the sample project's own.

    seeds.py OUT [FOLDER ...]

makes OUT/TARGET/NAME for each target; further folders of files are searched for what the targets read. Archives
become lists of their parts (see src/packages.rs), so that the fuzzer can change what is inside of them.
"""

import io
import json
import struct
import sys
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SAMPLE = ROOT / "tests" / "testdata" / "sample"
LONGEST = 48 * 1024
"""Longer inputs are cut: the fuzzer would do so anyway, and short ones are quicker."""

W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
REL = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"


def parts(members):
    """Parts as the targets read them."""
    out = b""
    for name, body in members:
        body = body if isinstance(body, bytes) else body.encode()
        out += b"@@ " + name.encode() + b"\n" + body + b"\n"
    return out


def unpacked(data):
    """The parts of an archive, without pictures."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        names = [n for n in archive.namelist() if not n.endswith(("/", ".png", ".jpg", ".jpeg", ".emf", ".wmf"))]
        return parts((n, archive.read(n)) for n in names)


def relations(*pairs):
    lines = "".join(f'<Relationship Id="r{n}" Type="{REL}/{sort}" Target="{target}"/>' for n, (sort, target) in enumerate(pairs))
    return f'<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">{lines}</Relationships>'


STEP = """ISO-10303-21;
HEADER;
FILE_DESCRIPTION((''),'2;1');
FILE_NAME('a.ifc','2026-03-01T10:00:00',('A. Muster'),('Beispiel AG'),'p','q','');
FILE_SCHEMA(('IFC4'));
ENDSEC;
DATA;
#1=IFCPROJECT('0YvctVUKr0kugbFTf53O9L',#2,'Haus','Text \\X2\\00FC\\X0\\ \\S\\d \\X\\FC',$,$,$,(),#20);
#2=IFCOWNERHISTORY(#3,#4,$,.ADDED.,$,$,$,1700000000);
#3=IFCPERSONANDORGANIZATION(#5,#6,$);
#4=IFCAPPLICATION(#6,'1.0','Prog','P');
#5=IFCPERSON($,'Muster','A.',$,$,$,$,$);
#6=IFCORGANIZATION($,'Beispiel AG',$,$,$);
#10=IFCSITE('1YvctVUKr0kugbFTf53O9L',#2,'Parzelle',$,$,$,$,$,.ELEMENT.,(47,22,30),(8,32,0),400.,$,$);
#11=IFCBUILDING('2YvctVUKr0kugbFTf53O9L',#2,'Haus A',$,$,$,$,$,.ELEMENT.,$,$,$);
#12=IFCBUILDINGSTOREY('3YvctVUKr0kugbFTf53O9L',#2,'EG',$,$,$,$,$,.ELEMENT.,0.5);
#13=IFCSPACE('0ZvctVUKr0kugbFTf53O9L',#2,'1.01','Klasse',$,$,$,'Klassenzimmer',.ELEMENT.,.INTERNAL.,$);
#14=IFCRELAGGREGATES('0avctVUKr0kugbFTf53O9L',#2,$,$,#1,(#10));
#15=IFCRELAGGREGATES('0bvctVUKr0kugbFTf53O9L',#2,$,$,#10,(#11));
#16=IFCRELAGGREGATES('0cvctVUKr0kugbFTf53O9L',#2,$,$,#11,(#12));
#17=IFCRELAGGREGATES('0dvctVUKr0kugbFTf53O9L',#2,$,$,#12,(#13));
#20=IFCUNITASSIGNMENT((#21,#22,#23,#24));
#21=IFCSIUNIT(*,.LENGTHUNIT.,.MILLI.,.METRE.);
#22=IFCSIUNIT(*,.AREAUNIT.,$,.SQUARE_METRE.);
#23=IFCDERIVEDUNIT((#25,#26),.THERMALTRANSMITTANCEUNIT.,$);
#24=IFCCONVERSIONBASEDUNIT(#27,.PLANEANGLEUNIT.,'DEGREE',#28);
#25=IFCDERIVEDUNITELEMENT(#22,-1);
#26=IFCDERIVEDUNITELEMENT(#21,1);
#27=IFCDIMENSIONALEXPONENTS(0,0,0,0,0,0,0);
#28=IFCMEASUREWITHUNIT(IFCPLANEANGLEMEASURE(0.0174),#29);
#29=IFCSIUNIT(*,.PLANEANGLEUNIT.,$,.RADIAN.);
#30=IFCWALL('0evctVUKr0kugbFTf53O9L',#2,'Wand',$,'Typ',$,$,'T1',.SOLIDWALL.);
#31=IFCDOOR('0fvctVUKr0kugbFTf53O9L',#2,'Tür',$,$,$,$,'T2',2100.,900.,.DOOR.,$,$);
#32=IFCOPENINGELEMENT('0gvctVUKr0kugbFTf53O9L',#2,'O',$,$,$,$,$,.OPENING.);
#33=IFCRELVOIDSELEMENT('0hvctVUKr0kugbFTf53O9L',#2,$,$,#30,#32);
#34=IFCRELFILLSELEMENT('0ivctVUKr0kugbFTf53O9L',#2,$,$,#32,#31);
#35=IFCRELCONTAINEDINSPATIALSTRUCTURE('0jvctVUKr0kugbFTf53O9L',#2,$,$,(#30,#31),#12);
#40=IFCPROPERTYSINGLEVALUE('ThermalTransmittance',$,IFCTHERMALTRANSMITTANCEMEASURE(0.17),$);
#41=IFCPROPERTYENUMERATEDVALUE('Status',$,(IFCLABEL('NEW')),$);
#42=IFCPROPERTYBOUNDEDVALUE('B',$,IFCREAL(1.),IFCREAL(2.),$,$);
#43=IFCPROPERTYLISTVALUE('L',$,(IFCREAL(1.),IFCREAL(2.)),$);
#44=IFCPROPERTYTABLEVALUE('T',$,(IFCREAL(1.)),(IFCREAL(2.)),$,$,$,$);
#45=IFCCOMPLEXPROPERTY('C',$,'u',(#40,#41));
#46=IFCPROPERTYSET('0kvctVUKr0kugbFTf53O9L',#2,'Pset_WallCommon',$,(#40,#41,#42,#43,#44,#45));
#47=IFCRELDEFINESBYPROPERTIES('0lvctVUKr0kugbFTf53O9L',#2,$,$,(#30),#46);
#48=IFCQUANTITYAREA('NetSideArea',$,$,12.5,$);
#49=IFCELEMENTQUANTITY('0mvctVUKr0kugbFTf53O9L',#2,'Q',$,$,(#48));
#50=IFCRELDEFINESBYPROPERTIES('0nvctVUKr0kugbFTf53O9L',#2,$,$,(#30),#49);
#51=IFCWALLTYPE('0ovctVUKr0kugbFTf53O9L',#2,'AW-01',$,$,(#46),$,$,$,.SOLIDWALL.);
#52=IFCRELDEFINESBYTYPE('0pvctVUKr0kugbFTf53O9L',#2,$,$,(#30),#51);
#60=IFCMATERIAL('Beton',$,$);
#61=IFCMATERIALLAYER(#60,180.,$,$,$,$,$);
#62=IFCMATERIALLAYERSET((#61),'AW',$);
#63=IFCMATERIALLAYERSETUSAGE(#62,.AXIS2.,.POSITIVE.,0.,$);
#64=IFCRELASSOCIATESMATERIAL('0qvctVUKr0kugbFTf53O9L',#2,$,$,(#30),#63);
#65=IFCCLASSIFICATION($,$,$,'eBKP-H',$,$,$);
#66=IFCCLASSIFICATIONREFERENCE($,'E2.1','Wand',#65,$,$);
#67=IFCRELASSOCIATESCLASSIFICATION('0rvctVUKr0kugbFTf53O9L',#2,$,$,(#30),#66);
#68=IFCZONE('0svctVUKr0kugbFTf53O9L',#2,'Z',$,$,$);
#69=IFCRELASSIGNSTOGROUP('0tvctVUKr0kugbFTf53O9L',#2,$,$,(#13),$,#68);
#70=IFCMAPCONVERSION(#71,#72,2600000.,1200000.,400.,1.,0.,1.);
#71=IFCGEOMETRICREPRESENTATIONCONTEXT($,'Model',3,1.E-5,$,$);
#72=IFCPROJECTEDCRS('EPSG:2056','LV95',$,'LN02',$,$,$);
ENDSEC;
END-ISO-10303-21;
"""

IFCXML = """<?xml version="1.0"?><ifcXML xmlns="http://www.buildingsmart-tech.org/ifcXML/IFC4/Add2">
<header><name>a</name></header>
<IfcProject id="i1" GlobalId="0YvctVUKr0kugbFTf53O9L" Name="Haus"><UnitsInContext><Units><IfcSIUnit UnitType="lengthunit" Prefix="milli" Name="metre"/></Units></UnitsInContext>
<IsDecomposedBy><IfcRelAggregates GlobalId="1a" ><RelatedObjects><IfcSite id="i2" GlobalId="1YvctVUKr0kugbFTf53O9L" Name="P"/></RelatedObjects></IfcRelAggregates></IsDecomposedBy></IfcProject>
<IfcWall id="i3" GlobalId="2YvctVUKr0kugbFTf53O9L" Name="W&#252;nd"><IsDefinedBy><IfcRelDefinesByProperties><RelatingPropertyDefinition><IfcPropertySet Name="Pset_WallCommon"><HasProperties><IfcPropertySingleValue Name="FireRating"><NominalValue><IfcLabel-wrapper>EI60</IfcLabel-wrapper></NominalValue></IfcPropertySingleValue></HasProperties></IfcPropertySet></RelatingPropertyDefinition></IfcRelDefinesByProperties></IsDefinedBy></IfcWall>
<IfcRelContainedInSpatialStructure><RelatedElements><IfcWall ref="i3" xsi:nil="true"/></RelatedElements><RelatingStructure ref="i2"/></IfcRelContainedInSpatialStructure>
</ifcXML>
"""

IFCXML2 = """<?xml version="1.0"?><ex:iso_10303_28 xmlns:ex="urn:iso.org:standard:10303:part(28):version(2):xmlschema:common"><uos id="uos_1" xmlns="http://www.iai-tech.org/ifcXML/IFC2x3/FINAL">
<IfcBuilding id="i1"><GlobalId>0YvctVUKr0kugbFTf53O9L</GlobalId><Name>Haus</Name><OwnerHistory><IfcOwnerHistory xsi:nil="true" ref="i9"/></OwnerHistory></IfcBuilding>
<IfcPropertySingleValue id="i2"><Name>U</Name><NominalValue><IfcReal>0.2</IfcReal></NominalValue></IfcPropertySingleValue>
<IfcRelAggregates id="i4"><RelatingObject><IfcBuilding ref="i1"/></RelatingObject><RelatedObjects ex:cType="set"><IfcSpace ex:pos="0" ref="i5"/></RelatedObjects></IfcRelAggregates>
</uos></ex:iso_10303_28>
"""

CSVS = {
    "de": "Projekt;Schulhaus\n\nNr.;Betreff;Frage;Antwort;Status;Eingang;Frist;Gefragt von;Zu beantworten durch\n"
    "RFI-001;Tür;Welche Klasse?;EI30;Beantwortet;01.03.2026;12. März 2026;A. Muster (Beispiel AG);B. Probe\n"
    'RFI-002;Wand;"Wie dick?\nUnd 2O2Fr$t4X7Zf8NOew3FNr2?";;Offen;2026-03-02;;A. Muster;\n',
    "en": "RFI Number,Revision,Subject,Question,Official Answer,Status,Date Created,Due Date,Ball in Court,Cost Impact\n"
    "14,0,Slab,How thick?,240 mm,Closed,3/14/2026,3/20/26 10:15 AM,C,TBD\n14,1,Slab,Again?,,Open,3/15/2026,,,\n",
    "fr": "sep=|\nN°|Objet|Question|R\u00e9ponse|Statut|Date\n1|Porte|Quelle?|EI30 (A. Exemple, 2 mars 2026)|Ouvert|2 mars 2026\n",
    "map": "@map Bemerkung=question;Nummer=number;pendent>open;month-first\nNummer\tBemerkung\tStand\nX-1\tWas?\tpendent\n",
    "sia": "SIA 380/1:2016;Energienachweis\nEnergiebezugsfläche EBF;2’268;m²\nGebäudehüllzahl;1.10;\nHeizwärmebedarf QH;25.0;kWh/m²\n"
    "Grenzwert QH,li;31.2;kWh/m²\nBauteil;Bezeichnung;U-Wert W/(m²K);Grenzwert\nAW-01;Aussenwand;0.15;0.17\n",
}

JSONS = {
    "list": {"rfis": [{"number": "RFI-1", "subject": "Tür", "question": {"body": "Welche?"}, "answers": [
        {"text": "EI30", "author": {"name": "A"}, "createdAt": "2026-03-01T10:00:00Z", "official": True}],
        "dueDate": "2026-03-10", "status": "open", "assignees": ["B", {"name": "C"}]}]},
    "flat": [{"Nummer": 1, "Betreff": "a", "Frage": "b", "Status": None, "x": {"y": {"z": [1, 2.5, True]}}}],
}

TABLES = [
    ("rfis.csv", "id,title,question,status,created_at,created_by,assigned_to,deleted_at,custom_identifier\n"
     "u1,Slab,How thick?,open,2026-03-01T10:00:00Z,p1,p2,,RFI-1\nu2,Door,Which?,closed,2026-03-02,p2,,2026-03-03,RFI-2\n"),
    ("rfis_rfi_responses.csv", "rfi_id,text,created_at,created_by\nu1,240 mm,2026-03-04,p2\n"),
    ("rfi_assignees.csv", "rfi_id,user_id,company\nu1,p2,Beispiel AG\n"),
    ("users.csv", "id,name,email\np1,A. Muster,a@example.ch\np2,B. Probe,b@example.ch\n"),
    ("rfi_custom_attributes.csv", "rfi_id,attribute_id,value\nu1,c1,rot\n"),
    ("project_custom_attributes.csv", "id,name\nc1,Farbe\n"),
    ("attachments.csv", "entity_id,display_name\nu1,plan.pdf\n"),
    ("plan.pdf", "%PDF-"),
]

BCF = [
    ("bcf.version", '<Version VersionId="2.1"><DetailedVersion>2.1</DetailedVersion></Version>'),
    ("project.bcfp", '<ProjectExtension><Project ProjectId="p"><Name>Haus</Name></Project></ProjectExtension>'),
    ("t1/markup.bcf", '<Markup><Header><File IfcProject="0"><Filename>a.ifc</Filename></File></Header>'
     '<Topic Guid="t1" TopicType="Clash" TopicStatus="Open"><Title>K-01 Tür</Title><Priority>hoch</Priority>'
     "<CreationDate>2026-03-01T10:00:00+01:00</CreationDate><CreationAuthor>a@example.ch</CreationAuthor><AssignedTo>B</AssignedTo>"
     '<DueDate>2026-03-10</DueDate><Description>Welche?</Description><Labels>ARC</Labels><ReferenceLink>x</ReferenceLink>'
     '<BimSnippet><Reference>s.ifc</Reference></BimSnippet><DocumentReference Guid="d" isExternal="false"><ReferencedDocument>../d.pdf</ReferencedDocument></DocumentReference>'
     '<RelatedTopic Guid="t2"/></Topic><Comment Guid="c"><Date>2026-03-02T10:00:00Z</Date><Author>B</Author><Comment>EI30</Comment></Comment>'
     '<Viewpoints Guid="v"><Viewpoint>viewpoint.bcfv</Viewpoint><Snapshot>snapshot.png</Snapshot></Viewpoints></Markup>'),
    ("t1/viewpoint.bcfv", '<VisualizationInfo Guid="v"><Components><Selection><Component IfcGuid="2O2Fr$t4X7Zf8NOew3FNr2">'
     '<AuthoringToolId>7</AuthoringToolId></Component></Selection></Components></VisualizationInfo>'),
    ("t1/snapshot.png", b"\x89PNG\r\n\x1a\n"),
    ("t2/markup.bcf", '<Markup><Topic Guid="t2"><Title>K-02</Title><Comments><Comment><Comment>x</Comment></Comment></Comments>'
     '<DocumentReferences><DocumentReference><DocumentGuid>d1</DocumentGuid><Description>Plan</Description></DocumentReference></DocumentReferences>'
     '<Viewpoints><ViewPoint Guid="w"><Viewpoint>a.bcfv</Viewpoint></ViewPoint></Viewpoints></Topic></Markup>'),
    ("documents.xml", '<DocumentInfo><Documents><Document Guid="d1"><Filename>plan.pdf</Filename></Document></Documents></DocumentInfo>'),
    ("documents/d1", b"x"),
]

MAIL = ("From: \"A. Muster\" <a@example.ch>\r\nTo: b@example.ch\r\nSubject: =?utf-8?Q?AW:_RFI-014_T=C3=BCr?=\r\n"
        "Date: Mon, 02 Mar 2026 10:15:00 +0100\r\nMessage-ID: <m@example.ch>\r\nReferences: <a@example.ch> <b@example.ch>\r\n"
        "Thread-Index: AQHVxyz=\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=x\r\n\r\n"
        "--x\r\nContent-Type: text/plain; charset=iso-8859-1\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n"
        "Die T=FCr ist EI30.\r\n\r\nAm 02.03.2026 um 10:15 schrieb B:\r\n> Welche?\r\n>> Ja\r\n\r\n-----Original Message-----\r\n"
        "From: B\r\nSent: 1 March 2026\r\nTo: A\r\nSubject: Slab\r\n\r\nHow thick?\r\n"
        "--x\r\nContent-Type: message/rfc822\r\n\r\nFrom: c@example.ch\r\nDate: x\r\n\r\nInnen\r\n"
        "--x\r\nContent-Type: application/pdf; name=\"../plan.pdf\"\r\nContent-Transfer-Encoding: base64\r\n\r\nSGFsbG8=\r\n--x--\r\n")


def table(head, *rows):
    """The table of short properties in a message: kind, name, value."""
    return bytes(head) + b"".join(struct.pack("<HHIQ", kind, name, 6, value) for kind, name, value in rows)


S = "__substg1.0_"
MSG = [
    ("__properties_version1.0", table(32, (0x40, 0x0039, 134169165000000000), (3, 0x3FFD, 1252))),
    (S + "0037001F", "RE: RFI-014 Türen"),
    (S + "0C1A001F", "A. Muster"),
    (S + "5D01001F", "a@example.ch"),
    (S + "1000001F", "EI30.\r\n\r\nFrom: B\r\nSent: 1 March 2026\r\nTo: A\r\nSubject: RFI\r\n\r\nWhich?"),
    (S + "1035001F", "<m1@example.ch>"),
    (S + "00710102", bytes([7] * 27)),
    (S + "007D001F", "From: x@example.ch\r\nThread-Topic: Türen\r\n\r\n"),
    ("__recip_version1.0_#00000000/" + S + "3001001F", "B. Probe"),
    ("__recip_version1.0_#00000000/" + S + "39FE001F", "b@example.ch"),
    ("__recip_version1.0_#00000000/__properties_version1.0", table(8, (3, 0x0C15, 1))),
    ("__attach_version1.0_#00000000/" + S + "3707001F", "plan.txt"),
    ("__attach_version1.0_#00000000/" + S + "37010102", b"Hallo"),
    ("__attach_version1.0_#00000001/" + S + "3001001F", "Anfrage"),
    ("__attach_version1.0_#00000001/" + S + "3701000D/" + S + "1000001F", "Welche?"),
    ("__attach_version1.0_#00000001/" + S + "3701000D/__properties_version1.0", table(24, (0x40, 0x0039, 134169165000000000))),
]

MSG_HTML = [
    ("__properties_version1.0", table(32, (0x40, 0x0E06, 134169165000000000), (3, 0x3FDE, 65001))),
    (S + "0037001E", b"T\xfcr"),
    (S + "10130102", b"<html><body><p>Hallo<br>du</p></body></html>"),
    (S + "10090102", b"x"),
]

HTML = ('<!DOCTYPE html><html><head><meta charset="windows-1252"><title>Merkblatt</title><style>p{}</style></head><body><nav><a>x</a></nav>'
        "<h1>T\u00fcren</h1><p>Die T\u00fcr&shy;bl\u00e4tter<br>sind <b>EI30</b>.<script>if(a<b)</script><h2>Liste</h2>"
        "<table><thead><tr><th colspan=2>A<th>B</thead><tr><td>1<td>2<td><table><tr><td>innen</table></table><ul><li>eins<li>zwei</ul></body></html>")

MARKDOWN = ("---\ntitle: x\n---\n# Bau\n\nErster[^1]\nSatz.\n\n## Tabelle\n\n| a | b |\n|---|:-:|\n| 1 | 2 |\n\n3. drei\n4. vier\n   - tief\n\n- [x] gut\n\n"
            "```\n# kein\n```\n\n> Zitat\n\n<table><tr><td>z</table>\n\nSetext\n======\n\n[^1]: Quelle\n")

RTF = (b"{\\rtf1\\ansi\\ansicpg1252\\uc1{\\fonttbl{\\f0\\fcharset0 Arial;}{\\f1\\fcharset238 T;}}{\\stylesheet{\\s1 heading 1;}{\\s2 \\'dcberschrift 2;}}"
       b"{\\info{\\title Titel}{\\author A. Muster}}\\pard\\s1 Kapitel\\par\\pard Text \\'fc \\u252?\\u-10179?\\u-8704? {\\f1 \\'f8} \\emdash{}x\\line y"
       b"{\\footnote Note}{\\*\\annotation{\\*\\atnauthor B}Kommentar}\\par{\\deleted weg}\\trowd\\trhdr\\pard\\intbl A\\cell B\\cell\\row"
       b"\\trowd\\pard\\intbl 1\\cell\\intbl 2\\par 3\\cell\\row\\pard\\outlinelevel1 Unter\\par{\\pict\\bin4 abcd}{\\*\\shpinst{\\shptxt T}}\\par}")

DXF = ("999\nvon Hand\n  0\nSECTION\n  2\nHEADER\n  9\n$ACADVER\n  1\nAC1032\n  0\nENDSEC\n  0\nSECTION\n  2\nENTITIES\n"
       "  0\nTEXT\n  8\nWand\n  1\n%%c12 %%p3 \\U+00FC\n  0\nMTEXT\n  8\nText\n  3\n{\\fArial|b1;St\n  1\nahl}\\Pbeton \\S1/2; \\H2x;\\~x\n"
       "  0\nATTRIB\n  2\nNR\n  1\nA-1\n  0\nDIMENSION\n  1\n<> mm\n 42\n12.5\n  0\nMULTILEADER\n304\nHinweis\n  0\nENDSEC\n  0\nEOF\n")

DOCX = [
    ("[Content_Types].xml", "<Types/>"),
    ("_rels/.rels", relations(("officeDocument", "word/document.xml"))),
    ("word/_rels/document.xml.rels", relations(("styles", "styles.xml"), ("numbering", "numbering.xml"), ("footnotes", "footnotes.xml"),
                                               ("comments", "comments.xml"), ("header", "header1.xml"))),
    ("word/document.xml", f'<w:document {W}><w:body><w:p><w:pPr><w:pStyle w:val="H1"/></w:pPr><w:r><w:t>Bau</w:t></w:r></w:p>'
     '<w:p><w:pPr><w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr></w:pPr><w:r><w:t xml:space="preserve">Die </w:t><w:tab/><w:br/>'
     '<w:sym w:char="F0FE"/><w:footnoteReference w:id="2"/><w:commentReference w:id="0"/></w:r><w:del><w:r><w:delText>weg</w:delText></w:r></w:del>'
     '<w:ins><w:r><w:t>neu</w:t></w:r></w:ins></w:p><w:tbl><w:tr><w:trPr><w:tblHeader/></w:trPr><w:tc><w:tcPr><w:gridSpan w:val="2"/></w:tcPr><w:p><w:r><w:t>A</w:t></w:r></w:p></w:tc></w:tr>'
     '<w:tr><w:tc><w:tcPr><w:vMerge w:val="restart"/></w:tcPr><w:p><w:r><w:t>1</w:t></w:r></w:p></w:tc><w:tc><w:p/></w:tc></w:tr><w:tr><w:tc><w:tcPr><w:vMerge/></w:tcPr><w:p/></w:tc></w:tr></w:tbl>'
     '<w:p><w:pPr><w:outlineLvl w:val="1"/></w:pPr><w:r><mc:AlternateContent><mc:Choice><w:txbxContent><w:p><w:r><w:t>Feld</w:t></w:r></w:p></w:txbxContent></mc:Choice><mc:Fallback/></mc:AlternateContent></w:r></w:p></w:body></w:document>'),
    ("word/styles.xml", f'<w:styles {W}><w:style w:styleId="H1"><w:name w:val="heading 1"/><w:basedOn w:val="H0"/><w:pPr><w:outlineLvl w:val="0"/><w:numPr><w:numId w:val="2"/></w:numPr></w:pPr></w:style><w:style w:styleId="H0"><w:name w:val="Title"/><w:basedOn w:val="H1"/></w:style></w:styles>'),
    ("word/numbering.xml", f'<w:numbering {W}><w:abstractNum w:abstractNumId="0"><w:lvl w:ilvl="0"><w:start w:val="3"/><w:numFmt w:val="lowerRoman"/><w:lvlText w:val="%1."/></w:lvl><w:lvl w:ilvl="1"><w:numFmt w:val="lowerLetter"/><w:lvlText w:val="%1.%2"/></w:lvl></w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/><w:lvlOverride w:ilvl="0"><w:startOverride w:val="7"/></w:lvlOverride></w:num><w:num w:numId="2"><w:abstractNumId w:val="0"/></w:num></w:numbering>'),
    ("word/footnotes.xml", f'<w:footnotes {W}><w:footnote w:id="2"><w:p><w:r><w:t>Quelle</w:t></w:r></w:p></w:footnote></w:footnotes>'),
    ("word/comments.xml", f'<w:comments {W}><w:comment w:id="0" w:author="B" w:date="2026-03-02T10:00:00Z"><w:p><w:r><w:t>?</w:t></w:r></w:p></w:comment></w:comments>'),
    ("word/header1.xml", f"<w:hdr {W}><w:p><w:r><w:t>Kopf</w:t></w:r></w:p></w:hdr>"),
    ("word/embeddings/a.xlsx", b"x"),
    ("docProps/core.xml", "<cp:coreProperties><dc:title>Titel</dc:title><dc:creator>A</dc:creator><dcterms:created>2026-03-01</dcterms:created></cp:coreProperties>"),
]

PPTX = [
    ("[Content_Types].xml", "<Types/>"),
    ("_rels/.rels", relations(("officeDocument", "ppt/presentation.xml"))),
    ("ppt/presentation.xml", '<p:presentation><p:sldIdLst><p:sldId id="256" r:id="r0"/><p:sldId id="257" r:id="r1"/></p:sldIdLst></p:presentation>'),
    ("ppt/_rels/presentation.xml.rels", relations(("slide", "slides/slide1.xml"), ("slide", "slides/slide2.xml"), ("commentAuthors", "commentAuthors.xml"))),
    ("ppt/slides/slide1.xml", '<p:sld><p:cSld><p:spTree><p:sp><p:nvSpPr><p:nvPr><p:ph type="title"/></p:nvPr></p:nvSpPr><p:txBody><a:p><a:r><a:t>Titel</a:t></a:r></a:p></p:txBody></p:sp>'
     '<p:sp><p:nvSpPr><p:nvPr><p:ph type="sldNum"/></p:nvPr></p:nvSpPr><p:txBody><a:p><a:fld type="slidenum"><a:t>1</a:t></a:fld></a:p></p:txBody></p:sp>'
     '<p:graphicFrame><a:graphic><a:graphicData><a:tbl><a:tr><a:tc gridSpan="2"><a:txBody><a:p><a:r><a:t>A</a:t></a:r><a:br/></a:p></a:txBody></a:tc><a:tc hMerge="1"/></a:tr>'
     '<a:tr><a:tc rowSpan="2"><a:txBody><a:p/></a:txBody></a:tc><a:tc vMerge="1"/></a:tr></a:tbl></a:graphicData></a:graphic></p:graphicFrame></p:spTree></p:cSld></p:sld>'),
    ("ppt/slides/_rels/slide1.xml.rels", relations(("notesSlide", "../notesSlides/n1.xml"), ("comments", "../comments/c1.xml"), ("diagramData", "../diagrams/d1.xml"))),
    ("ppt/slides/slide2.xml", '<p:sld show="0"><p:cSld/></p:sld>'),
    ("ppt/notesSlides/n1.xml", '<p:notes><p:cSld><p:spTree><p:sp><p:nvSpPr><p:nvPr><p:ph type="body"/></p:nvPr></p:nvSpPr><p:txBody><a:p><a:r><a:t>Notiz</a:t></a:r></a:p></p:txBody></p:sp></p:spTree></p:cSld></p:notes>'),
    ("ppt/comments/c1.xml", '<p:cmLst><p:cm authorId="0" dt="2026-03-02T10:00:00"><p:text>Gut</p:text></p:cm></p:cmLst>'),
    ("ppt/commentAuthors.xml", '<p:cmAuthorLst><p:cmAuthor id="0" name="B"/></p:cmAuthorLst>'),
    ("ppt/diagrams/d1.xml", "<dgm:dataModel><dgm:pt><dgm:t><a:p><a:r><a:t>Kreis</a:t></a:r></a:p></dgm:t></dgm:pt></dgm:dataModel>"),
]

ODF = ('<?xml version="1.0"?><office:document><office:meta><dc:title>T</dc:title></office:meta><office:automatic-styles/><office:body><office:text>'
       '<text:tracked-changes><text:changed-region/></text:tracked-changes><text:h text:outline-level="2">Bau</text:h>'
       '<text:p>Die<text:s text:c="3"/>T\u00fcr<text:tab/><text:line-break/><text:note text:note-class="footnote"><text:note-citation>1</text:note-citation><text:note-body><text:p>Quelle</text:p></text:note-body></text:note>'
       "<office:annotation><dc:creator>B</dc:creator><dc:date>2026-03-02T10:00:00</dc:date><text:p>?</text:p></office:annotation></text:p>"
       '<text:list><text:list-item><text:p>eins</text:p></text:list-item></text:list><table:table><table:table-header-rows><table:table-row><table:table-cell table:number-columns-spanned="2"><text:p>A</text:p></table:table-cell><table:covered-table-cell/></table:table-row></table:table-header-rows>'
       '<table:table-row><table:table-cell table:number-columns-repeated="3"><text:p>1</text:p></table:table-cell></table:table-row></table:table></office:text></office:body></office:document>')
ODP = ('<?xml version="1.0"?><office:document><office:body><office:presentation><draw:page draw:name="a"><draw:frame presentation:class="title"><draw:text-box><text:p>Titel</text:p></draw:text-box></draw:frame>'
       "<draw:frame><draw:text-box><text:p>Text</text:p></draw:text-box></draw:frame><presentation:notes><draw:frame><draw:text-box><text:p>Notiz</text:p></draw:text-box></draw:frame></presentation:notes></draw:page></office:presentation></office:body></office:document>")

S_NS = f'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="{REL}"'
XLSX = [
    ("[Content_Types].xml", "<Types/>"),
    ("_rels/.rels", relations(("officeDocument", "xl/workbook.xml"))),
    ("xl/workbook.xml", f'<workbook {S_NS}><sheets><sheet name="RFI" sheetId="1" r:id="r0"/><sheet name="B" sheetId="2" state="hidden" r:id="r1"/></sheets></workbook>'),
    ("xl/_rels/workbook.xml.rels", relations(("worksheet", "worksheets/sheet1.xml"), ("worksheet", "worksheets/sheet2.xml"), ("sharedStrings", "sharedStrings.xml"), ("styles", "styles.xml"), ("person", "persons/person.xml"))),
    ("xl/worksheets/sheet1.xml", f'<worksheet {S_NS}><dimension ref="A1:D3"/><sheetData><row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c><c r="C1" t="inlineStr"><is><t>Frage</t></is></c><c r="D1" t="str"><v>Datum</v></c></row>'
     '<row r="2"><c r="A2"><v>1</v></c><c r="B2" t="s"><v>2</v></c><c r="C2" t="b"><v>1</v></c><c r="D2" s="1"><v>46082.5</v></c></row><row r="9"><c r="XFD9" t="e"><v>#N/A</v></c><c r="A9"><f>1+1</f><v>2</v></c></row></sheetData></worksheet>'),
    ("xl/worksheets/_rels/sheet1.xml.rels", relations(("comments", "../comments1.xml"), ("threadedComment", "../threadedComments/t1.xml"))),
    ("xl/worksheets/sheet2.xml", f'<worksheet {S_NS}><sheetData><row r="3"><c r="B3"><v>0.17</v></c></row></sheetData></worksheet>'),
    ("xl/sharedStrings.xml", f"<sst {S_NS}><si><t>Nr.</t></si><si><r><t>Be</t></r><r><t>treff</t></r></si><si><t xml:space=\"preserve\"> T\u00fcr </t></si></sst>"),
    ("xl/styles.xml", f'<styleSheet {S_NS}><numFmts><numFmt numFmtId="164" formatCode="dd.mm.yyyy"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="164"/></cellXfs></styleSheet>'),
    ("xl/comments1.xml", '<comments><authors><author>A</author></authors><commentList><comment ref="B2" authorId="0"><text><r><t>Hinweis</t></r></text></comment></commentList></comments>'),
    ("xl/threadedComments/t1.xml", '<ThreadedComments><threadedComment ref="C2" dT="2026-03-02" personId="{p}" id="{1}"><text>Frage?</text></threadedComment><threadedComment ref="C2" personId="{p}" id="{2}" parentId="{1}"><text>Ja</text></threadedComment></ThreadedComments>'),
    ("xl/persons/person.xml", '<personList><person displayName="B" id="{p}"/></personList>'),
]

ODS = [
    ("mimetype", "application/vnd.oasis.opendocument.spreadsheet"),
    ("content.xml", '<office:document-content><office:body><office:spreadsheet><table:table table:name="A"><table:table-row table:number-rows-repeated="2"><table:table-cell office:value-type="string" table:number-columns-repeated="2"><text:p>x</text:p></table:table-cell>'
     '<table:table-cell office:value-type="float" office:value="1.5"><text:p>1.5</text:p></table:table-cell><table:table-cell office:value-type="date" office:date-value="2026-03-02"/></table:table-row></table:table></office:spreadsheet></office:body></office:document-content>'),
]


def pdf():
    """Two pages with text in columns and a table, bookmarks, a comment, a form field, an embedded file, tags."""
    content = ("/P <</MCID 0>> BDC BT /F1 18 Tf 60 780 Td (Bericht) Tj ET EMC BT /F1 10 Tf 60 750 Td 14 TL (Die W\\344rme-) Tj T* (d\\344mmung ist neu.) Tj ET "
               "/Span <</ActualText (EI30)>> BDC BT /F2 10 Tf 60 700 Td <0001000200030004> Tj ET EMC 0.5 w 60 600 m 300 600 l S 60 560 240 0.8 re f 60 600 m 60 520 l S 180 600 m 180 520 l S 300 600 m 300 520 l S 60 520 m 300 520 l S "
               "BT /F1 9 Tf 64 585 Td (Bauteil) Tj 120 0 Td (U-Wert) Tj -120 -38 Td (AW-01) Tj 120 0 Td (0.15) Tj ET q 0 1 -1 0 560 100 cm BT /F1 8 Tf (Plan 1:50) Tj ET Q /X Do BT /F1 8 Tf 280 30 Td (Seite 1) Tj ET")
    cmap = "begincmap 1 begincodespacerange <0000> <FFFF> endcodespacerange 2 beginbfchar <0001> <0045> <0002> <00660069> endbfchar 1 beginbfrange <0003> <0004> <0033> endbfrange endcmap"
    objects = {
        1: "<</Type/Catalog/Pages 2 0 R/Outlines 8 0 R/AcroForm<</Fields[11 0 R]>>/StructTreeRoot 14 0 R/MarkInfo<</Marked true>>/Names<</EmbeddedFiles<</Names[(a.txt) 12 0 R]>>>>>>",
        2: "<</Type/Pages/Kids[3 0 R 4 0 R]/Count 2/MediaBox[0 0 595 842]>>",
        3: "<</Type/Page/Parent 2 0 R/Contents 5 0 R/StructParents 0/Resources<</Font<</F1 6 0 R/F2 7 0 R>>/XObject<</X 16 0 R>>>>/Annots[10 0 R 11 0 R]>>",
        4: "<</Type/Page/Parent 2 0 R/Rotate 90/CropBox[10 10 500 800]/Contents[5 0 R 5 0 R]/Resources<</Font<</F1 6 0 R/F2 7 0 R>>>>>>",
        5: content,
        6: "<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>",
        7: "<</Type/Font/Subtype/Type0/BaseFont/A/Encoding/Identity-H/ToUnicode 15 0 R/DescendantFonts[<</Type/Font/Subtype/CIDFontType2/BaseFont/A/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>/DW 500>>]>>",
        8: "<</First 9 0 R/Last 9 0 R/Count 1>>",
        9: "<</Title(Bericht)/Parent 8 0 R/Dest[3 0 R/XYZ 0 790 0]>>",
        10: "<</Type/Annot/Subtype/Highlight/Rect[60 740 200 760]/QuadPoints[60 760 200 760 60 740 200 740]/Contents(Pr\\374fen)/T(B)/M(D:20260302101500+01'00')>>",
        11: "<</Type/Annot/Subtype/Widget/FT/Tx/T(Name)/TU(Ihr Name)/V(A. Muster)/Rect[60 400 200 420]>>",
        12: "<</Type/Filespec/F(a.txt)/UF(a.txt)/EF<</F 13 0 R>>>>",
        13: "Hallo",
        14: "<</Type/StructTreeRoot/K<</S/P/Pg 3 0 R/K[0<</Type/MCR/MCID 1/Pg 3 0 R>>]>>>>",
        15: cmap,
        16: "BT /F1 8 Tf 400 700 Td (Formular) Tj ET",
    }
    streams = {5: "", 13: "/Type/EmbeddedFile", 15: "", 16: "/Type/XObject/Subtype/Form/BBox[0 0 595 842]/Resources<</Font<</F1 6 0 R>>>>"}
    out, places = b"%PDF-1.7\n", []
    for number, body in objects.items():
        places.append(len(out))
        if number in streams:
            data = body.encode("latin-1")
            out += f"{number} 0 obj\n<<{streams[number]}/Length {len(data)}>>stream\n".encode() + data + b"\nendstream\nendobj\n"
        else:
            out += f"{number} 0 obj\n{body}\nendobj\n".encode("latin-1")
    start = len(out)
    out += f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n".encode() + b"".join(f"{p:010} 00000 n \n".encode() for p in places)
    info = "/Info<</Title(Bericht)/Author(A)/CreationDate(D:20260301)>>"
    return out + f"trailer<</Size {len(objects) + 1}/Root 1 0 R{info}>>\nstartxref\n{start}\n%%EOF\n".encode()


LAYOUT = [
    # Page size, then pen commands: see src/layout.rs.
    bytes([72, 100]) + b"\x01\x0cErster Absatz" + b"\x03\x01\x14zweite Zeile davon x" + b"\x03\x00\x03\x03\x00\x04" + b"\x0c\x03\x04\x03\x28" + bytes(range(10, 30)),
    bytes([72, 100]) + b"".join(b"\x07\x20" + bytes([y]) + b"\x01\x10links steht etwas" + b"\x07\x90" + bytes([y]) + b"\x01\x11rechts auch einmal" for y in range(40, 120, 8)),
    bytes([72, 100, 8, 120]) + b"\x00\x0e\x03\x08\x3c" + b"\x01\x0aUnter dem " * 3 + b"\x10\x00\x0a\x03\x00\x21\x10\x00\x0a",
    bytes([72, 100, 10, 2]) + b"\x01\x08Plankopf" + b"\x0a\x00\x0d\x40\x0e\x40\x0b\x05\x01\x05Marke\x0f\x03\x05",
]

TSV = b"5\t1\t1\t1\t1\t1\t10\t20\t30\t12\t91.5\tW\xc3\xa4rme\n5\t1\t1\t1\t1\t2\t45\t20\t30\t12\t80\tdie\n5\t1\t1\t2\t1\t1\t10\t60\t30\t40\t20\t|\n"
OCR = bytes([200, 120, 249, 6]) + b"ab" + b"\xff\x0f\xf0\x3c\xc3\x00" + b"Orientation in degrees: 90\nRotate: 90\n\0" + TSV + b"\0" + TSV

DOCUMENTS = {
    "pdf": {"kind": "pdf", "title": "T", "metadata": {}, "pages": [{"number": 1, "width_pt": 100, "height_pt": 100, "text": "a", "words": [
        {"text": "Wärme-", "box": [1, 1, 9, 9], "block": 0, "line": 0}, {"text": "dämmung", "box": [1, 9, 9, 19], "block": 0, "line": 1}, {"text": "AW-01", "box": [1, 30, 9, 39], "block": 1, "line": 2}],
        "tables": [{"box": [1, 30, 9, 39], "rows": [["Bauteil", "U"], ["AW-01", "0.15"]], "header_rows": 1, "row_boxes": [[1, 30, 9, 35], [1, 35, 9, 39]], "caption": "Tabelle 1", "block": 1,
                    "spans": [{"row": 0, "column": 0, "rows": 2, "columns": 1}], "continued": True, "header": [["x", "y"]]}],
        "headings": [{"block": 0, "level": 1, "text": "Bau"}], "furniture": [3], "annotations": [{"type": "text", "box": [1, 1, 2, 2], "text": "gut", "author": "B", "date": "2026-03-02T1"}],
        "fields": [{"name": "n", "type": "checkbox", "value": "v", "checked": True, "box": [1, 1, 2, 2]}]}],
        "facts": [{"kind": "u_value", "element": "AW-01", "label": "Wand", "value": "0.15", "unit": "W/(m2.K)", "place": {"type": "pdf", "page": 1, "boxes": []}}]},
    "ifc": {"kind": "ifc", "title": "T", "metadata": {"schema": "IFC4"}, "spatial": [{"global_id": "p", "class": "IfcProject", "name": "P", "parent": ""}, {"global_id": "s", "class": "IfcBuildingStorey", "name": "EG", "parent": "p", "elevation_m": 1.5}],
            "elements": [{"global_id": "e%d" % n, "class": c, "name": "W", "type": "AW", "storey": "EG", "parents": ["p", "s"], "properties": {"Pset": {"U": {"value": "0.1", "unit": "m"}}},
                          "quantities": {"Area": {"value": 2.5, "unit": "m2"}}, "materials": ["Beton 0.2 m"], "classifications": [{"system": "eBKP-H", "code": "E2", "name": "W"}], "groups": [{"class": "IfcZone", "name": "Z", "global_id": "z"}]}
                         for n, c in enumerate(["IfcWall", "IfcDoor", "IfcSpace", "IfcWall"])]},
    "rfi": {"kind": "rfi", "title": "T", "metadata": {}, "records": [{"number": "RFI-1", "subject": "S", "question": "Welche Tür?", "answers": [{"text": "EI30", "author": "A", "date": "2026-03-02", "official": True}],
            "status": "offen", "state": "open", "parties": [{"part": "author", "name": "A"}], "fields": {"x": "y"}, "elements": [{"global_id": "g"}]}]},
    "mail": {"kind": "mail", "title": "T", "metadata": {"from": "A", "message_id": "m"}, "sections": [{"heading": "T", "line": 1, "text": "Guten Tag\n\nText"}], "quoted": [{"heading": "B", "line": 1, "text": "alt"}],
             "attachments": [{"name": "a.pdf", "part": 1, "bytes": "SGFsbG8="}]},
    "sheet": {"kind": "sheet", "title": "T", "metadata": {}, "sheets": [{"name": "A", "first_row": 3, "rows": [["a", "b"], ["1", "2"]], "header_rows": 1}], "notes": [{"sheet": "A", "cell": "B4", "row": 4, "author": "B", "text": "x"}]},
    "text": {"kind": "text", "title": "T", "metadata": {}, "sections": [{"heading": "H", "path": ["G"], "line": 4, "unit": "paragraph", "text": "a b c. D e\n\nf"}, {"heading": "H", "line": 9, "unit": "slide", "text": "", "rows": [["a", "b"], ["1", "2"]], "header_rows": 1}]},
}

ENVELOPE = {"actor_pid": "0" * 32, "boot_id": "b", "clock_src": "system", "config_sha256": None, "event_id": "1" * 32, "kind": "server_stop", "nonce": "n", "outcome": "ok", "payload_commit": "2" * 64,
            "project_id": None, "purpose": "p", "retention_class": "r", "role": "system", "seq": 3, "session_id": None, "sw_build_sha256": "", "target_ids": [], "ts_utc": "2026-03-02T10:00:00.000000Z", "v": 1}
# A key and a note in the spelling of C2SP's signed-note (the key of its specification's example).
NOTE = "example.com/foo+530d903f+AekkTmKCvDUSuGWhG5b4ZGOfKUT5f3UUPB0ZfC4DIGBp\n\nexample.com/foo\n12\nAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=\n\n\u2014 example.com/foo Uw2QP4AAAAA=\n"


def archive(*members):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as target:
        for name, body in members:
            target.writestr(name, body)
    return out.getvalue()


def gguf(version=3, alignment=32):
    """A model file with a value of every type and tensors of plain and packed numbers."""
    text = lambda s: struct.pack("<Q", len(s)) + s.encode()
    values = [("general.architecture", 8, text("llama")), ("general.alignment", 4, struct.pack("<I", alignment)), ("a.bool", 7, b"\1"), ("a.u8", 0, b"\7"), ("a.i16", 3, struct.pack("<h", -2)),
              ("a.u64", 10, struct.pack("<Q", 1 << 40)), ("a.f32", 6, struct.pack("<f", 1e-5)), ("a.f64", 12, struct.pack("<d", float("nan"))),
              ("tokenizer.ggml.tokens", 9, struct.pack("<IQ", 8, 2) + text("<s>") + text("Wand")), ("tokenizer.ggml.scores", 9, struct.pack("<IQff", 6, 2, 0, -1))]
    tensors = [("token_embd.weight", (32, 2), 0, 256), ("blk.0.attn_q.weight", (32, 1), 2, 18), ("blk.0.ffn_up.weight", (256, 1, 1), 14, 210), ("output_norm.weight", (3,), 1, 6)]
    out, at = b"GGUF" + struct.pack("<IQQ", version, len(tensors), len(values)), 0
    for key, kind, value in values:
        out += text(key) + struct.pack("<I", kind) + value
    for name, dims, kind, size in tensors:
        out += text(name) + struct.pack(f"<I{len(dims)}QIQ", len(dims), *dims, kind, at)
        at += -(-size // alignment) * alignment
    return out + bytes(-len(out) % alignment) + bytes(range(256)) * (at // 256) + bytes(at % 256)


def made():
    """Every target's inputs that are made here."""
    yield "step", [STEP, "ISO-10303-21;DATA;#1=IFCWALL('a',$);"]
    yield "ifcxml", [IFCXML, IFCXML2]
    yield "csv", list(CSVS.values()) + [CSVS["de"].encode("cp1252"), CSVS["fr"].encode("cp850"), CSVS["en"].encode("utf-16")]
    yield "json", [json.dumps(one, ensure_ascii=False) for one in JSONS.values()]
    yield "tables", [parts(TABLES), parts(TABLES[:2])]
    yield "bcf", [parts(BCF), parts(BCF[2:5])]
    yield "eml", [MAIL, "From: a@example.ch\nDate: x\n\nText\n", "Subject: x\nContent-Type: text/html\n\n<p>Hallo<br>du\n"]
    yield "msg", [parts(MSG), parts(MSG_HTML)]
    yield "html", [HTML.encode("cp1252"), HTML, "<p>a<table><td>b"]
    yield "markdown", [MARKDOWN, "# A\n\nx\n"]
    yield "rtf", [RTF, b"{\\rtf1 x\\par}"]
    yield "dxf", [DXF, "0\nSECTION\n0\nTEXT\n1\nx\n"]
    yield "text", ["# Sitzung\n\nProtokoll.\n\n## Beschluss\nDie Türen.\n", "Grün; Höhe".encode("cp850"), "Wände\r\nx".encode("utf-16-be"), "a\n" * 40]
    yield "docx", [parts(DOCX), parts(DOCX[:4])]
    yield "pptx", [parts(PPTX), parts(PPTX[:5])]
    yield "odf", [ODF, ODP, parts([("content.xml", ODF), ("meta.xml", "<meta><title>T</title></meta>")])]
    yield "sheet", [parts(XLSX), archive(*ODS), archive(*XLSX), parts(ODS)]
    nested = archive(("a/b.docx", archive(*DOCX[:4])), ("c.txt", "Text"), ("__MACOSX/._x", ""))
    yield "archive", [b"\0" + archive(("a.txt", "x"), ("b/c.md", "# A")), b"\2" + archive(("m.ifc", STEP)), b"\0" + nested, b"\1" + parts([("x.rtf", RTF), ("mimetype", "application/vnd.oasis.opendocument.text")])]
    yield "pdf", [pdf()]
    yield "layout", LAYOUT
    yield "ocr", [OCR]
    yield "chunk", [json.dumps(one, ensure_ascii=False) for one in DOCUMENTS.values()]
    yield "facts", ["EBF;2268 m²\nGebäudehüllzahl Ath/AE;1.1\n", "Bauteil;U-Wert W/(m²K)\nAW-01;0.15\n", "Surface de référence énergétique SRE: 1'080 m²\n\nValeur limite QH,li = 31.2 kWh/m²\n\nKlimastation: Bern, 553 m\n",
                    "| Element | U |\n|---|---|\n| AW-01 | 0,15 |\n\nHeizwärmebedarf Qh 90 MJ/m2 a\n"]
    yield "pumped", [bytes([n, 13, 13, len(before), len(one), len(between), len(other)]) + before + one + between + other for n, (before, one, between, other) in enumerate([
        (b"\\outlinelevel0 ", b"x", b"\\par\\outlinelevel1 ", b"\\b {\\i x}\\par "), (b"0\nTEXT\n8\n", b"x", b"\n1\ny\n", b"0\nTEXT\n1\nx\n"), (b"#1=IFCWALL('", b"a", b"');", b"#2=IFCWALL('b');\n"), (b"<IfcWall a='", b"a", b"'/>", b"<IfcWall>"),
        (b"<h1>", b"x", b"</h1>", b"<h2>a</h2>b"), (b"# ", b"x", b"\n", b"[^1]: a\n\n"), (b"# ", b"x", b"\n", b"a b. c\n"), (b"", b"a;", b"\n", b"b;c\n"), (b"1;", b"x", b";y\n", b'1;x;"y\nz";w\n'),
        (b"[{\"", b"a", b"\":1},", b'{"a":[1]},'), (b"Subject: ", b"x", b"\n\n", b"> x\nOn 1 a wrote:\n"), (b"<text:h>", b"x", b"</text:h>", b"<text:h text:outline-level='2'>a</text:h>"), (b"EBF ", b"2 ", b"m2\n\n", b"EBF 2 m2\n\n"), (b"1 0 obj ", b"[", b"", b"(x)"),
    ])]
    yield "gguf", [gguf(), gguf(2, 8), gguf()[:-100], b"GGUF" + struct.pack("<IQQ", 3, 1 << 60, 1 << 60)]
    yield "checkpoint", [b"\0" + NOTE.encode(), b"\1" + json.dumps(ENVELOPE).encode(), b"\2" + json.dumps({"kind": "server_start", "version": "1", "device": "cpu", "listen": ["127.0.0.1"]}).encode(), b"\3" + struct.pack("<QQQ", 2, 1, 0) + bytes(96)]
    yield "log", [b"", bytes([0, 0, 0, 9, 1]), bytes([3, 5, 0, 1, 65, 1, 3, 0, 0, 10]), b"@@ tail/001\nx y\n", b"@@ checkpoints/7\nx\n"]


KINDS = {".ifc": "step", ".ifcxml": "ifcxml", ".csv": "csv", ".tsv": "csv", ".json": "json", ".bcf": "bcf", ".bcfzip": "bcf", ".eml": "eml", ".msg": "msg", ".html": "html", ".htm": "html", ".md": "markdown",
         ".rtf": "rtf", ".dxf": "dxf", ".txt": "text", ".docx": "docx", ".pptx": "pptx", ".odt": "odf", ".odp": "odf", ".xlsx": "sheet", ".xls": "sheet", ".ods": "sheet", ".zip": "archive", ".ifczip": "archive", ".pdf": "pdf"}


def from_files(folder):
    """Target and input for every file of a folder that a target reads; of models only the beginning is used."""
    for path in sorted(p for p in folder.rglob("*") if p.is_file()):
        target = KINDS.get(path.suffix.lower())
        if target is None or path.stat().st_size > 8 << 20:
            continue
        data = path.read_bytes()
        if data.startswith(b"PK") and target in ("bcf", "docx", "pptx", "odf", "sheet"):
            try:
                data = unpacked(data)
            except (zipfile.BadZipFile, RuntimeError, NotImplementedError, OSError):
                pass
        if target == "archive":
            data = b"\0" + data
        # The end of a cut archive, message or PDF is what it is found by.
        if len(data) <= LONGEST or target in ("step", "csv", "json", "eml", "html", "markdown", "rtf", "dxf", "text", "docx", "bcf", "sheet"):
            yield target, data[:LONGEST]


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    out = Path(sys.argv[1])
    counts = {}

    def write(target, data):
        data = data.encode() if isinstance(data, str) else data
        counts[target] = counts.get(target, 0) + 1
        folder = out / target
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"seed-{counts[target]:04}").write_bytes(data[:LONGEST])

    for target, inputs in made():
        for data in inputs:
            write(target, data)
    for folder in [SAMPLE, *map(Path, sys.argv[2:])]:
        for target, data in from_files(folder):
            write(target, data)
    print(" ".join(f"{target} {count}" for target, count in sorted(counts.items())))


if __name__ == "__main__":
    main()
