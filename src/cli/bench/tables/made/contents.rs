//! What stands in the made tables. Rows by line, cells by `|`; `<` belongs to the cell at its left, `^`
//! to the one above.

use super::super::score::Cell;

/// A table's texts and proportions.
pub(super) struct Content {
    pub(super) name: &'static str,
    /// Column widths in points.
    pub(super) widths: &'static [f32],
    /// Columns set flush right.
    pub(super) right: &'static [usize],
    pub(super) header_rows: usize,
    pub(super) text: &'static str,
}

impl Content {
    /// The cells with their spans.
    pub(super) fn cells(&self) -> Vec<Cell> {
        let rows: Vec<Vec<&str>> =
            self.text.lines().map(|line| line.split('|').map(str::trim).collect()).collect();
        let at = |row: usize, column: usize| rows.get(row).and_then(|r| r.get(column)).copied();
        let mut out = Vec::new();
        for (row, line) in rows.iter().enumerate() {
            for (column, text) in line.iter().enumerate() {
                if matches!(*text, "<" | "^") {
                    continue;
                }
                let columns = 1 + (column + 1..).take_while(|c| at(row, *c) == Some("<")).count();
                let lower = (row + 1..).take_while(|r| at(*r, column) == Some("^")).count();
                out.push(Cell { row, column, rows: 1 + lower, columns, text: (*text).to_owned() });
            }
        }
        out
    }

    /// Number of rows.
    pub(super) fn rows(&self) -> usize {
        self.text.lines().count()
    }
}

/// The contents that are drawn in every style.
pub(super) const ALL: [&Content; 8] = [&U_VALUES, &ROOMS, &COSTS, &DOORS, &DATES, &AIR, &BUILD_UPS, &MATRIX];

/// Plain figures.
pub(super) const U_VALUES: Content = Content {
    name: "u-values",
    widths: &[60.0, 150.0, 75.0, 75.0, 80.0],
    right: &[2, 3, 4],
    header_rows: 1,
    text: "Bauteil|Bezeichnung|U-Wert|Grenzwert|Fläche m²
AW-01|Aussenwand gegen Aussenluft|0.17|0.20|412.5
AW-02|Aussenwand gegen Erdreich|0.19|0.25|88.0
DA-01|Flachdach begehbar|0.14|0.17|236.4
BO-01|Boden gegen unbeheizt|0.22|0.25|229.8
FE-01|Fenster Holz-Metall|0.95|1.00|141.2
TU-01|Haustür|1.20|1.20|4.6",
};

/// Names, some empty cells.
pub(super) const ROOMS: Content = Content {
    name: "rooms",
    widths: &[50.0, 120.0, 70.0, 110.0, 90.0],
    right: &[2],
    header_rows: 1,
    text: "Raum|Bezeichnung|Fläche|Bodenbelag|Bemerkung
A.01|Schulzimmer|72.4|Linoleum|
A.02|Gruppenraum|18.1|Linoleum|teilbar
A.03|Korridor|55.0|Hartbeton|
A.04|Garderobe|14.3|Hartbeton|mit Bank
A.05|Lehrerzimmer|31.7|Parkett|
A.06|Putzraum|4.2|Feinsteinzeug|Ausguss",
};

/// A header of two rows whose first row spans, and a group label over several rows.
pub(super) const COSTS: Content = Content {
    name: "costs",
    widths: &[75.0, 45.0, 110.0, 75.0, 75.0, 75.0],
    right: &[3, 4, 5],
    header_rows: 2,
    text: "Gruppe|Pos.|Arbeit|Kosten in CHF|<|<
^|^|^|Offerte|Vertrag|Abrechnung
Rohbau|211|Baumeister|1'240'000|1'198'500|1'203'880
^|214|Montagebau in Holz|386'000|379'000|381'250
^|221|Fenster|214'700|209'900|209'900
Technik|230|Elektroanlagen|318'000|305'000|312'400
^|240|Heizung|176'500|171'200|170'950
^|244|Lüftung|142'000|139'800|141'300",
};

/// Cells of several lines.
pub(super) const DOORS: Content = Content {
    name: "doors",
    widths: &[45.0, 130.0, 65.0, 150.0, 60.0],
    right: &[],
    header_rows: 1,
    text: "Tür|Lage und Funktion|Lichtmass|Anforderungen an Brand- und Schallschutz|Band
T-01|Hauptzugang mit Windfang, Erdgeschoss Nord|180 x 220|EI 30 mit Panikschloss und Drehflügelantrieb, Rw 37 dB|3-teilig
T-02|Treppenhaus zu Korridor|90 x 210|EI 30-C|2-teilig
T-03|Technikraum im Untergeschoss gegen Tiefgarage|100 x 210|EI 60 selbstschliessend, rauchdicht nach Norm, Rw 42 dB|3-teilig
T-04|Schulzimmer|90 x 210|Rw 32 dB|2-teilig
T-05|Nasszellen der Obergeschosse, je zwei Stück|80 x 210|keine|2-teilig",
};

/// Dates and a spanning row in the body.
pub(super) const DATES: Content = Content {
    name: "dates",
    widths: &[140.0, 85.0, 85.0, 120.0],
    right: &[],
    header_rows: 1,
    text: "Vorgang|Beginn|Ende|Verantwortlich
Baugrube ausheben|02.03.2026|20.03.2026|Tiefbau
Bodenplatte betonieren|23.03.2026|10.04.2026|Baumeister
Wände Untergeschoss|13.04.2026|08.05.2026|Baumeister
Holzbau aufrichten|18.05.2026|12.06.2026|Holzbau
Dach abdichten|15.06.2026|26.06.2026|Spengler
Fenster einbauen|29.06.2026|17.07.2026|Fensterbau",
};

/// French, with a spanning header row and units in a row of their own.
pub(super) const AIR: Content = Content {
    name: "air",
    widths: &[110.0, 65.0, 65.0, 65.0, 65.0, 65.0],
    right: &[1, 2, 3, 4, 5],
    header_rows: 2,
    text: "Local|Débit d'air|<|Niveau sonore|<|Surface
^|pulsé m³/h|repris m³/h|jour dB(A)|nuit dB(A)|m²
Salle de classe|720|720|28|25|72.4
Bibliothèque|540|500|28|25|61.0
Cuisine|1'200|1'350|42|38|38.5
Sanitaires|0|180|40|35|16.2
Corridor|90|0|35|30|55.0",
};

/// Layers of build-ups: a label and a value that cover several rows, lines that wrap.
pub(super) const BUILD_UPS: Content = Content {
    name: "build-ups",
    widths: &[70.0, 165.0, 60.0, 70.0, 75.0],
    right: &[2, 3, 4],
    header_rows: 1,
    text: "Aufbau|Schicht von innen nach aussen|Dicke mm|Lambda|U-Wert
Aussenwand AW-01|Gipsfaserplatte|15|0.320|0.17
^|Holzständer mit Zellulosedämmung ausgeblasen, Achsmass 625 mm|240|0.038|^
^|Holzfaserplatte|35|0.045|^
Decke DE-02|Parkett Eiche|11|0.180|0.24
^|Zementestrich mit Fussbodenheizung|80|1.400|^
^|Trittschalldämmung|30|0.032|^
^|Brettsperrholz|180|0.130|^",
};

/// Crosses: most cells are empty.
pub(super) const MATRIX: Content = Content {
    name: "matrix",
    widths: &[170.0, 70.0, 70.0, 70.0, 70.0],
    right: &[],
    header_rows: 1,
    text: "Leistung|Bauherr|Architekt|Ingenieur|Unternehmer
Raumprogramm festlegen|x|x||
Tragwerk bemessen|||x|
Ausschreibung erstellen||x|x|
Werkpläne prüfen||x||x
Abnahme durchführen|x|x|x|x",
};

/// Longer than a page.
pub(super) const LONG: Content = Content {
    name: "long",
    widths: &[50.0, 160.0, 80.0, 80.0, 70.0],
    right: &[3, 4],
    header_rows: 1,
    text: "Nr.|Gegenstand|Geschoss|Menge|Einheit
1.01|Trockenbauwand einfach beplankt|EG|142.0|m²
1.02|Trockenbauwand doppelt beplankt|EG|88.5|m²
1.03|Vorsatzschale|EG|64.0|m²
1.04|Revisionsklappe|EG|12|Stk
1.05|Abgehängte Decke gelocht|EG|310.0|m²
1.06|Abgehängte Decke glatt|EG|120.5|m²
2.01|Trockenbauwand einfach beplankt|1. OG|156.0|m²
2.02|Trockenbauwand doppelt beplankt|1. OG|94.0|m²
2.03|Vorsatzschale|1. OG|58.0|m²
2.04|Revisionsklappe|1. OG|14|Stk
2.05|Abgehängte Decke gelocht|1. OG|322.0|m²
2.06|Abgehängte Decke glatt|1. OG|98.0|m²
3.01|Trockenbauwand einfach beplankt|2. OG|149.5|m²
3.02|Trockenbauwand doppelt beplankt|2. OG|90.0|m²
3.03|Vorsatzschale|2. OG|61.0|m²
3.04|Revisionsklappe|2. OG|11|Stk
3.05|Abgehängte Decke gelocht|2. OG|298.0|m²
3.06|Abgehängte Decke glatt|2. OG|104.0|m²
4.01|Schachtwand|UG|46.0|m²
4.02|Brandschutzbekleidung Träger|UG|72.0|m",
};
