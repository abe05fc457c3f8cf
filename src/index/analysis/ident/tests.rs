use super::*;

fn keys(text: &str) -> Vec<String> {
    identifiers(text).into_iter().flat_map(|i| i.keys).collect()
}

#[test]
fn rfi_numbers_in_all_writings() {
    for text in ["RFI-0042", "RFI 42", "rfi42", "siehe #42", "RFI Nr. 42", "RFI_042"] {
        assert_eq!(keys(text), ["rfi42"], "{text}");
    }
    assert_eq!(keys("RFI-0042 Rev. 2"), ["rfi42rev2", "rfi42"]);
}

#[test]
fn norms_with_parts_and_years() {
    assert_eq!(keys("nach SIA 380/1"), ["sia380.1"]);
    assert_eq!(keys("SIA 380/1:2016"), ["sia380.1:2016", "sia380.1"]);
    assert_eq!(keys("SN EN 12831-1"), ["en12831.1", "snen12831.1"]);
    assert_eq!(keys("SIA 181"), ["sia181"]);
    assert_eq!(keys("sn en 12831-1"), ["en12831.1", "snen12831.1"]);
    // In small letters these are words: "en 2026" is a year.
    assert_eq!(keys("livré en 2026"), [] as [String; 0]);
    assert_eq!(keys("uni 2026"), [] as [String; 0]);
}

#[test]
fn doors_components_and_plans() {
    assert_eq!(keys("Tür T-1.03"), ["t1.03"]);
    assert_eq!(keys("T 1.03")[..], [] as [String; 0]);
    assert!(keys("Tür 1.03").contains(&"t1.03".to_owned()));
    assert_eq!(keys("AW-01"), ["aw1"]);
    assert_eq!(keys("AW01"), ["aw1"]);
    assert_eq!(keys("Plan A-201-C"), ["a201c", "a201"]);
    assert_eq!(keys("RM-2417-101"), ["rm2417.101"]);
}

#[test]
fn fire_classes_and_cost_codes() {
    assert_eq!(keys("EI30"), ["ei30"]);
    assert_eq!(keys("EI 30"), ["ei30"]);
    assert_eq!(keys("EI30-RF1"), ["ei30rf1", "ei30"]);
    assert_eq!(keys("REI 60"), ["rei60"]);
    assert_eq!(keys("BKP 221.1"), ["bkp221.1", "code221.1"]);
    assert_eq!(keys("eBKP-H C2.1"), ["ebkpc2.1", "codec2.1", "c2.1"]);
}

#[test]
fn revisions_of_plans_in_all_writings() {
    for text in ["A-201-C", "A-201 Index C", "A-201 Rev. C", "A-201_Rev.C", "Plan A-201, A-201 indice C"] {
        assert!(keys(text).contains(&"a201c".to_owned()), "{text}: {:?}", keys(text));
        assert!(keys(text).contains(&"a201".to_owned()), "{text}");
    }
    assert_eq!(keys("RM-2417-101 Rev. 2"), ["rm2417.101rev2", "rm2417.101"]);
}

#[test]
fn norms_with_their_year_in_brackets() {
    assert_eq!(keys("SIA 380/1 (2016)"), ["sia380.1:2016", "sia380.1"]);
    assert_eq!(keys("DIN 4109-1:2018-01")[0], "din4109.1:2018");
    assert_eq!(keys("EN 1992-1-1:2004"), ["en1992.1.1:2004", "en1992.1.1"]);
    assert_eq!(keys("SN EN ISO 10140-2:2021"), ["sneniso10140.2:2021", "iso10140.2", "sneniso10140.2"]);
}

#[test]
fn cost_codes_of_all_systems_and_languages() {
    assert_eq!(keys("NPK 342.123"), ["npk342.123", "code342.123"]);
    assert_eq!(keys("CAN chap. 342"), keys("NPK Kapitel 342"));
    assert_eq!(keys("CFC 221.1"), keys("BKP 221.1"));
    assert_eq!(keys("eBKP-H C 02.01"), keys("eBKP-H C2.1"));
    assert_eq!(keys("eCCC-Bât C 2.1")[..], [] as [String; 0], "its name, not its code");
    assert_eq!(keys("eCCC-B C 2.1"), keys("eBKP-H C2.1"));
}

#[test]
fn grid_axes_in_four_languages() {
    for text in [
        "Achse B/4",
        "Achse B-4",
        "Axe B-4",
        "asse B/4",
        "grid line B4",
        "axis B 4",
        "Achse 4/B",
        "achse b/4",
        "Rasterachse B.4",
        "Achse B–4",
        "Grid B/04",
    ] {
        assert_eq!(keys(text)[..1], ["axis:b/4"], "{text}");
    }
    assert_eq!(identifiers("Achse B/4")[0].within, ["axis:b", "axis:4"]);
    assert_eq!(keys("Achse B"), ["axis:b"]);
    assert_eq!(keys("sur l'axe 12"), ["axis:12"]);
    for text in
        ["axes et 3 murs", "Achse in 3 m Abstand", "axe de la façade", "die Achsen sind", "Raster 8.4 m"]
    {
        assert_eq!(keys(text), [] as [String; 0], "{text}");
    }
}

#[test]
fn buildings_and_room_numbers() {
    assert_eq!(keys("Aussenwand Haus B"), ["building:b"]);
    assert_eq!(keys("locaux du bâtiment B"), ["building:b"]);
    let rooms = |t: &str| asked_for(t).into_iter().flat_map(|i| i.keys).collect::<Vec<_>>();
    assert_eq!(rooms("Sammlung 2.08 und 2.09"), ["no2.08", "no2.09"]);
    assert_eq!(rooms("ein U-Wert von 0.15 W/(m²K)"), [] as [String; 0]);
    assert_eq!(room_numbers("| 1.03 | 1.04 |").len(), 2);
    assert_eq!(room_numbers("30.11.2026, 1’250.50, T-1.03"), []);
}

#[test]
fn global_ids_keep_their_case() {
    assert_eq!(keys("Element 2O2Fr$t4X7Zf8NOew3FL9r im Modell"), ["guid:2O2Fr$t4X7Zf8NOew3FL9r"]);
    assert_eq!(keys("Feuerwiderstandsklassen"), [] as [String; 0]);
}

#[test]
fn units_and_prose_are_no_identifiers() {
    for text in ["200 m2", "3.50 m3", "CO2", "am 30.11.2026", "0.18 W/(m2K)", "Art. 12 Abs. 3"] {
        assert_eq!(keys(text), [] as [String; 0], "{text}");
    }
}
