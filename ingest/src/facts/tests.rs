use crate::formats::container::tests::zip;
use crate::model::{Document, FactKind, Kind, Locator, Page, Rect, Section, Table, TextUnit, Word};
use crate::{Limits, read};

use super::of;

fn table(rows: &[&[&str]], top: f32) -> Table {
    let rows: Vec<Vec<String>> = rows.iter().map(|r| r.iter().map(|c| (*c).to_string()).collect()).collect();
    let row_boxes: Vec<Rect> =
        (0..rows.len()).map(|n| [50.0, top + 20.0 * n as f32, 500.0, top + 20.0 * n as f32 + 18.0]).collect();
    let rect = [50.0, top, 500.0, row_boxes.last().unwrap()[3]];
    Table { rect, rows, header_rows: 1, row_boxes, ..Table::default() }
}

/// A French proof of one page; the words of the table stand at 150 points for each column.
fn french() -> Document {
    let mut document = Document::new(Kind::Pdf, "Justificatif énergétique");
    let building = table(
        &[
            &["Grandeur", "Bâtiment A", "Bâtiment B"],
            &["Surface de référence énergétique SRE", "1 250 m²", "480 m²"],
            &["Facteur d’enveloppe Ath/AE", "1,20", "1,55"],
            &["Besoins de chaleur pour le chauffage Qh", "95 MJ/m²", "88 MJ/m²"],
            &["Valeur limite Qh,li", "140 MJ/m²", "150 MJ/m²"],
            &["Utilisation de la valeur limite", "68 %", "59 %"],
        ],
        100.0,
    );
    let elements = table(
        &[
            &["Code", "Élément", "Valeur U W/(m²K)", "Valeur limite"],
            &["ME-01", "Mur extérieur", "0,14", "0,17"],
            &["TO-01", "Toiture", "0,11", "0,17"],
        ],
        400.0,
    );
    let mut words = vec![];
    for (n, text) in ["Justificatif", "selon", "SIA", "380/1,", "édition", "2016"].iter().enumerate() {
        let x = 50.0 + 60.0 * n as f32;
        words.push(Word { text: (*text).into(), rect: [x, 20.0, x + 50.0, 30.0], block: 0, line: 0 });
    }
    for (n, text) in ["1", "250", "m²"].iter().enumerate() {
        let x = 200.0 + 20.0 * n as f32;
        words.push(Word { text: (*text).into(), rect: [x, 122.0, x + 15.0, 134.0], block: 1, line: 1 });
    }
    for (n, text) in ["Station", "climatique", "Probeville,", "430", "m"].iter().enumerate() {
        let x = 50.0 + 60.0 * n as f32;
        words.push(Word { text: (*text).into(), rect: [x, 300.0, x + 50.0, 312.0], block: 2, line: 2 });
    }
    document.pages = vec![Page {
        number: 3,
        width_pt: 595.0,
        height_pt: 842.0,
        text: "Justificatif selon SIA 380/1, édition 2016".into(),
        words,
        tables: vec![building, elements],
        ..Page::default()
    }];
    document
}

#[test]
fn a_french_proof_with_two_buildings() {
    let facts = of(&french());
    let seen: Vec<(FactKind, &str, &str, &str, &str)> = facts
        .iter()
        .map(|f| (f.kind, f.subject.as_str(), f.element.as_str(), f.value.as_str(), f.unit.as_str()))
        .collect();
    use FactKind::*;
    assert_eq!(
        seen,
        [
            (StandardEdition, "", "", "SIA 380/1:2016", ""),
            (ClimateStation, "", "", "Probeville", ""),
            (EnergyReferenceArea, "Bâtiment A", "", "1250", "m2"),
            (EnergyReferenceArea, "Bâtiment B", "", "480", "m2"),
            (EnvelopeFactor, "Bâtiment A", "", "1.20", ""),
            (EnvelopeFactor, "Bâtiment B", "", "1.55", ""),
            (HeatingDemand, "Bâtiment A", "", "95", "MJ/m2"),
            (HeatingDemand, "Bâtiment B", "", "88", "MJ/m2"),
            (HeatingDemandLimit, "Bâtiment A", "", "140", "MJ/m2"),
            (HeatingDemandLimit, "Bâtiment B", "", "150", "MJ/m2"),
            (UValue, "", "ME-01", "0.14", "W/(m2.K)"),
            (UValue, "", "TO-01", "0.11", "W/(m2.K)"),
            (UValueLimit, "", "ME-01", "0.17", "W/(m2.K)"),
            (UValueLimit, "", "TO-01", "0.17", "W/(m2.K)"),
        ]
    );
    // The words of the cell, not the whole row.
    assert_eq!(facts[2].place, Locator::Pdf { page: 3, boxes: vec![[200.0, 122.0, 255.0, 134.0]] });
    assert_eq!(facts[10].label, "Mur extérieur");
}

/// A workbook in the manner of a form: title, key and value in columns apart, then elements.
fn italian() -> Vec<u8> {
    let rows: [&[(&str, &str)]; 9] = [
        &[("A1", "Giustificativo energetico SIA 380/1:2016")],
        &[("A3", "Stazione climatica"), ("D3", "Provanova")],
        &[("A4", "Superficie di riferimento energetico"), ("C4", "m2"), ("D4", "812.5")],
        &[("A5", "Fabbisogno termico per il riscaldamento Qh"), ("C5", "kWh/m2"), ("D5", "24.6")],
        &[("A6", "Valore limite Qh,li"), ("C6", "kWh/m2"), ("D6", "33.1")],
        &[("A7", "Generatore di calore"), ("D7", "Pompa di calore aria-acqua")],
        &[("A9", "Codice"), ("B9", "Elemento"), ("C9", "Valore U"), ("D9", "Valore limite")],
        &[("A10", "PE-01"), ("B10", "Parete esterna"), ("C10", "0.16"), ("D10", "0.17")],
        &[("A11", "TE-01"), ("B11", "Tetto"), ("C11", "0.12"), ("D11", "0.17")],
    ];
    let mut sheet = String::from(
        "<worksheet xmlns=\"http://schemas.openxmlformats.org/spreadsheetml/2006/main\"><sheetData>",
    );
    for row in rows {
        let number: String = row[0].0.chars().filter(char::is_ascii_digit).collect();
        sheet += &format!("<row r=\"{number}\">");
        for (name, text) in row {
            sheet += &match text.parse::<f64>() {
                Ok(_) => format!("<c r=\"{name}\"><v>{text}</v></c>"),
                Err(_) => format!("<c r=\"{name}\" t=\"inlineStr\"><is><t>{text}</t></is></c>"),
            };
        }
        sheet += "</row>";
    }
    sheet += "</sheetData></worksheet>";
    const R: &str = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
    const P: &str = "http://schemas.openxmlformats.org/package/2006/relationships";
    let root = format!(
        "<Relationships xmlns=\"{P}\"><Relationship Id=\"rId1\" Type=\"{R}/officeDocument\" Target=\"xl/workbook.xml\"/></Relationships>"
    );
    let book = format!(
        "<workbook xmlns=\"http://schemas.openxmlformats.org/spreadsheetml/2006/main\" xmlns:r=\"{R}\"><sheets><sheet name=\"EN-102\" sheetId=\"1\" r:id=\"rId1\"/></sheets></workbook>"
    );
    let parts = format!(
        "<Relationships xmlns=\"{P}\"><Relationship Id=\"rId1\" Type=\"{R}/worksheet\" Target=\"worksheets/sheet1.xml\"/></Relationships>"
    );
    zip(&[
        (
            "[Content_Types].xml",
            b"<Types xmlns=\"http://schemas.openxmlformats.org/package/2006/content-types\"/>",
        ),
        ("_rels/.rels", root.as_bytes()),
        ("xl/workbook.xml", book.as_bytes()),
        ("xl/_rels/workbook.xml.rels", parts.as_bytes()),
        ("xl/worksheets/sheet1.xml", sheet.as_bytes()),
    ])
}

#[test]
fn an_italian_form_with_its_cells() {
    let document = read(&italian(), "modulo.xlsx", &Limits::default()).unwrap();
    let seen: Vec<(FactKind, &str, &str, &str)> = document
        .facts
        .iter()
        .map(|f| (f.kind, f.element.as_str(), f.value.as_str(), f.cell.as_str()))
        .collect();
    use FactKind::*;
    assert_eq!(
        seen,
        [
            (StandardEdition, "", "SIA 380/1:2016", "A1"),
            (ClimateStation, "", "Provanova", "D3"),
            (EnergyReferenceArea, "", "812.5", "D4"),
            (HeatingDemand, "", "24.6", "D5"),
            (HeatingDemandLimit, "", "33.1", "D6"),
            (System, "", "Pompa di calore aria-acqua", "D7"),
            (UValue, "PE-01", "0.16", "C10"),
            (UValue, "TE-01", "0.12", "C11"),
            (UValueLimit, "PE-01", "0.17", "D10"),
            (UValueLimit, "TE-01", "0.17", "D11"),
        ]
    );
    assert_eq!(document.facts[2].place, Locator::Sheet { sheet: "EN-102".into(), row: 4 });
}

#[test]
fn a_specification_that_mentions_the_standard_is_no_proof() {
    let mut document = Document::new(Kind::Text, "Baubeschrieb");
    document.sections.push(Section {
        text: "Die Wärmedämmung erfüllt SIA 380/1. Energiebezugsfläche: 500 m²".into(),
        line: 1,
        unit: TextUnit::Paragraph,
        ..Section::default()
    });
    assert_eq!(of(&document), []);
}

#[test]
fn the_u_values_of_a_model_by_type() {
    let document = read(crate::formats::ifc::tests::IFC4.as_bytes(), "a.ifc", &Limits::default()).unwrap();
    for fact in &document.facts {
        assert_eq!(fact.kind, FactKind::UValue);
        assert!(matches!(fact.place, Locator::Ifc { .. }));
    }
    let mut wall = crate::model::Element { type_name: "AW-01 Aussenwand".into(), ..Default::default() };
    let property = crate::model::Property { value: "0.15".into(), unit: "W/(m2.K)".into() };
    wall.properties.insert("Pset_WallCommon".into(), [("ThermalTransmittance".to_string(), property)].into());
    let facts = super::model::u_values(&[wall.clone(), wall]);
    assert_eq!(facts.len(), 1);
    assert_eq!((facts[0].element.as_str(), facts[0].value.as_str(), facts[0].count), ("AW-01", "0.15", 2));
}
