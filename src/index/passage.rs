//! What a model reads of a chunk.

/// What is embedded and judged of a chunk: a passage alone often does not say what it is about.
pub(crate) fn passage(title: &str, section: &[String], text: &str) -> String {
    let mut passage = String::with_capacity(title.len() + text.len() + 64);
    for heading in std::iter::once(title).chain(section.iter().map(String::as_str)).filter(|h| !h.is_empty())
    {
        if !passage.is_empty() {
            passage.push_str(" – ");
        }
        passage.push_str(heading);
    }
    if !passage.is_empty() {
        passage.push('\n');
    }
    passage.push_str(text);
    passage
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_passage_is_embedded_with_what_stands_above_it() {
        let section = ["3 Wände".to_owned(), String::new(), "3.1 Aussenwand".to_owned()];
        assert_eq!(
            passage("Baubeschrieb", &section, "U = 0.15"),
            "Baubeschrieb – 3 Wände – 3.1 Aussenwand\nU = 0.15"
        );
        assert_eq!(passage("", &[], "Text"), "Text");
    }
}
