"""The requests for information: one register of the building trades, one of building services."""

from __future__ import annotations

from dataclasses import dataclass

from .project import PARTIES


@dataclass(frozen=True)
class Rfi:
    number: str
    revision: int
    subject: str
    question: str
    answer: str
    status: str
    priority: str
    discipline: str
    created: str
    due: str
    answered: str
    sender: str
    receiver: str
    plan: str


def person(code: str) -> str:
    return f"{PARTIES[code].person} ({code})"


# number | rev | discipline | from>to | plan | created due answered | status | priority | subject | question | answer
_TRADES = """
RFI-001|0|Baumeister|ING>ARC|ARC-101 b|13.04.2026 24.04.2026 17.04.2026|geschlossen|mittel|Kote Oberkante Magerbeton Haus A|Im Plan ARC-101 ist die Oberkante Magerbeton mit −3.88 m, im Plan ING-101 mit −3.93 m angegeben. Welche Kote gilt?|Es gilt −3.88 m: fertiger Boden −3.40 m minus 60 mm Überzug, 300 mm Bodenplatte und 120 mm XPS. Der Plan ING-101 nennt mit −3.93 m die Unterkante des Magerbetons und wird präzisiert.
RFI-002|0|Baumeister|BL>GEO|ING-101 b|14.04.2026 28.04.2026 16.04.2026|geschlossen|hoch|Tragfähigkeit Sohle Achse 6|Auf der Aushubsohle bei Achse 6 liegt eine weiche, siltige Linse von rund 4 × 3 m. Muss sie ersetzt werden?|Ja. Aushub 0.60 m tief und Ersatz mit Kiesgemisch 0/45, verdichtet in zwei Lagen, ME1 ≥ 60 MN/m². Abnahme durch den Geologen vor dem Magerbeton.
RFI-003|0|Baumeister|BL>ING|ING-101 b|20.04.2026 04.05.2026 23.04.2026|geschlossen|mittel|Fugenblech Bodenplatte und Wand|Darf statt des beschichteten Fugenblechs 150 mm ein Injektionsschlauch verwendet werden?|Nein. Das beschichtete Fugenblech 150 mm bleibt. Ein Injektionsschlauch kann zusätzlich in der Ecke Nordwest eingelegt werden.
RFI-004|0|Baumeister|BL>ARC|ARC-101 b|27.04.2026 11.05.2026 30.04.2026|geschlossen|niedrig|Lage Spülschächte Sickerleitung|Zwei der vier Spülschächte liegen im Bereich des Velowegs. Können sie verschoben werden?|Die Schächte Südost und Südwest werden um 1.50 m nach Norden verschoben. Deckel befahrbar, Klasse C250.
RFI-005|0|Baumeister|ING>ARC|ARC-201 a|29.04.2026 13.05.2026 06.05.2026|geschlossen|mittel|Schalungsbild Sichtbeton Treppenhaus|Das Tafelraster 1.00 × 2.50 m geht bei der Geschosshöhe 3.60 m nicht auf. Wo liegt die Passtafel?|Passtafel mit 1.10 m Höhe unten, horizontale Fuge auf +1.10 m, in beiden Treppenhäusern gleich.
RFI-006|0|Baumeister|BL>ING|ING-102 a|04.05.2026 18.05.2026 08.05.2026|geschlossen|hoch|Durchstanzbewehrung Achse 4|Für die Stützen der Achse 4 fehlt die Angabe der Dübelleisten im Plan ING-103.|Dübelleisten 6 × 14 mm je Stütze, Länge 720 mm, Plan ING-103 Index a ist massgebend. Lieferfrist beim Hersteller drei Wochen.
RFI-007|0|Baumeister|BL>BPH|ARC-402 a|11.05.2026 25.05.2026 15.05.2026|geschlossen|mittel|Perimeterdämmung unter Terrain|Kann die XPS-Dämmung der Kellerwand AW-02 von 160 auf 140 mm reduziert werden, damit die Sickerplatte Platz hat?|Nein. Mit 140 mm stiege der U-Wert auf 0.24 W/(m²K). Die Sickerplatte 50 mm ist in der Böschung unterzubringen.
RFI-008|0|Architektur|HOL>ARC|ARC-301 b|12.05.2026 26.05.2026 21.05.2026|geschlossen|niedrig|Deckbreiten Fichtenschalung|In welcher Reihenfolge wechseln die Deckbreiten 120 und 160 mm?|Rhythmus 120, 120, 160 von der Südwestecke aus. An Gebäudeecken immer 160 mm, stumpf gestossen.
RFI-009|0|Holzbau|HOL>ING|ING-201 a|15.05.2026 29.05.2026 20.05.2026|geschlossen|hoch|Zuganker Aussenwand Achse 3|Der neue Elementstoss auf Achse 3 liegt über einer Fensteröffnung. Wie wird der Zuganker geführt?|Der Zuganker wird 320 mm nach Westen versetzt und mit vier Vollgewindeschrauben 8 × 240 mm angeschlossen. Statik Nachtrag 2.
RFI-010|0|Holzbau|HOL>ING|ING-202 a|18.05.2026 01.06.2026 28.05.2026|geschlossen|mittel|Kerven im Brettstapel|Sind die Kerven 150 × 30 mm auch über den Randauflagern nötig?|Ja, aber nur im äusseren Drittel der Spannweite. Über dem Auflager auf 400 mm Länge keine Kerve.
RFI-011|0|Holzbau|HOL>BPH|ARC-403 a|22.05.2026 05.06.2026 03.06.2026|geschlossen|mittel|Dampfbremse Flachdach DA-01|Das Brettsperrholz wird mit 13 % Feuchte geliefert. Ist die bituminöse Dampfbremse sofort aufzukleben?|Ja, innert drei Arbeitstagen nach dem Versetzen. Sie dient zugleich als Bauzeitabdichtung. Stösse verschweisst, 100 mm Überlappung.
RFI-012|0|Brandschutz|FEN>BSP|ARC-302 a|26.05.2026 09.06.2026 05.06.2026|ersetzt|hoch|Festverglasung Treppenhaus|Kann die Verglasung FE-06 in den Treppenhäusern als E30 statt EI30 ausgeführt werden?|Anfrage wird geprüft, Rückfrage bei der Behörde.
RFI-012|1|Brandschutz|FEN>BSP|ARC-302 a|08.06.2026 19.06.2026 16.06.2026|geschlossen|hoch|Festverglasung Treppenhaus|Kann die Verglasung FE-06 in den Treppenhäusern als E30 statt EI30 ausgeführt werden? Revision 1 nach Rücksprache mit der Behörde.|Nein, EI30 bleibt verlangt (Auflage 2 vom 15.01.2026), weil die Aussenwand AW-01 daneben mit Holz bekleidet ist.
RFI-013|0|Architektur|FEN>ARC|ARC-401 b|27.05.2026 10.06.2026 02.06.2026|geschlossen|mittel|Farbe Leibungsbleche|Welche Farbe haben die seitlichen Leibungsbleche der Fenster FE-01?|NCS S 7502-Y wie der Flügelrahmen, matt. Die Fensterbank bleibt Chromnickelstahl walzmatt.
RFI-014|0|Brandschutz|ARC>BSP|BSP-103 a|19.01.2026 02.02.2026 26.01.2026|geschlossen|hoch|Türen zu Sammlung und Archiv|Die Türliste sieht für die Sammlung 2.08 und das Archiv U.05 den Typ TY-02 mit EI30 vor. Reicht das?|Nein. Für beide Türen gilt EI60 (Auflage 1 der Bewilligung vom 15.01.2026). Typ TY-02 bleibt, Türblatt und Zarge mit Prüfzeugnis EI60.
RFI-015|0|Fassade|HOL>BSP|ARC-301 b|01.06.2026 15.06.2026 12.06.2026|geschlossen|hoch|Brandriegel bei Fensterstürzen|Muss der Brandriegel über den Fenstern durchlaufen oder genügt das Sturzblech?|Der Brandriegel läuft durch. Das Sturzblech ersetzt ihn nicht, weil es nur 0.8 mm dick ist; verlangt sind 1.5 mm Stahlblech, 100 mm Auskragung.
RFI-016|0|Architektur|BL>ARC|ARC-102 c|03.06.2026 17.06.2026 09.06.2026|geschlossen|niedrig|Schmutzschleuse Windfang|Wie tief ist die Aussparung für die Schmutzschleuse im Unterlagsboden?|Vertiefung 27 mm, Länge 6.00 m, Breite 4.40 m, Entwässerung mit Ablauf DN 50 in der äusseren Zone.
RFI-017|0|Metallbau|BL>ARC|ARC-201 a|05.06.2026 19.06.2026 18.06.2026|geschlossen|mittel|Handlauf für Kinder|Ist der zweite Handlauf auf 0.65 m auch im Treppenlauf zum Untergeschoss auszuführen?|Nein, nur vom Erdgeschoss bis zum 2. Obergeschoss. Im Untergeschoss ein Handlauf auf 0.90 m beidseitig.
RFI-018|0|Akustik|BPH>ARC|ARC-104 b|08.06.2026 22.06.2026 15.06.2026|geschlossen|mittel|Vorhang Musikzimmer|Die Vorhangschiene im Musikzimmer 2.09 kollidiert mit der Zuluft. Welche Höhe ist möglich?|Schiene auf 2.65 m über Boden, 150 mm vor der Paneelwand. Der Vorhang hat 14 m² und 450 g/m².
RFI-019|0|Baumeister|BL>ARC|ARC-111 a|10.06.2026 24.06.2026 17.06.2026|geschlossen|niedrig|Lichtschacht Technik BU.01|Der Lichtschacht der Technik BU.01 liegt unter dem Notausgang. Rost begehbar?|Rost begehbar, Maschenweite 30 × 10 mm, gegen Abheben gesichert, Belastung 5 kN/m².
RFI-020|0|Umgebung|BL>ARC|ARC-601 a|12.06.2026 26.06.2026 25.06.2026|geschlossen|mittel|Standort der Feldahorne|Zwei Feldahorne stehen über der Leitung der Erdsonden. Dürfen sie dort gepflanzt werden?|Nein. Abstand zur Sondenleitung mindestens 3.0 m. Die Bäume 5 und 6 rücken nach Norden neben den Allwetterplatz.
RFI-021|0|Baumeister|ELO>ING|ING-102 a|09.06.2026 23.06.2026 11.06.2026|ersetzt|hoch|Aussparung Steigzone 4|Die Aussparung 0.60 × 0.60 m in der Decke über Untergeschoss ist für die Kabelzüge zu klein.|Vergrösserung wird statisch geprüft.
RFI-021|1|Baumeister|ELO>ING|ING-102 a|16.06.2026 23.06.2026 18.06.2026|geschlossen|hoch|Aussparung Steigzone 4|Revision 1: Benötigt werden 0.60 × 0.90 m. Ist das ohne Unterzug möglich?|Ja. Aussparung 0.60 × 0.90 m mit vier Zulagestäben Durchmesser 16 mm je Seite, Länge 2.40 m.
RFI-022|0|Holzbau|HOL>ARC|ING-203 -|22.06.2026 06.07.2026 29.06.2026|geschlossen|mittel|Untersicht Brettstapel Korridor|Werden die Akustiklamellen im Korridor 2.12 werkseitig eingelegt?|Ja, werkseitig. Filzstreifen 12 mm schwarz in jeder zweiten Fuge, nur in den Korridoren 1.12 und 2.12.
RFI-023|0|Dach|HOL>BPH|ARC-105 a|24.06.2026 08.07.2026 07.07.2026|geschlossen|mittel|Druckfestigkeit Dämmung unter Monoblock|Auf dem Dach von Haus A steht der Ventilator der Späneabsaugung. Genügt die EPS-Dämmung?|Unter dem Sockel EPS mit 200 kPa statt 150 kPa verwenden, Fläche 2.4 × 1.6 m, Lastverteilplatte 27 mm.
RFI-024|0|Fenster|FEN>ARC|ARC-404 -|29.06.2026 13.07.2026 10.07.2026|geschlossen|mittel|Türen in der Foyerverglasung|Die Eingangstüren T-0.01 und T-0.02 sind 2.50 m hoch, die Felder FE-03 3.00 m. Was füllt das Oberlicht?|Festes Oberlicht 0.50 m in gleicher Verglasung wie FE-03, mit durchlaufendem Riegel 60 mm.
RFI-025|0|Gipser|BL>BPH|ARC-103 b|06.07.2026 20.07.2026 14.07.2026|geschlossen|hoch|Anschluss Trennwand an Fassade|Wie schliesst die Trennwand IW-02 an die Aussenwand AW-01 zwischen zwei Fenstern an, wenn nur 180 mm Platz sind?|Verjüngung auf 155 mm mit Schwertanschluss: 2 × Gipsfaser 15 mm, Bleifolie 1 mm, Steinwolle. Prüfwert Rw 56 dB.
RFI-026|0|Schreiner|BL>ARC|ARC-501 b|08.07.2026 22.07.2026 21.07.2026|geschlossen|niedrig|Seitenverglasung Schulzimmertür|Ist die Seitenverglasung der Tür T-1.03 links oder rechts?|Immer auf der Schlossseite, Breite 0.30 m, VSG 9.5 mm mit Akustikfolie.
RFI-027|0|Bodenbeläge|BL>ARC|ARC-104 b|13.07.2026 27.07.2026 24.07.2026|geschlossen|niedrig|Verlegerichtung Hirnholzparkett|In welcher Richtung wird das Hirnholzparkett in 2.04 verlegt?|Parallel zur Fensterfront, Start an der Tür T-2.04. Randfuge 15 mm mit Korkstreifen.
RFI-028|0|Holzbau|HOL>ING|ING-301 b|20.07.2026 03.08.2026 30.07.2026|geschlossen|hoch|Überhöhung Hallenbinder|Gilt die Überhöhung von 60 mm auch für die beiden Randbinder?|Nein. Randbinder 30 mm, Innenbinder 60 mm, damit die Traufe gerade erscheint.
RFI-029|0|Fassade|HOL>ARC|ARC-303 a|03.08.2026 17.08.2026 11.08.2026|geschlossen|niedrig|Befestigung Lärchenschalung|Sichtbare oder verdeckte Befestigung an Haus B?|Sichtbar mit Edelstahlschrauben A2, 5 × 60 mm, zwei je Auflager, Linie exakt horizontal.
RFI-030|0|Sonnenschutz|FEN>ARC|ARC-502 a|17.08.2026 31.08.2026 28.08.2026|geschlossen|mittel|Storen an der Nordfassade|Erhalten die Fenster FE-01 der Nordfassade ebenfalls Rafflamellenstoren?|Nein. Nordseitig nur innere Verdunkelung im Naturwissenschafts- und Musikbereich. Storen an Süd, Ost und West.
RFI-031|0|Brandschutz|BL>BSP|BSP-101 a|24.08.2026 07.09.2026 03.09.2026|geschlossen|mittel|Löschposten Untergeschoss|Der Innenhydrant im Treppenhaus West liegt hinter der geöffneten Tür. Versetzen?|Ja, um 0.90 m nach links. Zugänglichkeit bei offener Tür muss gegeben sein, Schlauchlänge 30 m bleibt.
RFI-032|0|Baumeister|BL>ARC|ARC-402 a|31.08.2026 14.09.2026 09.09.2026|geschlossen|niedrig|Klinkersockel Ecke Südwest|Wie wird die Ecke der Sockelwand AW-03 ausgeführt?|Winkelriemchen auf der Südseite 240 mm herumgezogen, dann Dehnfuge 10 mm in Graphit.
RFI-033|0|Holzbau|BL>HOL|ING-202 a|25.09.2026 02.10.2026 29.09.2026|geschlossen|hoch|Trocknung Brettstapel über Raum 1.05|Nach dem Wasserschaden vom 24.09.2026: Welche Trocknung ist vorgesehen und wann darf der Unterlagsboden eingebracht werden?|Zwei Kondensationstrockner, Zieltemperatur 25 °C. Freigabe unter 16 % Holzfeuchte, Messung alle drei Tage an vier Punkten.
RFI-034|0|Metallbau|FEN>ARC|ARC-112 b|05.10.2026 19.10.2026 16.10.2026|geschlossen|mittel|Panikstange bei Hallentüren|Die Panikstangen der Türen T-B0.01 und T-B0.02 ragen 120 mm in die Halle. Prallschutz?|Stange versenkt in Nische 100 mm, Restüberstand 20 mm mit gerundeter Polsterung.
RFI-035|0|Gipser|BL>ARC|ARC-102 c|12.10.2026 26.10.2026 23.10.2026|geschlossen|niedrig|Deckenraster Mittagstisch|Wie sind die 62 Akustikbaffeln im Mittagstisch verteilt?|Sechs Reihen zu zehn und eine Reihe zu zwei beim Buffet, Achsabstand 0.60 m, Unterkante 2.70 m.
RFI-036|0|Umgebung|BL>ARC|ARC-601 a|26.10.2026 09.11.2026 |offen|niedrig|Belag unter Veloüberdachung|Soll der Belag unter der Veloüberdachung versickerungsfähig sein?|
RFI-037|0|Schliessanlage|BH>ARC|ARC-501 b|02.11.2026 16.11.2026 |offen|mittel|Zutritt Vereine|Welche Türen sollen die Vereine am Abend mit Badge öffnen können?|
RFI-038|0|Schreiner|BL>ARC|ARC-501 b|09.11.2026 23.11.2026 20.11.2026|beantwortet|mittel|Bodendichtung Schulzimmertür|Die absenkbare Bodendichtung der Türen TY-01 schleift auf dem Linoleum. Luftspalt vergrössern?|Luftspalt 6 mm statt 4 mm, Dichtung mit 10 mm Hub. Das Schalldämmmass Rw 37 dB muss mit Prüfbericht belegt bleiben.
"""

# The second register: building services, partly in French, Italian and English.
_SERVICES = """
HT-001|0|Heizung|HLK>GEO|HLK-101 a|11.05.2026 25.05.2026 18.05.2026|geschlossen|hoch|Artesisches Wasser|Was ist bei der Bohrung zu tun, wenn gespanntes Wasser angetroffen wird?|Bohrung sofort mit Packer verschliessen, Zementation mit Dichte 1.6 kg/l, Meldung an den Geologen innert einer Stunde.
HT-002|0|Heizung|HLK>BL|HLK-101 a|10.06.2026 17.06.2026 17.06.2026|geschlossen|hoch|Abbruch Sonde 4|Sonde 4 wurde nach 176 m abgebrochen. Wie wird die fehlende Länge kompensiert?|Sonden 7 und 8 werden auf je 182 m verlängert, siehe Bausitzung 14. Hydraulischer Abgleich mit Durchflussmesser je Sonde.
HT-003|0|Sanitär|HLK>ARC|HLK-301 a|18.05.2026 01.06.2026 27.05.2026|geschlossen|mittel|Höhe Lavabo Schulzimmer|Auf welcher Höhe werden die Waschtröge in den Schulzimmern montiert?|Oberkante 0.75 m in den Zimmern 1.01 bis 1.03, sonst 0.85 m.
HT-004|0|Lüftung|VEN>HLK|HLK-201 b|20.05.2026 03.06.2026 29.05.2026|geschlossen|hoch|Ouverture de montage monobloc|Les éléments du monobloc LA-01 mesurent 2.30 × 1.95 m. L’ouverture dans le couloir 0.04 est-elle suffisante ?|Oui, l’ouverture mesure 2.60 × 2.20 m. Charge maximale pendant l’introduction : 1’200 kg par élément, étayage de la dalle obligatoire.
HT-005|0|Lüftung|VEN>BSP|HLK-203 a|26.05.2026 09.06.2026 05.06.2026|geschlossen|mittel|Clapets coupe-feu couloir 1.12|Faut-il un clapet coupe-feu entre les salles de classe et le couloir 1.12 ?|Non, l’étage entier forme un compartiment. Des clapets EI60 sont nécessaires uniquement aux gaines verticales et aux cages d’escalier.
HT-006|0|Elektro|ELO>HLK|ELO-101 a|01.06.2026 15.06.2026 08.06.2026|geschlossen|mittel|Anlaufstrom Wärmepumpe|Wie hoch ist der Anlaufstrom der WP-01?|Mit Sanftanlasser höchstens 95 A, Nennstrom 38 A. Absicherung 3 × 63 A Charakteristik C.
HT-007|0|Elektro|ELO>BSP|ELO-301 a|03.06.2026 17.06.2026 15.06.2026|geschlossen|hoch|Feuerwehrschalter Photovoltaik|Wo wird der Feuerwehrschalter montiert?|Neben dem Schlüsselsafe links vom Haupteingang, 1.80 m über Boden, Beschriftung nach Vorgabe der Feuerwehr.
HT-008|0|Sanitär|HLK>BPH|HLK-302 a|08.06.2026 22.06.2026 18.06.2026|geschlossen|mittel|Schallschutz Fallleitungen|Genügen 30 mm Steinwolle an den Fallleitungen neben Raum 0.17?|Nein. Schallgedämmtes Rohr und 50 mm Steinwolle mit Gipsfaserplatte 2 × 12.5 mm, damit 28 dB(A) eingehalten werden.
HT-009|0|Gebäudeautomation|ELO>HLK|HLK-203 a|10.06.2026 24.06.2026 19.06.2026|geschlossen|niedrig|Adressierung CO₂-Fühler|Nach welchem Schema werden die Fühler adressiert?|Raumnummer ohne Punkt, dann Kennbuchstabe Q, zum Beispiel 103Q1 für Schulzimmer 3.
HT-010|0|Lüftung|VEN>ARC|HLK-204 a|15.06.2026 29.06.2026 25.06.2026|geschlossen|mittel|Caisson du ventilateur en toiture|Quelle est la couleur du caisson d’aspiration des copeaux sur le toit ?|RAL 7016 mat, même teinte que les couvertines. Hauteur maximale 1.40 m au-dessus du substrat.
HT-011|0|Fenster|FEN>ELO|ELO-202 a|17.06.2026 01.07.2026 26.06.2026|geschlossen|mittel|Cavi per lamelle motorizzate|Dove si trova la scatola di derivazione per le lamelle nelle aule?|A sinistra di ogni gruppo di finestre, 0.15 m sotto il soffitto, cavo 5 × 1.5 mm² con connettore.
HT-012|0|Fenster|FEN>BSP|ARC-502 a|22.06.2026 06.07.2026 30.06.2026|geschlossen|hoch|Lucernari con evacuazione fumo|Il lucernario FE-05 deve aprirsi in meno di 60 secondi?|Sì, apertura completa entro 60 secondi, angolo 140°, alimentazione di emergenza per 72 ore.
HT-013|0|Heizung|HLK>ARC|HLK-101 a|24.06.2026 08.07.2026 03.07.2026|geschlossen|niedrig|Standort Verteiler Fussbodenheizung|Darf der Verteiler im 1. Obergeschoss in den Materialraum 1.17?|Ja, Wandnische 1.20 × 0.80 m, Unterkante 0.40 m. Der Putzraum 1.16 ist zu klein.
HT-014|0|Sanitär|HLK>BH|HLK-302 a|29.06.2026 13.07.2026 09.07.2026|geschlossen|mittel|Duschdauer Garderoben|Welche Laufzeit erhalten die Duscharmaturen in B0.06 und B0.08?|Selbstschluss nach 30 Sekunden, Durchfluss 7 l/min, Temperatur fix 38 °C.
HT-015|0|Elektro|ELO>ARC|ELO-201 a|01.07.2026 15.07.2026 13.07.2026|geschlossen|niedrig|Steckdosen Mittagstisch|Sind im Mittagstisch 0.05 Bodendosen vorgesehen?|Drei Bodendosen am Buffet, sonst Steckdosen in der Wand auf 1.10 m mit Kinderschutz.
HT-016|0|Commissioning|CX>HLK|HLK-101 a|06.07.2026 20.07.2026 16.07.2026|geschlossen|mittel|Heat meters for boreholes|Will each borehole get its own heat meter?|No. One heat meter for the whole field; each borehole has a flow indicator and a temperature pocket on the return pipe.
HT-017|0|Commissioning|CX>ELO|ELO-101 a|08.07.2026 22.07.2026 20.07.2026|geschlossen|niedrig|Export format of meter data|In which format are the 34 meters exported?|CSV with semicolon, one file per month, time stamps in UTC, values in kWh or m³, delivered by SFTP.
HT-018|0|Lüftung|VEN>BPH|HLK-203 a|13.07.2026 27.07.2026 22.07.2026|geschlossen|mittel|Silencieux des salles de classe|La longueur du silencieux peut-elle être réduite à 0.75 m ?|Non, 1.00 m est nécessaire pour respecter 28 dB(A) au débit nominal de 600 m³/h.
HT-019|0|Brandschutz|ELO>BSP|BSP-102 a|15.07.2026 29.07.2026 24.07.2026|geschlossen|mittel|Melder im Mittagstisch|Sind im Mittagstisch Rauch- oder Wärmemelder einzusetzen?|Mehrkriterienmelder mit Tag-Nacht-Umschaltung; beim Buffet ein Wärmemelder wegen Dampf.
HT-020|0|Sanitär|HLK>ARC|HLK-301 a|20.07.2026 03.08.2026 31.07.2026|geschlossen|mittel|Zisterne Zugang|Wo liegt der Einstieg der Regenwasserzisterne mit 12 m³?|Nordseitig, 2.50 m neben der Küchenanlieferung, Deckel 0.80 m, befahrbar D400.
HT-021|0|Heizung|HLK>BSP|HLK-101 a|27.07.2026 10.08.2026 06.08.2026|geschlossen|hoch|Gaswarnung R290|Auf welche Werte wird die Gaswarnung in U.01 eingestellt?|Voralarm 10 % der unteren Explosionsgrenze, Hauptalarm 20 %: Lüfter ein, Wärmepumpe aus, Meldung an den Hauswart.
HT-022|0|Elektro|ELO>BH|ELO-202 a|03.08.2026 17.08.2026 14.08.2026|geschlossen|niedrig|Lichtszene Wandtafel|Soll die Tafelleuchte mit der Wandtafel automatisch schalten?|Nein, eigener Taster beim Pult.
HT-023|0|Aufzug|ARC>ELO|ELO-201 a|10.08.2026 24.08.2026 21.08.2026|geschlossen|mittel|Notruf Aufzug|Wohin geht der Notruf des Aufzugs AU-01?|Direkt zur Servicezentrale des Herstellers, während der Unterrichtszeit zusätzlich ins Sekretariat 0.09. Verbindung über Mobilfunk und Festnetz.
HT-024|0|Lüftung|VEN>HLK|HLK-202 a|17.08.2026 31.08.2026 27.08.2026|geschlossen|mittel|Hotte de la cuisine|Quel est le niveau sonore admis pour la hotte de la cuisine 0.06 ?|Maximum 55 dB(A) à 1 m au débit nominal de 800 m³/h.
HT-025|0|Fenster|FEN>ELO|ARC-112 b|24.08.2026 07.09.2026 03.09.2026|geschlossen|mittel|Motori finestre palestra|Che tensione hanno i motori delle sei finestre FE-11?|24 V corrente continua, corsa 500 mm, centralina comune con l’evacuazione del fumo.
HT-026|0|Sanitär|HLK>BPH|HLK-301 a|31.08.2026 14.09.2026 10.09.2026|geschlossen|niedrig|Kondensat Dachabläufe|Müssen die innenliegenden Fallrohre auf der ganzen Länge gedämmt werden?|Ja, 30 mm Kautschuk bis zur Grundleitung, Stösse verklebt.
HT-027|0|Photovoltaik|ELO>ING|ELO-301 a|07.09.2026 21.09.2026 16.09.2026|geschlossen|mittel|Ballast Photovoltaik|Wie viel Ballast darf pro Quadratmeter aufgelegt werden?|Höchstens 14 kg/m² im Feld und 22 kg/m² in der Randzone von 2.0 m; zusammen mit Modulen unter 0.20 kN/m².
HT-028|0|Photovoltaik|ELO>BH|ELO-301 a|14.09.2026 28.09.2026 25.09.2026|geschlossen|niedrig|Standort Wechselrichter|Wo werden die Wechselrichter aufgestellt?|Drei Geräte zu 30 kW im Raum BU.01, Wandabstand 0.50 m, Abwärme über den Lichtschacht.
HT-029|0|Commissioning|CX>VEN|HLK-203 a|21.09.2026 05.10.2026 01.10.2026|geschlossen|mittel|Tolerance of classroom airflow|Is a tolerance of 15 percent acceptable for the airflow at minimum setting?|No, the tolerance is 10 percent at minimum and at maximum setting; below 150 m³/h an absolute deviation of 15 m³/h is accepted.
HT-030|0|Gebäudeautomation|ELO>ARC|ELO-202 a|28.09.2026 12.10.2026 09.10.2026|geschlossen|mittel|Windwächter Storen|Ab welcher Windgeschwindigkeit fahren die Storen ein?|Ab 14 m/s während zehn Sekunden, obwohl die Storen bis 25 m/s geprüft sind. Wiederfreigabe nach 15 Minuten.
HT-031|0|Sanitär|HLK>BL|HLK-302 a|05.10.2026 19.10.2026 13.10.2026|geschlossen|mittel|Gefälle Duschboden|Welches Gefälle hat der Boden der Duschen in Haus B?|2 % zur Rinne, Rinne an der Rückwand, Abdichtung mit Flüssigkunststoff 0.30 m an der Wand hochgezogen.
HT-032|0|Lüftung|VEN>BL|HLK-201 b|12.10.2026 26.10.2026 20.10.2026|geschlossen|hoch|Date de livraison monobloc|La livraison du monobloc LA-01 peut-elle être avancée à la semaine 48 ?|Non, semaine 50 est confirmée (du 7 au 11 décembre 2026). L’ouverture du couloir reste ouverte jusque-là.
HT-033|0|Elektro|ELO>ARC|ELO-202 a|19.10.2026 02.11.2026 30.10.2026|geschlossen|niedrig|Uhren in Schulzimmern|Durchmesser und Lage der Uhren?|300 mm, über der Tür auf der Korridorseite, Unterkante 2.30 m. Speisung über das Netzwerk.
HT-034|0|Heizung|HLK>BL|HLK-101 a|26.10.2026 09.11.2026 05.11.2026|geschlossen|hoch|Bauheizung|Darf die Wärmepumpe WP-01 zur Bauheizung verwendet werden?|Ja, ab 07.12.2026 mit Vorlauf höchstens 30 °C und Filter im Rücklauf. Der Hersteller verlängert die Garantie nicht.
HT-035|0|Commissioning|CX>BSP|BSP-104 a|02.11.2026 16.11.2026 12.11.2026|geschlossen|mittel|Date of the integral fire test|When does the integral test with power failure take place?|In calendar week 20 of 2027, on a Wednesday afternoon without pupils. All trades must have completed their own checks two weeks before.
HT-036|0|Sanitär|HLK>ARC|HLK-301 a|09.11.2026 23.11.2026 |offen|niedrig|Farbe Armaturen|Sind die Armaturen in den WC-Anlagen verchromt oder in Edelstahl?|
HT-037|0|Fenster|FEN>ARC|ARC-502 a|11.11.2026 25.11.2026 |offen|mittel|Vetri di ricambio|Chi fornisce le lastre di riserva per il locale U.06?|
HT-038|0|Lüftung|VEN>ELO|HLK-203 a|13.11.2026 27.11.2026 |offen|mittel|Câblage des régulateurs|Qui câble les régulateurs de débit des salles de groupe ?|
HT-039|0|Elektro|ELO>BH|ELO-101 a|16.11.2026 30.11.2026 |überfällig|hoch|Batteriespeicher|Soll der Platz für einen Batteriespeicher von 60 kWh in U.04 freigehalten werden?|
HT-040|0|Commissioning|CX>HLK|HLK-202 a|18.11.2026 02.12.2026 |offen|niedrig|Sampling points for legionella|How many sampling points for legionella are planned in building B?|
"""


def _parse(text: str) -> list[Rfi]:
    records = []
    for line in text.strip().splitlines():
        number, rev, discipline, way, plan, dates, status, priority, subject, question, answer = line.split("|")
        created, due, answered = (dates.split(" ") + [""])[:3]
        sender, receiver = way.split(">")
        records.append(Rfi(number, int(rev), subject, question, answer, status, priority, discipline, created, due, answered, person(sender), person(receiver), plan.removesuffix(" -")))
    return records


TRADES = _parse(_TRADES)
SERVICES = _parse(_SERVICES)
