//! Purposes for which the appliance does not start.
//!
//! Searching a firm's project files is in no area of annex III of the AI Act. It becomes a system of high risk by what
//! it is meant for. A stated purpose (`report.purpose`) that names such an area is refused and recorded, unless the
//! firm has taken the duties of high risk upon itself (`retention.high_risk`); what article 5 forbids is refused
//! always. Words are compared, so this stops a mistake and not a lie.

/// An area, and the words that name it in the four languages.
struct Area {
    rule: &'static str,
    words: &'static [&'static str],
    /// True if no duty taken on makes it permissible.
    forbidden: bool,
}

const AREAS: &[Area] = &[
    Area {
        rule: "AI Act, article 5: emotion recognition at work, social scoring",
        words: &[
            "emotion",
            "émotion",
            "emozion",
            "gefühlserkennung",
            "social scoring",
            "sozialkredit",
            "notation sociale",
            "punteggio sociale",
        ],
        forbidden: true,
    },
    Area {
        rule: "AI Act, annex III, point 4: employment",
        words: &[
            "hr-selektion",
            "hr selektion",
            "hr selection",
            "hr-selection",
            "personalauswahl",
            "personalselektion",
            "bewerber",
            "bewerbung",
            "lebensläufe",
            "mitarbeiterbewertung",
            "mitarbeiterbeurteilung",
            "leistungsbeurteilung",
            "recruit",
            "cv screening",
            "job applica",
            "performance review",
            "employee evaluation",
            "recrutement",
            "candidature",
            "sélection du personnel",
            "évaluation du personnel",
            "selezione del personale",
            "candidatur",
            "valutazione del personale",
        ],
        forbidden: false,
    },
    Area {
        rule: "AI Act, annex III, point 5: creditworthiness",
        words: &[
            "bonität",
            "kreditwürdigkeit",
            "creditworth",
            "credit scor",
            "solvabilité",
            "solvibilità",
            "merito creditizio",
        ],
        forbidden: false,
    },
    Area {
        rule: "AI Act, annex III, point 2: safety component of critical infrastructure",
        words: &[
            "sicherheitsbauteil",
            "safety component",
            "composant de sécurité",
            "componente di sicurezza",
        ],
        forbidden: false,
    },
    Area {
        rule: "AI Act, annex III, point 8: courts and dispute resolution",
        words: &[
            "streitbeilegung",
            "schiedsgericht",
            "dispute resolution",
            "arbitration",
            "règlement des litiges",
            "risoluzione delle controversie",
        ],
        forbidden: false,
    },
];

/// The rule that excludes `purpose`, if one does.
pub(super) fn excludes(purpose: &str, high_risk: bool) -> Option<&'static str> {
    let purpose = purpose.to_lowercase();
    let names = |area: &&Area| area.words.iter().any(|word| purpose.contains(word));
    AREAS.iter().filter(|area| area.forbidden || !high_risk).find(names).map(|area| area.rule)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn purposes_of_high_risk_are_refused_unless_their_duties_are_taken_on() {
        for purpose in [
            "HR-Selektion",
            "Auswahl von Bewerbungen",
            "Recrutement",
            "Selezione del personale",
            "Kreditwürdigkeit von Mietern",
            "dispute resolution",
        ] {
            assert!(excludes(purpose, false).is_some(), "{purpose}");
            assert_eq!(excludes(purpose, true), None, "{purpose}");
        }
        assert!(excludes("Emotionserkennung am Arbeitsplatz", true).unwrap().contains("article 5"));
        for purpose in ["Suche in Projektunterlagen", "Recherche dans les dossiers de projet", ""] {
            assert_eq!(excludes(purpose, false), None, "{purpose}");
        }
    }
}
