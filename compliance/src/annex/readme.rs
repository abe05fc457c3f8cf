//! The README inside the annex.

use super::Extra;
use crate::report::Lang;

/// The text, in the language of the sheet and, where that is another, in English.
pub(super) fn text(lang: Lang, files: &[Extra]) -> String {
    let mut names: Vec<&str> = files.iter().map(|(name, _)| name.as_str()).collect();
    names.sort_unstable();
    let list: String = names.iter().map(|name| format!("  {name:<28} {}\n", meaning(name, lang))).collect();
    let own = body(lang).replace("{files}", &list);
    if lang == Lang::En {
        return own;
    }
    let list: String =
        names.iter().map(|name| format!("  {name:<28} {}\n", meaning(name, Lang::En))).collect();
    format!("{own}\n----------\n\n{}", body(Lang::En).replace("{files}", &list))
}

fn body(lang: Lang) -> &'static str {
    match lang {
        Lang::De => {
            "Beilage zum Bericht\n\n\
So wird geprüft, ohne Netz und ohne das Gerät:\n\
1. sha256sum -c SHA256SUMS\n\
   Jede Datei ist die, die verpackt wurde.\n\
2. ./verify --annex . SCHLÜSSEL\n\
   SCHLÜSSEL ist der öffentliche Schlüssel, den die Firma zu Beginn oder nach einem Schlüsselwechsel übergeben hat; \
er muss gleich lauten wie log.vkey. Nehmen Sie ihn nicht aus dieser Beilage. Geprüft wird: die Unterschrift \
über die Liste der Dateien, die Unterschrift über den Baum, dass die Ereignisse der Periode lückenlos und in dieser \
Reihenfolge darin stehen, und dass die Zahlen des Berichts daraus folgen.\n\
   Fehlt verify in der Beilage: es ist das Programm dossier-verify.\n\
3. openssl ts -verify -in GRÖSSE.tsr -queryfile GRÖSSE.tsq -CAfile STELLE.pem\n\
   für Zeitstempel, mit dem Zertifikat der Stelle, der Sie vertrauen.\n\n\
Was das zeigt: was aufgezeichnet wurde, und dass es seither nicht verändert wurde, soweit jemand ausserhalb \
einen früheren Stand kennt. Was es nicht zeigt: dass eine Antwort richtig war. Keine Zertifizierung, keine \
Rechtsberatung.\n\n\
Dateien:\n{files}"
        }
        Lang::Fr => {
            "Annexe au rapport\n\n\
Vérification, sans réseau et sans l’appareil:\n\
1. sha256sum -c SHA256SUMS\n\
   Chaque fichier est celui qui a été emballé.\n\
2. ./verify --annex . CLÉ\n\
   CLÉ est la clé publique que l’entreprise a remise au début ou après un changement de clé; elle doit être \
identique à log.vkey. Ne la prenez pas dans cette annexe. Sont vérifiés: la signature de la liste des fichiers, \
la signature de l’arbre, que les événements de la période y figurent sans lacune et dans cet ordre, et que les \
chiffres du rapport en découlent.\n\
   Si verify manque dans l’annexe: c’est le programme dossier-verify.\n\
3. openssl ts -verify -in TAILLE.tsr -queryfile TAILLE.tsq -CAfile AUTORITÉ.pem\n\
   pour les horodatages, avec le certificat de l’autorité à laquelle vous faites confiance.\n\n\
Ce que cela montre: ce qui a été consigné, et que cela n’a pas été modifié depuis, pour autant que quelqu’un \
à l’extérieur connaisse un état antérieur. Ce que cela ne montre pas: qu’une réponse était juste. Ni \
certification, ni conseil juridique.\n\n\
Fichiers:\n{files}"
        }
        Lang::It => {
            "Allegato al rapporto\n\n\
Verifica, senza rete e senza l’apparecchio:\n\
1. sha256sum -c SHA256SUMS\n\
   Ogni file è quello che è stato impacchettato.\n\
2. ./verify --annex . CHIAVE\n\
   CHIAVE è la chiave pubblica che l’azienda ha consegnato all’inizio o dopo un cambio di chiave; deve essere \
uguale a log.vkey. Non prendetela da questo allegato. Si verifica: la firma sull’elenco dei file, la firma \
sull’albero, che gli eventi del periodo vi figurino senza lacune e in quest’ordine, e che le cifre del \
rapporto ne derivino.\n\
   Se verify manca nell’allegato: è il programma dossier-verify.\n\
3. openssl ts -verify -in DIMENSIONE.tsr -queryfile DIMENSIONE.tsq -CAfile AUTORITÀ.pem\n\
   per le marche temporali, con il certificato dell’autorità di cui vi fidate.\n\n\
Che cosa mostra: che cosa è stato registrato, e che da allora non è stato modificato, nella misura in cui \
qualcuno all’esterno conosce uno stato precedente. Che cosa non mostra: che una risposta fosse giusta. Nessuna \
certificazione, nessuna consulenza legale.\n\n\
File:\n{files}"
        }
        Lang::En => {
            "Annex to the report\n\n\
How to check it, without a network and without the appliance:\n\
1. sha256sum -c SHA256SUMS\n\
   Every file is the one that was packed.\n\
2. ./verify --annex . KEY\n\
   KEY is the public key that the firm handed over at the beginning or after a change of the key; it must be the \
same as log.vkey. Do not take it from this annex. Checked are: the signature over the list of files, the \
signature over the tree, that the events of the period stand in it without a gap and in this order, and \
that the figures of the report follow from them.\n\
   If verify is not in the annex: it is the program dossier-verify.\n\
3. openssl ts -verify -in SIZE.tsr -queryfile SIZE.tsq -CAfile AUTHORITY.pem\n\
   for time stamps, with the certificate of the authority that you trust.\n\n\
What this shows: what was recorded, and that it was not changed since, as far as somebody outside knows an \
earlier state. What it does not show: that an answer was right. No certification, no legal advice.\n\n\
Files:\n{files}"
        }
    }
}

/// What a file is, by its name.
fn meaning(name: &str, lang: Lang) -> &'static str {
    let [de, fr, it, en] = match name {
        "report.pdf" => ["der Bericht", "le rapport", "il rapporto", "the report"],
        "report.json" => [
            "seine Zahlen mit den Abfragen",
            "ses chiffres avec les requêtes",
            "le sue cifre con le interrogazioni",
            "its figures with their queries",
        ],
        "events.jsonl" | "events.csv" => [
            "die Ereignisse, pseudonymisiert",
            "les événements, pseudonymisés",
            "gli eventi, pseudonimizzati",
            "the events, pseudonymised",
        ],
        "checkpoint" => ["der unterschriebene Stand", "l’état signé", "lo stato firmato", "the signed state"],
        "log.vkey" => [
            "öffentlicher Schlüssel, zum Vergleich",
            "clé publique, pour comparaison",
            "chiave pubblica, per confronto",
            "public key, to compare",
        ],
        "dpia.pdf" => [
            "Entwurf der Folgenabschätzung",
            "projet d’analyse d’impact",
            "bozza della valutazione d’impatto",
            "draft of the impact assessment",
        ],
        "models.cdx.json" => {
            ["Modelle (CycloneDX)", "modèles (CycloneDX)", "modelli (CycloneDX)", "models (CycloneDX)"]
        }
        "sbom.cdx.json" => [
            "Bestandteile des Programms (CycloneDX)",
            "composants du programme (CycloneDX)",
            "componenti del programma (CycloneDX)",
            "components of the program (CycloneDX)",
        ],
        "egress_test.json" => [
            "letzter Versuch, ob etwas hinausgelangt",
            "dernier essai: quelque chose sort-il?",
            "ultima prova: esce qualcosa?",
            "last test whether anything gets out",
        ],
        "witnesses" => [
            "öffentliche Schlüssel der Zeugen",
            "clés publiques des témoins",
            "chiavi pubbliche dei testimoni",
            "public keys of the witnesses",
        ],
        "config.json" => ["Konfiguration", "configuration", "configurazione", "configuration"],
        "record_art12.csv" => [
            "Bearbeitungsverzeichnis (Art. 12 DSG)",
            "registre des activités (art. 12 LPD)",
            "registro delle attività (art. 12 LPD)",
            "record of processing (FADP 12)",
        ],
        "verify" => ["Prüfprogramm", "programme de vérification", "programma di verifica", "verifier"],
        n if n.ends_with(".tlog-proof") => [
            "Beweis der Zugehörigkeit zum Baum",
            "preuve d’inclusion dans l’arbre",
            "prova d’inclusione nell’albero",
            "proof of inclusion in the tree",
        ],
        n if n.ends_with(".cosig") => [
            "von einem Zeugen gegengezeichnet",
            "contresigné par un témoin",
            "controfirmato da un testimone",
            "countersigned by a witness",
        ],
        n if n.ends_with(".tsr") || n.ends_with(".tsq") => [
            "Zeitstempel, Anfrage und Antwort",
            "horodatage, demande et réponse",
            "marca temporale, richiesta e risposta",
            "time stamp, request and answer",
        ],
        _ => ["", "", "", ""],
    };
    match lang {
        Lang::De => de,
        Lang::Fr => fr,
        Lang::It => it,
        Lang::En => en,
    }
}
