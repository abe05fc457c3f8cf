//! Numbers of requests in running text.

/// The first request number in a text: `RFI-014`, `RFI 14`.
pub(crate) fn rfi_number(text: &str) -> Option<String> {
    let upper = text.to_ascii_uppercase();
    let mut from = 0;
    while let Some(found) = upper.get(from..)?.find("RFI") {
        let start = from + found;
        let rest = upper.get(start + 3..)?;
        let separators = rest.len() - rest.trim_start_matches([' ', '-', '_', '#', ':', '.']).len();
        let digits = rest.get(separators..)?.bytes().take_while(|b| b.is_ascii_digit()).count();
        let fresh = !upper.get(..start)?.ends_with(|c: char| c.is_alphanumeric());
        if fresh && digits > 0 && separators <= 3 {
            return text.get(start..start + 3 + separators + digits).map(String::from);
        }
        from = start + 3;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::rfi_number;

    #[test]
    fn request_numbers() {
        let cases = [
            ("AW: RFI-014 Türen", Some("RFI-014")),
            ("Re: rfi 7", Some("rfi 7")),
            ("RFI", None),
            ("SURFIN 12", None),
        ];
        for (text, expected) in cases {
            assert_eq!(rfi_number(text).as_deref(), expected, "{text}");
        }
    }
}
