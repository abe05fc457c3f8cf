//! Texts with counted words, as they are to be said with none, one and two of everything: German, French, Italian,
//! English.

use ingest::Language;

use super::{fill, texts};

type Said = [[&'static str; 3]; 4];

const COUNTED: [(&str, Said); 8] = [
    (
        "energy_summary",
        [
            [
                "Energienachweis SIA 380/1: 0 Angaben",
                "Energienachweis SIA 380/1: 1 Angabe",
                "Energienachweis SIA 380/1: 2 Angaben",
            ],
            [
                "Justificatif énergétique SIA 380/1 : 0 donnée",
                "Justificatif énergétique SIA 380/1 : 1 donnée",
                "Justificatif énergétique SIA 380/1 : 2 données",
            ],
            [
                "Giustificativo energetico SIA 380/1: 0 dati",
                "Giustificativo energetico SIA 380/1: 1 dato",
                "Giustificativo energetico SIA 380/1: 2 dati",
            ],
            [
                "Energy proof SIA 380/1: 0 facts",
                "Energy proof SIA 380/1: 1 fact",
                "Energy proof SIA 380/1: 2 facts",
            ],
        ],
    ),
    (
        "energy_summary_differs",
        [
            [
                "Energienachweis SIA 380/1: 0 Angaben, 0 U-Werte weichen vom Modell ab",
                "Energienachweis SIA 380/1: 1 Angabe, 1 U-Wert weicht vom Modell ab",
                "Energienachweis SIA 380/1: 2 Angaben, 2 U-Werte weichen vom Modell ab",
            ],
            [
                "Justificatif énergétique SIA 380/1 : 0 donnée, 0 valeur U diffère du modèle",
                "Justificatif énergétique SIA 380/1 : 1 donnée, 1 valeur U diffère du modèle",
                "Justificatif énergétique SIA 380/1 : 2 données, 2 valeurs U diffèrent du modèle",
            ],
            [
                "Giustificativo energetico SIA 380/1: 0 dati, 0 valori U diversi dal modello",
                "Giustificativo energetico SIA 380/1: 1 dato, 1 valore U diverso dal modello",
                "Giustificativo energetico SIA 380/1: 2 dati, 2 valori U diversi dal modello",
            ],
            [
                "Energy proof SIA 380/1: 0 facts, 0 U-values differ from the model",
                "Energy proof SIA 380/1: 1 fact, 1 U-value differs from the model",
                "Energy proof SIA 380/1: 2 facts, 2 U-values differ from the model",
            ],
        ],
    ),
    (
        "rfi_view_one",
        [
            [
                "Ansicht 0: 0 gewählte Bauteile",
                "Ansicht 1: 1 gewähltes Bauteil",
                "Ansicht 2: 2 gewählte Bauteile",
            ],
            [
                "Vue 0 : 0 élément sélectionné",
                "Vue 1 : 1 élément sélectionné",
                "Vue 2 : 2 éléments sélectionnés",
            ],
            [
                "Vista 0: 0 elementi selezionati",
                "Vista 1: 1 elemento selezionato",
                "Vista 2: 2 elementi selezionati",
            ],
            ["View 0: 0 selected elements", "View 1: 1 selected element", "View 2: 2 selected elements"],
        ],
    ),
    (
        "changes_summary",
        [
            [
                "Gegenüber dem Stand vom 0: 0 Bauteile neu, 0 entfernt, 0 geändert, 0 gleich",
                "Gegenüber dem Stand vom 1: 1 Bauteil neu, 1 entfernt, 1 geändert, 1 gleich",
                "Gegenüber dem Stand vom 2: 2 Bauteile neu, 2 entfernt, 2 geändert, 2 gleich",
            ],
            [
                "Par rapport à la version du 0 : 0 élément nouveau, 0 supprimé, 0 modifié, 0 inchangé",
                "Par rapport à la version du 1 : 1 élément nouveau, 1 supprimé, 1 modifié, 1 inchangé",
                "Par rapport à la version du 2 : 2 éléments nouveaux, 2 supprimés, 2 modifiés, 2 inchangés",
            ],
            [
                "Rispetto alla versione del 0: 0 elementi nuovi, 0 eliminati, 0 modificati, 0 invariati",
                "Rispetto alla versione del 1: 1 elemento nuovo, 1 eliminato, 1 modificato, 1 invariato",
                "Rispetto alla versione del 2: 2 elementi nuovi, 2 eliminati, 2 modificati, 2 invariati",
            ],
            [
                "Compared with the version of 0: 0 elements added, 0 removed, 0 changed, 0 unchanged",
                "Compared with the version of 1: 1 element added, 1 removed, 1 changed, 1 unchanged",
                "Compared with the version of 2: 2 elements added, 2 removed, 2 changed, 2 unchanged",
            ],
        ],
    ),
    (
        "changes_more",
        [
            ["und noch 0", "und noch 1", "und noch 2"],
            ["et 0 autre", "et 1 autre", "et 2 autres"],
            ["e ancora 0", "e ancora 1", "e ancora 2"],
            ["and 0 more", "and 1 more", "and 2 more"],
        ],
    ),
    (
        "run_models_text",
        [
            [
                "Modelle: 0. Bauteile: 0 neu, 0 entfernt, 0 geändert.",
                "Modelle: 1. Bauteile: 1 neu, 1 entfernt, 1 geändert.",
                "Modelle: 2. Bauteile: 2 neu, 2 entfernt, 2 geändert.",
            ],
            [
                "Maquettes : 0. Éléments : 0 nouveau, 0 supprimé, 0 modifié.",
                "Maquettes : 1. Éléments : 1 nouveau, 1 supprimé, 1 modifié.",
                "Maquettes : 2. Éléments : 2 nouveaux, 2 supprimés, 2 modifiés.",
            ],
            [
                "Modelli: 0. Elementi: 0 nuovi, 0 eliminati, 0 modificati.",
                "Modelli: 1. Elementi: 1 nuovo, 1 eliminato, 1 modificato.",
                "Modelli: 2. Elementi: 2 nuovi, 2 eliminati, 2 modificati.",
            ],
            [
                "Models: 0. Elements: 0 added, 0 removed, 0 changed.",
                "Models: 1. Elements: 1 added, 1 removed, 1 changed.",
                "Models: 2. Elements: 2 added, 2 removed, 2 changed.",
            ],
        ],
    ),
    (
        "warned_text",
        [
            [
                "0 Dateien, davon 0 nur zum Teil gelesen.",
                "1 Datei, davon 1 nur zum Teil gelesen.",
                "2 Dateien, davon 2 nur zum Teil gelesen.",
            ],
            [
                "0 fichier, dont 0 lu seulement en partie.",
                "1 fichier, dont 1 lu seulement en partie.",
                "2 fichiers, dont 2 lus seulement en partie.",
            ],
            [
                "0 file, di cui 0 letti solo in parte.",
                "1 file, di cui 1 letto solo in parte.",
                "2 file, di cui 2 letti solo in parte.",
            ],
            [
                "0 files, 0 of them read only in part.",
                "1 file, 1 of them read only in part.",
                "2 files, 2 of them read only in part.",
            ],
        ],
    ),
    (
        "run_deletion",
        [
            [
                "Gelöscht: 0 Dokumente mit 0 Textstellen. Die Suchindizes wurden danach befragt; noch darin: 0.",
                "Gelöscht: 1 Dokument mit 1 Textstelle. Die Suchindizes wurden danach befragt; noch darin: 1.",
                "Gelöscht: 2 Dokumente mit 2 Textstellen. Die Suchindizes wurden danach befragt; noch darin: 2.",
            ],
            [
                "Supprimé : 0 document avec 0 passage. Les index de recherche ont été interrogés ensuite ; encore présents : 0.",
                "Supprimé : 1 document avec 1 passage. Les index de recherche ont été interrogés ensuite ; encore présents : 1.",
                "Supprimés : 2 documents avec 2 passages. Les index de recherche ont été interrogés ensuite ; encore présents : 2.",
            ],
            [
                "Eliminati: 0 documenti con 0 passi. Gli indici di ricerca sono stati interrogati dopo; ancora presenti: 0.",
                "Eliminato: 1 documento con 1 passo. Gli indici di ricerca sono stati interrogati dopo; ancora presenti: 1.",
                "Eliminati: 2 documenti con 2 passi. Gli indici di ricerca sono stati interrogati dopo; ancora presenti: 2.",
            ],
            [
                "Deleted: 0 documents with 0 passages. The search indexes were asked afterwards; still held: 0.",
                "Deleted: 1 document with 1 passage. The search indexes were asked afterwards; still held: 1.",
                "Deleted: 2 documents with 2 passages. The search indexes were asked afterwards; still held: 2.",
            ],
        ],
    ),
];

#[test]
fn counted_words_in_four_languages() {
    for (key, expected) in COUNTED {
        for (language, expected) in Language::ALL.into_iter().zip(expected) {
            let (_, text) = texts(language).entries().into_iter().find(|(k, _)| *k == key).unwrap();
            assert_eq!([0, 1, 2].map(|n| fill(text, &[&n, &n, &n, &n, &n])), expected, "{language:?} {key}");
        }
    }
}

/// A text with forms of a word stands in the table above.
#[test]
fn no_counted_word_is_left_unsaid() {
    for language in Language::ALL {
        for (key, text) in texts(language).entries() {
            assert!(
                !text.contains('|') || COUNTED.iter().any(|(k, _)| *k == key),
                "{language:?} {key}: {text}"
            );
        }
    }
}
