//! The header section of a STEP file.

use ifc_lite_core::decode_ifc_string;

/// Facts of FILE_NAME and FILE_SCHEMA.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Header {
    pub(super) schema: String,
    pub(super) created: String,
    pub(super) author: String,
    pub(super) organisation: String,
    pub(super) application: String,
}

/// Reads the header; what is missing stays empty.
pub(super) fn read(content: &str) -> Header {
    let end = content.find("DATA;").unwrap_or(content.len()).min(200_000);
    let head = content.get(..floor(content, end)).unwrap_or("");
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

fn floor(text: &str, mut at: usize) -> usize {
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
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
    out.into_iter().map(|t| super::model::tidy(&decode_ifc_string(&t))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn facts_of_the_header() {
        let text = "ISO-10303-21;\nHEADER;\nFILE_DESCRIPTION((''),'2;1');\n\
            FILE_NAME('a.ifc','2026-03-01T10:00:00',('A. M\\X2\\00FC\\X0\\ller','B'),('Firma ''X'''),'pre','Programm 1.0','');\n\
            FILE_SCHEMA(('IFC4'));\nENDSEC;\nDATA;\n";
        let header = read(text);
        assert_eq!(header.schema, "IFC4");
        assert_eq!(header.created, "2026-03-01T10:00:00");
        assert_eq!(header.author, "A. Müller, B");
        assert_eq!(header.organisation, "Firma 'X'");
        assert_eq!(header.application, "Programm 1.0");
    }
}
