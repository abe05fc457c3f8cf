use ingest::Language;

use super::{i18n, pages};

fn all() -> Vec<(String, String)> {
    let named =
        |l: Language| pages(l).into_iter().map(move |(name, html)| (format!("{} {name}", l.as_str()), html));
    Language::ALL.into_iter().flat_map(named).collect()
}

/// The values of an attribute, in order.
fn values<'a>(html: &'a str, attribute: &str) -> Vec<&'a str> {
    let start = format!(" {attribute}=\"");
    html.split(&start).skip(1).filter_map(|rest| rest.split('"').next()).collect()
}

#[test]
fn no_page_reaches_for_another_host_or_runs_inline_code() {
    for (name, html) in all() {
        for attribute in ["src", "href", "action", "formaction", "data", "poster", "srcset"] {
            for value in values(&html, attribute) {
                let local = (value.starts_with('/') && !value.starts_with("//")) || value.starts_with('#');
                assert!(local, "{name}: {attribute} leads to {value}");
            }
        }
        assert!(
            !html.contains("style=\"") && !html.contains(" onclick=") && !html.contains("javascript:"),
            "{name}"
        );
        assert_eq!(
            html.matches("<script").count(),
            html.matches("nonce=\"bm9uY2U\" defer></script>").count(),
            "{name}"
        );
        assert!(!html.contains("<style"), "{name}");
    }
}

#[test]
fn no_page_shows_an_unset_value() {
    for (name, html) in all() {
        for mark in ["{1}", "{2}", "{3}"] {
            assert!(!html.contains(mark), "{name}");
        }
    }
}

#[test]
fn every_page_names_its_language_and_every_control_its_purpose() {
    for (name, html) in all() {
        let language = name.split(' ').next().unwrap();
        assert!(html.contains(&format!("<html lang=\"{language}\">")), "{name}");
        assert_eq!(html.matches("<h1").count(), 1, "{name}: one main heading");
        assert_eq!(html.matches("<main").count(), 1, "{name}");
        for tag in ["<input ", "<select ", "<textarea "] {
            for control in html.split(tag).skip(1) {
                let control = control.split('>').next().unwrap();
                if control.contains("type=\"hidden\"") {
                    continue;
                }
                let control = format!(" {control}");
                let id = values(&control, "id").first().copied().unwrap_or("none");
                assert!(html.contains(&format!(" for=\"{id}\">")), "{name}: {control}");
            }
        }
        for image in html.split("<img ").skip(1) {
            assert!(!values(&format!(" {image}"), "alt").is_empty(), "{name}: an image without a text");
        }
    }
}

#[test]
fn every_form_that_changes_something_carries_its_token() {
    for (name, html) in all() {
        for form in html.split("<form ").skip(1) {
            let form = form.split("</form>").next().unwrap();
            let carries = form.contains("name=\"form_token\" value=\"form-token\"");
            assert_eq!(form.contains("method=\"post\""), carries, "{name}: {form}");
        }
    }
}

#[test]
fn what_comes_from_documents_is_text_and_never_markup() {
    let html = pages(Language::De).into_iter().find(|(name, _)| *name == "search").unwrap().1;
    assert!(html.contains("Musterlingen &#60;2026&#62;") && !html.contains("<2026>"));
}

#[test]
fn answers_say_what_made_them() {
    for language in Language::ALL {
        let t = i18n::texts(language);
        let pages = pages(language);
        let html = &pages.iter().find(|(name, _)| *name == "ask").unwrap().1;
        assert!(
            html.contains(t.notice_model) && html.contains("<meta name=\"ai-generated\" content=\"model\">")
        );
        assert!(html.contains(t.not_verified) && html.contains(t.unverified_title));
    }
}
