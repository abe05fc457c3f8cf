//! The header section of a STEP file.

use ifc_lite_core::decode_ifc_string;

use super::text::{Charset, tidy};

/// Facts of FILE_NAME and FILE_SCHEMA.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Header {
    pub(super) schema: String,
    pub(super) created: String,
    pub(super) author: String,
    pub(super) organisation: String,
    pub(super) application: String,
}

impl Header {
    /// The facts for the document's metadata.
    pub(super) fn facts(self) -> Vec<(&'static str, String)> {
        vec![
            ("schema", self.schema),
            ("created", self.created),
            ("author", self.author),
            ("organisation", self.organisation),
            ("application", self.application),
        ]
    }
}

/// Bytes at the start of a file that the header may take.
const LONGEST: usize = 200_000;

/// Reads the header; what is missing stays empty.
pub(super) fn read(content: &[u8], charset: Charset) -> Header {
    let content = content.get(..content.len().min(LONGEST)).unwrap_or_default();
    let text = charset.decode(content);
    let head = text.split("DATA;").next().unwrap_or_default();
    let name = arguments(head, "FILE_NAME");
    let text = |index: usize| name.get(index).cloned().unwrap_or_default();
    Header {
        schema: arguments(head, "FILE_SCHEMA").into_iter().next().unwrap_or_default().to_ascii_uppercase(),
        created: text(1),
        author: text(2),
        organisation: text(3),
        application: Some(text(5)).filter(|t| !t.is_empty()).unwrap_or_else(|| text(4)),
    }
}

/// Top-level arguments of a header record; a list gives its members joined by commas.
fn arguments(head: &str, keyword: &str) -> Vec<String> {
    let Some(start) = head.find(keyword) else { return Vec::new() };
    let rest = head.get(start + keyword.len()..).unwrap_or("");
    let mut out: Vec<String> = Vec::new();
    let (mut depth, mut in_string) = (0_u32, false);
    let mut token = String::new();
    let mut chars = rest.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\'' if in_string && chars.peek() == Some(&'\'') => {
                chars.next();
                token.push('\'');
            }
            '\'' => {
                in_string = !in_string;
                if in_string && !token.is_empty() {
                    token.push_str(", ");
                }
            }
            c if in_string => token.push(c),
            '(' => depth += 1,
            ')' if depth <= 1 => {
                out.push(std::mem::take(&mut token));
                break;
            }
            ')' => depth -= 1,
            ',' if depth == 1 => out.push(std::mem::take(&mut token)),
            ';' => break,
            _ => {}
        }
    }
    out.into_iter().map(|t| tidy(decode_ifc_string(&t))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn facts_of_the_header() {
        let text = "ISO-10303-21;\nHEADER;\nFILE_DESCRIPTION((''),'2;1');\n\
            FILE_NAME('a.ifc','2026-03-01T10:00:00',('A. M\\X2\\00FC\\X0\\ller','B'),('Firma ''X'''),'pre','Programm 1.0','');\n\
            FILE_SCHEMA(('IFC4'));\nENDSEC;\nDATA;\n";
        let header = read(text.as_bytes(), Charset::of(text.as_bytes()));
        assert_eq!(header.schema, "IFC4");
        assert_eq!(header.created, "2026-03-01T10:00:00");
        assert_eq!(header.author, "A. Müller, B");
        assert_eq!(header.organisation, "Firma 'X'");
        assert_eq!(header.application, "Programm 1.0");
    }
}
