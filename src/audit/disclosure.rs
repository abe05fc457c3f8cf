//! Whether something may be handed to somebody abroad (FADP 16 to 18).

/// Countries whose law protects adequately by annex 1 of the Data Protection Ordinance, and Switzerland itself. The
/// United States are adequate for certified firms only: there a reference is asked for.
const ADEQUATE: &[&str] = &[
    "AD", "AR", "AT", "BE", "BG", "CA", "CH", "CY", "CZ", "DE", "DK", "EE", "ES", "FI", "FO", "FR", "GB",
    "GG", "GI", "GR", "HR", "HU", "IE", "IL", "IM", "IS", "IT", "JE", "LI", "LT", "LU", "LV", "MC", "MT",
    "NL", "NO", "NZ", "PL", "PT", "RO", "SE", "SI", "SK", "UY",
];

/// Refuses an export without a recipient, without a country, or into a country without adequate law and without
/// a guarantee.
///
/// # Errors
/// What is missing, in words for the person at the terminal.
pub fn check(recipient: &str, country: &str, guarantee: Option<&str>) -> Result<(), String> {
    if recipient.trim().is_empty() {
        return Err("--recipient must name who gets it".to_owned());
    }
    let code = country.to_ascii_uppercase();
    if code.len() != 2 || !code.bytes().all(|b| b.is_ascii_uppercase()) {
        return Err(format!("{country:?} is no country of two letters, such as CH"));
    }
    let guaranteed = guarantee.is_some_and(|text| !text.trim().is_empty());
    if guaranteed || ADEQUATE.contains(&code.as_str()) {
        return Ok(());
    }
    Err(format!(
        "{code} has no adequate law on data protection; give the contract or rule that guarantees protection with \
         --guarantee"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn abroad_only_with_adequate_law_or_a_guarantee() {
        assert!(check("Treuhand Beispiel AG", "ch", None).is_ok());
        assert!(check("Beispiel GmbH", "DE", None).is_ok());
        for (country, guarantee) in [("US", None), ("CN", Some(" ")), ("Schweiz", None), ("", None)] {
            assert!(check("Example Inc.", country, guarantee).is_err(), "{country}");
        }
        assert!(check("Example Inc.", "US", Some("SCC 2026-04")).is_ok());
        assert!(check(" ", "CH", None).is_err());
    }
}
