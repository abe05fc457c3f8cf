//! A model of any size, the same every time: walls with faceted bodies, types, property sets and quantities in
//! about the shares of bytes that models out of authoring programs have (seven tenths shapes, a quarter values).

use std::io::{self, Write};

use super::compare::Counts;

/// Walls on a storey.
const PER_STOREY: u32 = 500;
/// Properties of each of a wall's own sets.
const PROPERTIES: [(&str, usize); 3] = [("Pset_WallCommon", 8), ("Bauteilkatalog", 10), ("Ausschreibung", 6)];
const QUANTITIES: [&str; 5] = ["Length", "Height", "Width", "NetSideArea", "NetVolume"];
/// Types that the walls have in turn, each with a set of four properties.
const TYPES: u32 = 12;
const TYPE_PROPERTIES: usize = 4;
/// Corners and faces of a wall's body.
const POINTS: u32 = 64;
const FACES: u32 = 32;

/// Writes a model of at least `bytes` bytes and says what is in it.
pub(super) fn write(out: &mut impl Write, bytes: u64) -> io::Result<Counts> {
    let mut file = File { out, written: 0, id: 0, names: 0 };
    file.line(
        "ISO-10303-21;\nHEADER;\nFILE_DESCRIPTION((''),'2;1');\nFILE_NAME('gross.ifc','2026-01-01T00:00:00',\
         (''),(''),'','Dossier','');\nFILE_SCHEMA(('IFC4'));\nENDSEC;\nDATA;",
    )?;
    let building = file.structure()?;
    let types = file.types()?;
    let mut counts = Counts { elements: 0, properties: 0, quantities: 0, spatial: 3 };
    while file.written < bytes {
        let storey = file.storey(&building, counts.spatial - 2)?;
        counts.spatial += 1;
        let mut walls = Vec::new();
        while walls.len() < PER_STOREY as usize && file.written < bytes {
            walls.push(file.wall(counts.elements)?);
            counts.elements += 1;
        }
        file.relate("IFCRELCONTAINEDINSPATIALSTRUCTURE", &format!("({}),{storey}", list(&walls)))?;
        for (at, kind) in types.iter().enumerate() {
            let own: Vec<String> = walls.iter().skip(at).step_by(types.len()).cloned().collect();
            if !own.is_empty() {
                file.relate("IFCRELDEFINESBYTYPE", &format!("({}),{kind}", list(&own)))?;
            }
        }
    }
    let own: usize = PROPERTIES.iter().map(|(_, count)| count).sum();
    counts.properties = counts.elements * (own + TYPE_PROPERTIES);
    counts.quantities = counts.elements * QUANTITIES.len();
    file.line("ENDSEC;\nEND-ISO-10303-21;")?;
    Ok(counts)
}

fn list(ids: &[String]) -> String {
    ids.join(",")
}

struct File<'w, W> {
    out: &'w mut W,
    written: u64,
    id: u32,
    names: u32,
}

impl<W: Write> File<'_, W> {
    fn line(&mut self, text: &str) -> io::Result<()> {
        self.out.write_all(text.as_bytes())?;
        self.out.write_all(b"\n")?;
        self.written += text.len() as u64 + 1;
        Ok(())
    }

    /// Writes a record and gives its reference.
    fn add(&mut self, body: &str) -> io::Result<String> {
        self.id += 1;
        let reference = format!("#{}", self.id);
        self.line(&format!("{reference}= {body};"))?;
        Ok(reference)
    }

    /// A GlobalId of its own for every object.
    fn global_id(&mut self) -> String {
        const DIGITS: &[u8; 64] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_$";
        self.names += 1;
        let mut rest = u64::from(self.names).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mut id = String::from("2");
        for _ in 0..10 {
            id.push(char::from(DIGITS[(rest % 64) as usize]));
            rest /= 64;
        }
        format!("{id}{:011}", self.names)
    }

    fn relate(&mut self, class: &str, related: &str) -> io::Result<()> {
        let id = self.global_id();
        self.add(&format!("{class}('{id}',$,$,$,{related})")).map(drop)
    }

    fn structure(&mut self) -> io::Result<String> {
        let length = self.add("IFCSIUNIT(*,.LENGTHUNIT.,.MILLI.,.METRE.)")?;
        let area = self.add("IFCSIUNIT(*,.AREAUNIT.,$,.SQUARE_METRE.)")?;
        let volume = self.add("IFCSIUNIT(*,.VOLUMEUNIT.,$,.CUBIC_METRE.)")?;
        let units = self.add(&format!("IFCUNITASSIGNMENT(({length},{area},{volume}))"))?;
        let id = self.global_id();
        let project = self.add(&format!("IFCPROJECT('{id}',$,'Grossmodell',$,$,$,$,$,{units})"))?;
        let id = self.global_id();
        let site = self.add(&format!("IFCSITE('{id}',$,'Areal',$,$,$,$,$,.ELEMENT.,$,$,$,$,$)"))?;
        let id = self.global_id();
        let building = self.add(&format!("IFCBUILDING('{id}',$,'Haus A',$,$,$,$,$,.ELEMENT.,$,$,$)"))?;
        self.relate("IFCRELAGGREGATES", &format!("{project},({site})"))?;
        self.relate("IFCRELAGGREGATES", &format!("{site},({building})"))?;
        Ok(building)
    }

    fn types(&mut self) -> io::Result<Vec<String>> {
        let mut out = Vec::new();
        for number in 0..TYPES {
            let set = self.set("Typ", TYPE_PROPERTIES, number as usize)?;
            let id = self.global_id();
            let body = format!("IFCWALLTYPE('{id}',$,'AW-{number:02}',$,$,({set}),$,$,$,.STANDARD.)");
            out.push(self.add(&body)?);
        }
        Ok(out)
    }

    fn storey(&mut self, building: &str, number: usize) -> io::Result<String> {
        let id = self.global_id();
        let elevation = (number as f64 - 1.0) * 3_200.0;
        let body = format!("IFCBUILDINGSTOREY('{id}',$,'{number}. OG',$,$,$,$,$,.ELEMENT.,{elevation:.1})");
        let storey = self.add(&body)?;
        self.relate("IFCRELAGGREGATES", &format!("{building},({storey})"))?;
        Ok(storey)
    }

    fn set(&mut self, name: &str, properties: usize, salt: usize) -> io::Result<String> {
        let mut members = Vec::new();
        for number in 0..properties {
            let value = (salt * 31 + number * 7) % 997;
            members.push(self.add(&match number % 4 {
                0 => format!(
                    "IFCPROPERTYSINGLEVALUE('Merkmal {number}',$,IFCLABEL('Wert {value} gepr\\X\\FCft'),$)"
                ),
                1 => format!("IFCPROPERTYSINGLEVALUE('Merkmal {number}',$,IFCREAL({value}.25),$)"),
                2 => format!("IFCPROPERTYSINGLEVALUE('Merkmal {number}',$,IFCBOOLEAN(.T.),$)"),
                _ => format!("IFCPROPERTYSINGLEVALUE('Merkmal {number}',$,IFCLENGTHMEASURE({value}.5),$)"),
            })?);
        }
        let id = self.global_id();
        self.add(&format!("IFCPROPERTYSET('{id}',$,'{name}',$,({}))", list(&members)))
    }

    fn wall(&mut self, number: usize) -> io::Result<String> {
        let shape = self.body(number)?;
        let point = self.add(&format!("IFCCARTESIANPOINT(({}.,{}.,0.))", number % 977, number % 409))?;
        let axes = self.add(&format!("IFCAXIS2PLACEMENT3D({point},$,$)"))?;
        let placement = self.add(&format!("IFCLOCALPLACEMENT($,{axes})"))?;
        let id = self.global_id();
        let wall = self.add(&format!(
            "IFCWALL('{id}',$,'Wand {number}',$,'Wand:AW {}',{placement},{shape},'{number}',.STANDARD.)",
            number % TYPES as usize
        ))?;
        for (name, count) in PROPERTIES {
            let set = self.set(name, count, number)?;
            self.relate("IFCRELDEFINESBYPROPERTIES", &format!("({wall}),{set}"))?;
        }
        let mut members = Vec::new();
        for (at, name) in QUANTITIES.iter().enumerate() {
            let class = ["LENGTH", "LENGTH", "LENGTH", "AREA", "VOLUME"][at];
            let value = (number * 13 + at * 101) % 4_999;
            members.push(self.add(&format!("IFCQUANTITY{class}('{name}',$,$,{value}.75,$)"))?);
        }
        let id = self.global_id();
        let body = format!("IFCELEMENTQUANTITY('{id}',$,'Qto_WallBaseQuantities',$,$,({}))", list(&members));
        let set = self.add(&body)?;
        self.relate("IFCRELDEFINESBYPROPERTIES", &format!("({wall}),{set}"))?;
        Ok(wall)
    }

    fn body(&mut self, number: usize) -> io::Result<String> {
        let mut points = Vec::new();
        for at in 0..POINTS {
            let x = f64::from(at) * 17.125 + number as f64 * 0.001;
            points.push(self.add(&format!("IFCCARTESIANPOINT(({x:.6},{:.4},{}.))", x / 3.0, at * 40))?);
        }
        let mut faces = Vec::new();
        for at in 0..FACES as usize {
            let corners: Vec<String> = (0..4).map(|c| points[(at * 2 + c) % points.len()].clone()).collect();
            let ring = self.add(&format!("IFCPOLYLOOP(({}))", list(&corners)))?;
            let bound = self.add(&format!("IFCFACEOUTERBOUND({ring},.T.)"))?;
            faces.push(self.add(&format!("IFCFACE(({bound}))"))?);
        }
        let shell = self.add(&format!("IFCCLOSEDSHELL(({}))", list(&faces)))?;
        let brep = self.add(&format!("IFCFACETEDBREP({shell})"))?;
        let shape = self.add(&format!("IFCSHAPEREPRESENTATION($,'Body','Brep',({brep}))"))?;
        self.add(&format!("IFCPRODUCTDEFINITIONSHAPE($,$,({shape}))"))
    }
}

#[cfg(test)]
mod tests {
    use super::super::compare;
    use super::*;

    #[test]
    fn what_is_written_is_what_is_read() {
        let (mut first, mut again) = (Vec::new(), Vec::new());
        let counts = write(&mut first, 400_000).unwrap();
        write(&mut again, 400_000).unwrap();
        assert!(first == again, "the same every time");
        assert!(first.len() > 400_000 && first.len() < 500_000, "{}", first.len());
        let document = ingest::read(&first, "gross.ifc", &ingest::Limits::default()).unwrap();
        assert!(document.warnings.is_empty(), "{:?}", document.warnings);
        assert_eq!(compare::counts(&document), counts);
    }
}
