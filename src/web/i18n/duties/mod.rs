//! What the pages on duties say: one's own history, the log, forms, notices, feedback.

mod de;
mod en;
mod fr;
mod it;

use ingest::Language;

texts! {
    /// Texts of the pages on duties.
    Duties
    nav_usage nav_log foot_notice foot_instruction foot_incident history_title history_intro history_kept
    history_none history_unreadable history_csv history_json history_delete history_delete_text
    history_delete_open history_delete_closed history_answer history_search history_question history_right
    history_wrong history_signed usage_title usage_intro usage_this usage_last usage_project usage_persons
    usage_questions usage_searches usage_verified usage_abstained usage_negative usage_too_few usage_none
    log_title log_intro log_access_title log_access_text log_from log_to log_purpose log_request log_none_asked
    log_auditor log_pending log_open log_refused log_over log_hours log_approve log_refuse log_end log_read
    log_events log_kind log_all log_show log_shown log_no_events log_time log_outcome log_role log_person
    log_problem_same log_problem_state log_problem_input log_texts_title log_unreadable log_back forms_title
    forms_intro forms_never forms_current forms_stale forms_make forms_dpia_yes forms_dpia_no incident_title
    incident_intro incident_a incident_b incident_c incident_d incident_e incident_f incident_g incident_noticed
    incident_high_risk incident_send incident_sent incident_list incident_none incident_timer incident_past
    incident_missing incident_save incident_pdf incident_close incident_result incident_opened incident_closed
    notice_page_title instruction_title instruction_button instruction_done instruction_wanted instruction_open
    instruction_required feedback_title feedback_right feedback_wrong feedback_correction feedback_sign
    feedback_thanks export_title export_format export_publication export_reviewer export_button export_note
}

/// The texts of a language.
pub(crate) fn duties(language: Language) -> &'static Duties {
    match language {
        Language::De => &de::TEXTS,
        Language::Fr => &fr::TEXTS,
        Language::It => &it::TEXTS,
        Language::En => &en::TEXTS,
    }
}
