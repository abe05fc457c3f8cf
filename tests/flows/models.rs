//! Two versions of one model: what a night says of what came, went and changed. And files that could be read
//! only in part: what it says of them.

use serde_json::{Value, json};

use crate::support::Appliance;

/// A storey with the elements, each as its record's end, and what is said of them.
fn model(elements: &[(&str, &str)], more: &str) -> String {
    let mut records = String::new();
    for (n, (id, rest)) in (20..).zip(elements) {
        let class = if rest.contains(".DOOR.") { "IFCDOOR" } else { "IFCWALL" };
        records.push_str(&format!("#{n}={class}('{id}YvctVUKr0kugbFTf53O9',$,{rest});\n"));
    }
    let all: Vec<String> = (20..20 + elements.len()).map(|n| format!("#{n}")).collect();
    format!(
        "ISO-10303-21;\nHEADER;\nFILE_DESCRIPTION((''),'2;1');\n\
         FILE_NAME('haus.ifc','2026-03-01T10:00:00',('A. Muster'),('Muster AG'),'p','Modeller','');\n\
         FILE_SCHEMA(('IFC4'));\nENDSEC;\nDATA;\n\
         #1=IFCPROJECT('0YvctVUKr0kugbFTf53O9L',$,'P-1',$,$,'Haus Quaxmoor',$,$,#2);\n\
         #2=IFCUNITASSIGNMENT((#3));\n#3=IFCSIUNIT(*,.LENGTHUNIT.,$,.METRE.);\n\
         #10=IFCBUILDINGSTOREY('3YvctVUKr0kugbFTf53O9L',$,'1. OG',$,$,$,$,$,.ELEMENT.,3.6);\n\
         #11=IFCRELAGGREGATES('a2vctVUKr0kugbFTf53O9L',$,$,$,#1,(#10));\n\
         {records}#12=IFCRELCONTAINEDINSPATIALSTRUCTURE('a4vctVUKr0kugbFTf53O9L',$,$,$,({}),#10);\n\
         {more}ENDSEC;\nEND-ISO-10303-21;\n",
        all.join(",")
    )
}

/// A property of the record `of`.
fn rating(of: u32, value: &str) -> String {
    format!(
        "#90=IFCPROPERTYSET('c0vctVUKr0kugbFTf53O9L',$,'Pset_WallCommon',$,(#91));\n\
         #91=IFCPROPERTYSINGLEVALUE('FireRating',$,IFCLABEL('{value}'),$);\n\
         #92=IFCRELDEFINESBYPROPERTIES('c1vctVUKr0kugbFTf53O9L',$,$,$,(#{of}),#90);\n"
    )
}

/// Walls 1 and 2 and a door.
fn before() -> String {
    let elements = [
        ("5a", "'Wand 1',$,$,$,$,'W-1',.STANDARD."),
        ("6a", "'Wand 2',$,$,$,$,'W-2',.STANDARD."),
        ("7a", "'T-1.04',$,$,$,$,'D-1',2.1,1.0,.DOOR.,$,$"),
    ];
    model(&elements, &rating(20, "REI60"))
}

/// Wall 1 with another rating, wall 2 gone, the door as it was, wall 3 new.
fn after() -> String {
    let elements = [
        ("7a", "'T-1.04',$,$,$,$,'D-1',2.1,1.0,.DOOR.,$,$"),
        ("5a", "'Wand 1',$,$,$,$,'W-1',.STANDARD."),
        ("8a", "'Wand 3',$,$,$,$,'W-3',.STANDARD."),
    ];
    model(&elements, &rating(21, "REI90"))
}

/// The models of the last run's report.
fn reported(a: &Appliance) -> Value {
    a.json(&["ingest", "--report", "0"])["summary"]["models"].clone()
}

#[test]
fn a_night_says_what_changed_in_a_model() {
    let a = Appliance::new();
    a.write("modelle/haus.ifc", before());
    a.json(&["ingest"]);
    assert_eq!(reported(&a)["models"], 0, "a new model is compared with nothing");

    a.write("modelle/haus.ifc", after());
    let (_, output) = a.run(&["ingest"]);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let counts = "1 added, 1 removed, 1 changed, 1 unchanged";
    assert!(text.contains(&format!("elements of 1 modified model: {counts}")), "{text}");
    assert!(text.contains(&format!("model files: modelle/haus.ifc: {counts} since 20")), "{text}");
    for line in [
        "  + 8aYvctVUKr0kugbFTf53O9  IfcWall  Wand 3  1. OG",
        "  - 6aYvctVUKr0kugbFTf53O9  IfcWall  Wand 2  1. OG",
        "  ~ 5aYvctVUKr0kugbFTf53O9  IfcWall  Wand 1  1. OG",
        "        Pset_WallCommon.FireRating: 'REI60' -> 'REI90'",
    ] {
        assert!(text.lines().any(|l| l == line), "{line}\n{text}");
    }
    let models = reported(&a);
    assert_eq!(models["counts"], json!({"added": 1, "removed": 1, "changed": 1, "unchanged": 1}));
    let field = &models["listed"][0]["changed"][0]["fields"][0];
    assert_eq!(*field, json!({"field": "Pset_WallCommon.FireRating", "before": "REI60", "after": "REI90"}));

    a.json(&["ingest"]);
    assert_eq!(reported(&a)["models"], 0, "nothing changed since");
}

#[test]
fn files_that_were_read_in_part_are_named_every_night_until_they_are_mended() {
    let a = Appliance::new();
    let whole = before();
    let cut = whole.find("#91=").unwrap() + 20;
    a.write("haus.ifc", &whole[..cut]);
    a.write("seite.txt", "Das Blatt Brelltu ist ganz.");
    for night in ["first", "unchanged"] {
        let summary = a.json(&["ingest"]);
        let warned = &summary["warned"];
        assert_eq!((&warned["files"], &warned["in_part"]), (&json!(1), &json!(1)), "{night}: {summary}");
        let file = &warned["listed"][0];
        assert_eq!((&file["path"], &file["in_part"]), (&json!("haus.ifc"), &json!(true)), "{night}");
        assert!(file["warnings"][0]["message"].as_str().is_some_and(|m| m.len() > 10), "{file}");
    }
    let (code, output) = a.run(&["ingest"]);
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(
        text.contains("read with warnings: 1 file, 1 of them only in part\n  files: haus.ifc: "),
        "{text}"
    );
    assert_eq!(code, 0, "a warning alone is no failure");
    a.write("haus.ifc", whole);
    assert_eq!(a.json(&["ingest"])["warned"]["files"], 0);
}
