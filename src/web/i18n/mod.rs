//! The product's words in four languages.
//!
//! [`Texts`] is a struct with one field per text and each language is one constant of it, so a
//! missing, extra or misspelt key does not compile. `{1}`, `{2}` … mark values; [`fill`] sets them,
//! in whatever order a language needs. `{1|file|files}` is the form of a word that goes with the first value: the
//! former where that is one. `{1<2|fichier|fichiers}` is the same for French, which says none in the singular, too.

mod classes;
#[cfg(test)]
mod counted;
mod de;
mod en;
mod fr;
mod it;

use std::fmt::Display;

use ingest::{Kind, Language};

pub(crate) use classes::class_name;

macro_rules! texts {
    ($(#[$doc:meta])* $name:ident $($key:ident)*) => {
        $(#[$doc])*
        #[derive(Debug)]
        pub(crate) struct $name { $(pub(crate) $key: &'static str),* }

        impl $name {
            /// Keys and texts, for tests.
            #[cfg(test)]
            pub(crate) fn entries(&self) -> Vec<(&'static str, &'static str)> {
                vec![$((stringify!($key), self.$key)),*]
            }
        }
    };
}

mod duties;

pub(crate) use duties::{Duties, duties};

texts! {
    /// Every text of the web pages, except for those on duties.
    Texts
    // Frame
    skip_to_content main_navigation nav_search nav_ask nav_holdings nav_report sign_out signed_in_as
    computes_on language_label tagline
    // Kinds of source
    kind_pdf kind_image kind_ifc kind_rfi kind_sheet kind_mail kind_text
    // Places inside a document
    place_page place_row place_mail_body place_mail_part place_line place_paragraph place_slide
    // Sign-in
    login_title login_intro login_name login_password login_button login_failed login_throttled
    // Search
    search_title search_label search_placeholder search_button search_intro kind_label kind_all project_label project_all
    search_kind_unknown search_project_unknown query_filter query_value query_project query_wildcard query_operator query_quote hit_same hit_superseded
    hits_none hits_one hits_many hits_range elapsed_ms previous next pages_label keys_hint ask_this
    empty_holdings_title empty_holdings_text empty_rights_title empty_rights_text empty_found_title empty_found_text
    // Ask
    ask_title ask_label ask_placeholder ask_button ask_stop ask_stopped ask_working ask_reading ask_writing ask_failed ask_intro ask_answer
    notice_model notice_extractive notice_query notice_none cited_sources other_passages not_verified verified
    unverified_title answer_timing answer_by answer_without_model answer_model_withheld quote_label read_as understood_as rows_all language_model_streaming
    // Document
    document_details document_project document_path document_size document_pages document_indexed
    document_original document_changed document_missing back_to_search page_of page_text page_image_alt
    page_marks_none page_marks_one page_marks_many page_from_ocr page_passages go go_to_page page_blank marks_legend
    // Energy proof
    energy_title energy_summary energy_summary_differs energy_fact energy_subject energy_place energy_element energy_model
    energy_differs energy_no_elements energy_no_model fact_standard fact_station fact_area fact_envelope fact_demand
    fact_demand_limit fact_system fact_u fact_u_limit
    // RFI
    rfi_revision rfi_status rfi_priority rfi_discipline rfi_created rfi_due rfi_closed rfi_author rfi_assignee rfi_question
    rfi_answers rfi_no_answer rfi_official rfi_references rfi_elements rfi_fields rfi_records rfi_subject rfi_number
    rfi_project rfi_kind rfi_suggestion rfi_ball rfi_answered rfi_location rfi_spec rfi_cost rfi_schedule
    rfi_drawings rfi_attachments rfi_parties rfi_part_manager rfi_part_reviewer rfi_part_contractor rfi_part_copy
    rfi_part_answer rfi_views rfi_view_one rfi_others rfi_mails mail_thread
    // IFC
    ifc_true ifc_false
    ifc_class ifc_type ifc_storey ifc_tag ifc_description ifc_where ifc_materials ifc_classification
    ifc_quantities ifc_dimensions ifc_records ifc_elements ifc_name ifc_not_found ifc_value ifc_property
    ifc_predefined ifc_build_up ifc_groups ifc_host ifc_hosted ifc_program ifc_changed ifc_compliance
    // What changed in a model, and what the reader warned of
    run_joined changes_summary changes_added changes_removed changes_changed changes_more run_models run_models_text
    warned_title warned_text warned_what warned_in_part reading_in_part reading_notes
    // Lists and other kinds
    list_range passages_title attachments_title
    // Holdings and runs
    holdings_title holdings_documents holdings_pages holdings_passages holdings_elements holdings_records
    holdings_document holdings_page holdings_passage holdings_element holdings_record
    run_idle run_active run_progress run_now run_started runs_title runs_none run_begin run_end run_by run_running
    run_added run_modified run_moved run_deleted run_unchanged run_rejected rejected_title rejected_none rejected_path
    rejected_reason rejected_admin_only
    doubtful_title doubtful_text doubtful_none doubtful_document doubtful_page doubtful_confidence doubtful_unread
    run_failed run_path run_next run_remaining run_remaining_min run_passages run_inside
    // Why a file was rejected
    reject_unsupported reject_password reject_damaged reject_too_large reject_timed_out reject_out_of_memory
    reject_reader_died reject_unreadable reject_changing
    // The report of a run
    run_title run_json run_changes run_project run_all run_deletion run_repaired run_erased run_skipped run_unknown run_stages
    run_records run_records_file run_records_found run_records_stored
    run_records_merged run_records_rejected run_records_lost run_paused
    run_pause run_resume run_stop stage_scan stage_read stage_embed stage_write stage_log stage_tidy stage_paused
    rate_pages rate_passages
    // Report
    report_title report_intro report_from report_to report_language report_button report_logged report_period_wrong
    // Errors
    error_back error_request error_not_found error_not_found_text error_forbidden error_forbidden_text
    error_form error_form_text error_bad error_bad_text error_too_large error_too_large_text error_method
    error_method_text error_throttled error_throttled_text error_log error_log_text error_changed error_changed_text
    error_timeout error_timeout_text error_internal error_internal_text error_signed_out error_signed_out_text
    error_busy error_busy_text
}

/// The texts of a language.
pub(crate) fn texts(language: Language) -> &'static Texts {
    match language {
        Language::De => &de::TEXTS,
        Language::Fr => &fr::TEXTS,
        Language::It => &it::TEXTS,
        Language::En => &en::TEXTS,
    }
}

/// What a language calls itself.
pub(crate) fn native_name(language: Language) -> &'static str {
    match language {
        Language::De => "Deutsch",
        Language::Fr => "Français",
        Language::It => "Italiano",
        Language::En => "English",
    }
}

/// Sets `{1}`, `{2}`, … in `text` to `values`, and `{1|one|many}` to the form that goes with one. Values are never
/// searched for further marks.
pub(crate) fn fill(text: &str, values: &[&dyn Display]) -> String {
    let mut out = String::with_capacity(text.len() + 16);
    let mut rest = text;
    while let Some(start) = rest.find('{') {
        out.push_str(&rest[..start]);
        let tail = &rest[start..];
        let value = tail.find('}').and_then(|end| Some((set(tail.get(1..end)?, values)?, end)));
        match value {
            Some((value, end)) => {
                out.push_str(&value);
                rest = &tail[end + 1..];
            }
            None => {
                out.push('{');
                rest = &tail[1..];
            }
        }
    }
    out.push_str(rest);
    out
}

/// What a mark stands for; `None` where it is none.
fn set(mark: &str, values: &[&dyn Display]) -> Option<String> {
    let value = |n: &str| Some(values.get(n.parse::<usize>().ok()?.checked_sub(1)?)?.to_string());
    let Some((n, forms)) = mark.split_once('|') else { return value(mark) };
    let (one, many) = forms.split_once('|')?;
    let (value, is_french) = match n.strip_suffix("<2") {
        Some(n) => (value(n)?, true),
        None => (value(n)?, false),
    };
    let is_one = value == "1" || is_french && value == "0";
    Some(if is_one { one } else { many }.to_owned())
}

impl Texts {
    /// A text with one value; for templates.
    pub(crate) fn one(&self, text: &str, value: impl Display) -> String {
        fill(text, &[&value])
    }

    /// A text with two values; for templates.
    pub(crate) fn two(&self, text: &str, first: impl Display, second: impl Display) -> String {
        fill(text, &[&first, &second])
    }

    /// A text with three values; for templates.
    pub(crate) fn three(&self, text: &str, a: impl Display, b: impl Display, c: impl Display) -> String {
        fill(text, &[&a, &b, &c])
    }

    /// What a sort of source is called.
    pub(crate) fn kind(&self, kind: Kind) -> &'static str {
        match kind {
            Kind::Pdf => self.kind_pdf,
            Kind::Image => self.kind_image,
            Kind::Ifc => self.kind_ifc,
            Kind::Rfi => self.kind_rfi,
            Kind::Sheet => self.kind_sheet,
            Kind::Mail => self.kind_mail,
            Kind::Text => self.kind_text,
        }
    }
}

/// The first language of an `Accept-Language` header that the product speaks, by weight.
pub(crate) fn accepted(header: &str) -> Option<Language> {
    let mut best: Option<(f32, Language)> = None;
    for part in header.split(',').take(32) {
        let mut fields = part.split(';');
        let tag = fields.next().unwrap_or_default().trim();
        let primary = tag.split('-').next().unwrap_or_default().to_ascii_lowercase();
        let weight = fields
            .find_map(|f| f.trim().strip_prefix("q="))
            .map_or(Some(1.0), |q| q.trim().parse::<f32>().ok())
            .unwrap_or(0.0);
        let Some(language) = Language::parse(&primary) else { continue };
        if weight > 0.0 && best.is_none_or(|(w, _)| weight > w) {
            best = Some((weight, language));
        }
    }
    best.map(|(_, language)| language)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn marks(text: &str) -> Vec<usize> {
        (1..=9).filter(|n| text.contains(&format!("{{{n}}}"))).collect()
    }

    #[test]
    fn values_are_set_in_the_order_the_language_needs() {
        assert_eq!(fill("{2} von {1}", &[&"a", &7]), "7 von a");
        assert_eq!(fill("{1}", &[&"{2}", &"x"]), "{2}");
        assert_eq!(fill("100 % {x} {9} {", &[&1]), "100 % {x} {9} {");
    }

    #[test]
    fn a_word_takes_the_form_that_goes_with_its_number() {
        let said = |text, n: u64| fill(text, &[&super::super::format::whole(n), &"x"]);
        let german = "{1} {1|Datei|Dateien} {2}";
        assert_eq!(
            [0, 1, 2, 1001].map(|n| said(german, n)),
            ["0 Dateien x", "1 Datei x", "2 Dateien x", "1’001 Dateien x"]
        );
        let french = "{1} {1<2|fichier|fichiers}";
        assert_eq!([0, 1, 2].map(|n| said(french, n)), ["0 fichier", "1 fichier", "2 fichiers"]);
        assert_eq!(fill("{1|a} {3|a|b} {x|a|b}", &[&1]), "{1|a} {3|a|b} {x|a|b}");
    }

    #[test]
    fn every_language_has_every_text_with_the_same_values() {
        let german = texts(Language::De).entries();
        let german: Vec<_> = german.into_iter().chain(duties(Language::De).entries()).collect();
        for language in Language::ALL {
            let all = texts(language).entries().into_iter().chain(duties(language).entries());
            for ((key, de), (other, text)) in german.iter().zip(all) {
                assert_eq!(*key, other);
                assert!(!text.trim().is_empty(), "{language:?} {key} is empty");
                assert_eq!(marks(de), marks(text), "{language:?} {key}");
            }
        }
    }

    #[test]
    fn german_is_written_the_swiss_way() {
        for (key, text) in texts(Language::De).entries().into_iter().chain(duties(Language::De).entries()) {
            assert!(!text.contains('ß'), "{key}");
        }
    }

    #[test]
    fn the_heaviest_known_language_wins() {
        assert_eq!(accepted("fr-CH, fr;q=0.9, en;q=0.8"), Some(Language::Fr));
        assert_eq!(accepted("rm, it;q=0.4, de;q=0.6"), Some(Language::De));
        assert_eq!(accepted("pt-BR, *;q=0.5"), None);
        assert_eq!(accepted("en;q=0, it;q=0.1"), Some(Language::It));
    }
}
