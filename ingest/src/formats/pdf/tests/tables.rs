//! Tables drawn here, read back cell by cell.

use super::*;
use crate::model::{Span, Table};

/// Left edges of the columns used here.
const XS: [f32; 4] = [72.0, 172.0, 272.0, 372.0];

/// A cell: column, baseline from the bottom, text.
fn cells(mut sheet: Sheet, cells: &[(usize, f32, &str)]) -> Sheet {
    for (column, y, text) in cells {
        sheet = sheet.text(XS[*column] + 4.0, *y, 9.0, text);
    }
    sheet
}

fn rows(table: &Table) -> Vec<Vec<&str>> {
    table.rows.iter().map(|r| r.iter().map(String::as_str).collect()).collect()
}

fn span(row: u32, column: u32, rows: u32, columns: u32) -> Span {
    Span { row, column, rows, columns }
}

#[test]
fn a_missing_rule_makes_one_cell_of_two() {
    // Columns 1 and 2 share a heading; the label in column 0 stands beside two rows.
    let sheet = Sheet::default()
        .rule(72.0, 700.0, 372.0, 700.0)
        .rule(72.0, 680.0, 372.0, 680.0)
        .rule(172.0, 660.0, 372.0, 660.0)
        .rule(72.0, 640.0, 372.0, 640.0)
        .rule(72.0, 640.0, 72.0, 700.0)
        .rule(172.0, 640.0, 172.0, 700.0)
        .rule(272.0, 640.0, 272.0, 680.0)
        .rule(372.0, 640.0, 372.0, 700.0);
    let texts = [
        (0, 686.0, "Gruppe"),
        (1, 686.0, "Kosten in CHF"),
        (0, 656.0, "Rohbau"),
        (1, 666.0, "Offerte"),
        (2, 666.0, "1200"),
        (1, 646.0, "Vertrag"),
        (2, 646.0, "1150"),
    ];
    let page = one_page(cells(sheet, &texts));
    let table = &page.tables[0];
    assert_eq!(
        rows(table),
        [["Gruppe", "Kosten in CHF", ""], ["Rohbau", "Offerte", "1200"], ["", "Vertrag", "1150"]]
    );
    assert_eq!(table.spans, [span(0, 1, 1, 2), span(1, 0, 2, 1)]);
}

#[test]
fn a_heading_over_further_names_makes_a_header_of_two_rows() {
    let mut sheet = Sheet::default().rule(72.0, 700.0, 372.0, 700.0).rule(172.0, 680.0, 372.0, 680.0);
    for y in [660.0, 640.0, 620.0] {
        sheet = sheet.rule(72.0, y, 372.0, y);
    }
    sheet = sheet.rule(72.0, 620.0, 72.0, 700.0).rule(172.0, 620.0, 172.0, 700.0);
    sheet = sheet.rule(272.0, 620.0, 272.0, 680.0).rule(372.0, 620.0, 372.0, 700.0);
    let texts = [
        (0, 676.0, "Arbeit"),
        (1, 686.0, "Kosten in CHF"),
        (1, 666.0, "Offerte"),
        (2, 666.0, "Vertrag"),
        (0, 646.0, "Fenster"),
        (1, 646.0, "1200"),
        (2, 646.0, "1150"),
        (0, 626.0, "Rohbau"),
        (1, 626.0, "8400"),
        (2, 626.0, "8100"),
    ];
    let document = read_sheets(vec![cells(sheet, &texts)]);
    let table = &document.pages[0].tables[0];
    assert_eq!((table.header_rows, rows(table)[0].clone()), (2, vec!["Arbeit", "Kosten in CHF", ""]));
    let chunks = chunk(&document, &ChunkOptions::default());
    assert_eq!(
        chunks[0].text.lines().nth(1),
        Some("Fenster; Kosten in CHF Offerte: 1200; Kosten in CHF Vertrag: 1150"),
        "{}",
        chunks[0].text
    );
}

#[test]
fn a_passage_repeats_what_a_cell_over_several_rows_says() {
    let table = Table {
        rows: [["Aufbau", "Schicht"], ["AW-01", "Gips"], ["", "Holz"]]
            .map(|r| r.map(String::from).to_vec())
            .to_vec(),
        row_boxes: vec![[0.0; 4]; 3],
        header_rows: 1,
        spans: vec![span(1, 0, 2, 1)],
        ..Table::default()
    };
    let word = crate::model::Word { text: "x".into(), rect: [0.0; 4], block: 0, line: 0 };
    let page = Page { number: 1, words: vec![word], tables: vec![table], ..Page::default() };
    let mut document = Document::new(crate::Kind::Pdf, "x");
    document.pages.push(page);
    let chunks = chunk(&document, &ChunkOptions::default());
    assert_eq!(chunks[0].text, "Aufbau | Schicht\nAW-01; Schicht: Gips\nAW-01; Schicht: Holz");
}

#[test]
fn wrapped_cells_without_rules_are_one_row() {
    // Lines of a cell are 11 apart, rows 20.
    let sheet = cells(
        Sheet::default(),
        &[
            (0, 700.0, "Bauteil"),
            (1, 700.0, "Anforderung"),
            (2, 700.0, "U-Wert"),
            (0, 680.0, "AW-01"),
            (1, 680.0, "gegen aussen,"),
            (2, 680.0, "0.17"),
            (1, 669.0, "hinterlueftet"),
            (0, 649.0, "DA-01"),
            (1, 649.0, "begehbar"),
            (2, 649.0, "0.14"),
            (0, 629.0, "BO-01"),
            (1, 629.0, "gegen Erd-"),
            (2, 629.0, "0.22"),
            (1, 618.0, "reich"),
        ],
    );
    let page = one_page(sheet);
    assert_eq!(
        rows(&page.tables[0]),
        [
            ["Bauteil", "Anforderung", "U-Wert"],
            ["AW-01", "gegen aussen, hinterlueftet", "0.17"],
            ["DA-01", "begehbar", "0.14"],
            ["BO-01", "gegen Erdreich", "0.22"],
        ]
    );
}

#[test]
fn rules_below_rows_part_them_and_leave_labels_whole() {
    let mut sheet = Sheet::default();
    for (left, y) in [(72.0, 694.0), (172.0, 674.0), (72.0, 654.0), (72.0, 634.0), (72.0, 614.0)] {
        sheet = sheet.rule(left, y, 372.0, y);
    }
    let page = one_page(cells(
        sheet,
        &[
            (0, 700.0, "Decke"),
            (1, 700.0, "Schicht"),
            (2, 700.0, "mm"),
            (0, 680.0, "DE-02"),
            (1, 680.0, "Parkett"),
            (2, 680.0, "11"),
            (1, 660.0, "Estrich"),
            (2, 660.0, "80"),
            (0, 640.0, "DE-03"),
            (1, 640.0, "Fliesen"),
            (2, 640.0, "9"),
            (0, 620.0, "DE-04"),
            (1, 620.0, "Linoleum"),
            (2, 620.0, "4"),
        ],
    ));
    let table = &page.tables[0];
    assert_eq!(rows(table)[1..3], [["DE-02", "Parkett", "11"], ["", "Estrich", "80"]]);
    assert_eq!(table.spans, [span(1, 0, 2, 1)]);
}

#[test]
fn turned_text_has_tables_too() {
    // The text runs up the sheet: what is drawn at (x, y) stands at (595 - y, x).
    let mut content = String::from("q 0 1 -1 0 595 0 cm\n");
    for y in [500.0, 480.0, 460.0] {
        content += &format!("0.5 w 72 {y} m 272 {y} l S\n");
    }
    for x in [72.0, 172.0, 272.0] {
        content += &format!("0.5 w {x} 460 m {x} 500 l S\n");
    }
    for (x, y, text) in [(76, 486, "Raum"), (176, 486, "Flaeche"), (76, 466, "A.01"), (176, 466, "72.4")] {
        content += &show(&format!("1 0 0 1 {x} {y} Tm"), "F1", 9.0, text);
    }
    content += "Q\n";
    let page = one_page(Sheet::default().raw(&content));
    assert_eq!(rows(&page.tables[0]), [["Raum", "Flaeche"], ["A.01", "72.4"]]);
    // 72 to 272 from the left becomes 842 - 272 to 842 - 72 from the top.
    assert_eq!(page.tables[0].rect.map(f32::round), [95.0, 570.0, 135.0, 770.0]);
}

/// Two pages with a table that goes on; the second one has its header again or not.
fn broken(repeats: bool) -> Document {
    let line = |y: f32, row: [&'static str; 3]| [(0, y, row[0]), (1, y, row[1]), (2, y, row[2])];
    let header = ["Nr.", "Gegenstand", "Menge"];
    let mut first: Vec<_> = line(130.0, header).to_vec();
    first.extend(line(116.0, ["1.01", "Wand", "14.0"]));
    first.extend(line(102.0, ["1.02", "Decke", "21.5"]));
    let mut second = Vec::new();
    if repeats {
        second.extend(line(730.0, header));
    }
    second.extend(line(716.0, ["1.03", "Boden", "18.0"]));
    second.extend(line(702.0, ["1.04", "Treppe", "2.0"]));
    second.extend(line(688.0, ["1.05", "Dach", "96.0"]));
    let page = |n: u8, texts: &[(usize, f32, &str)], ruled: [f32; 2]| {
        let sheet = Sheet::default()
            .text(72.0, 810.0, 8.0, "Devis Umbau Schulhaus")
            .text(300.0, 30.0, 8.0, &format!("Seite {n}"))
            .text(
                72.0,
                if n == 1 { 200.0 } else { 400.0 },
                10.0,
                "Ein Satz des Berichts zu den Mengen im Devis.",
            );
        let mut sheet = cells(sheet, texts);
        for x in XS {
            sheet = sheet.rule(x, ruled[0], x, ruled[1]);
        }
        let mut y = ruled[0];
        while y <= ruled[1] {
            sheet = sheet.rule(XS[0], y, XS[3], y);
            y += 14.0;
        }
        sheet
    };
    let top = if repeats { 740.0 } else { 726.0 };
    read_sheets(vec![page(1, &first, [98.0, 140.0]), page(2, &second, [684.0, top])])
}

#[test]
fn a_table_over_a_page_break_is_one_and_has_its_header_once() {
    for repeats in [true, false] {
        let document = broken(repeats);
        let joined = document.joined_tables();
        assert_eq!(joined.len(), 1, "{:?}", document.pages[1].tables);
        let numbers: Vec<&str> = joined[0].rows.iter().map(|r| r[0].as_str()).collect();
        assert_eq!(numbers, ["Nr.", "1.01", "1.02", "1.03", "1.04", "1.05"]);
        assert_eq!(joined[0].pages, [1, 2]);
        let chunks = chunk(&document, &ChunkOptions::default());
        let with = |text: &str| chunks.iter().find(|c| c.text.contains(text)).unwrap();
        for text in ["Decke", "Treppe"] {
            let passage = with(text);
            assert_eq!(passage.text.matches("Nr. | Gegenstand | Menge").count(), 1, "{}", passage.text);
        }
        assert!(
            with("Treppe").text.contains("1.04; Gegenstand: Treppe; Menge: 2.0"),
            "{}",
            with("Treppe").text
        );
        assert!(matches!(&with("Treppe").locator, Locator::Pdf { page: 2, boxes } if !boxes.is_empty()));
    }
}

#[test]
fn another_table_on_the_next_page_is_its_own() {
    let grid = |sheet: Sheet, top: f32| {
        let sheet = (0_u8..4).fold(sheet, |s, i| {
            let y = top - 14.0 * f32::from(i);
            s.rule(XS[0], y, XS[2], y)
        });
        [XS[0], XS[1], XS[2]].into_iter().fold(sheet, |s, x| s.rule(x, top - 42.0, x, top))
    };
    let first = cells(
        grid(Sheet::default(), 142.0),
        &[
            (0, 132.0, "Raum"),
            (1, 132.0, "Flaeche"),
            (0, 118.0, "A"),
            (1, 118.0, "12.0"),
            (0, 104.0, "B"),
            (1, 104.0, "13.5"),
        ],
    );
    let second = cells(
        grid(Sheet::default(), 742.0),
        &[
            (0, 732.0, "Tuer"),
            (1, 732.0, "Breite"),
            (0, 718.0, "T1"),
            (1, 718.0, "0.9"),
            (0, 704.0, "T2"),
            (1, 704.0, "1.8"),
        ],
    );
    assert_eq!(read_sheets(vec![first, second]).joined_tables().len(), 2);
}

#[test]
fn columns_of_prose_are_no_table() {
    let mut sheet = Sheet::default();
    for line in 0..12_u8 {
        let y = 700.0 - 12.0 * f32::from(line);
        sheet = sheet.text(72.0, y, 10.0, "Die Decke traegt in beide Achsen und ist verputzt").text(
            320.0,
            y,
            10.0,
            "Die Wand steht auf dem Boden und ist gedaemmt",
        );
    }
    assert!(one_page(sheet).tables.is_empty());
}

#[test]
fn contents_with_leaders_are_no_table() {
    let mut sheet = Sheet::default();
    for (line, title) in ["Einleitung", "Grundlagen", "Ergebnisse", "Anhang"].iter().enumerate() {
        let y = 700.0 - 14.0 * line as f32;
        sheet = sheet
            .text(72.0, y, 10.0, &format!("{} {title} ........................................", line + 1))
            .text(500.0, y, 10.0, &format!("{}", 3 * line + 4));
    }
    assert!(one_page(sheet).tables.is_empty());
}

#[test]
fn a_numbered_heading_above_a_table_is_no_row_of_it() {
    let sheet = cells(
        Sheet::default().text(76.0, 716.0, 9.0, "3").text(
            92.0,
            716.0,
            9.0,
            "Planversand an alle Beteiligten im Bau",
        ),
        &[
            (0, 700.0, "Versand"),
            (1, 700.0, "Datum"),
            (2, 700.0, "Inhalt"),
            (0, 686.0, "1"),
            (1, 686.0, "12.09.2025"),
            (2, 686.0, "Grundrisse"),
            (0, 672.0, "2"),
            (1, 672.0, "26.09.2025"),
            (2, 672.0, "Schnitte"),
            (0, 658.0, "3"),
            (1, 658.0, "24.10.2025"),
            (2, 658.0, "Ansichten"),
        ],
    );
    let page = one_page(sheet);
    assert_eq!(page.tables.len(), 1);
    assert_eq!(
        rows(&page.tables[0])[..2],
        [["Versand", "Datum", "Inhalt"], ["1", "12.09.2025", "Grundrisse"]]
    );
    assert!(texts(&page).contains(&"Planversand"));
}
