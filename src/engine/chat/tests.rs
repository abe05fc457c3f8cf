use serde_json::Value as Json;

use super::*;

/// Templates, messages and what Python's Jinja2 makes of them; `tests/testdata/engine/chat.py` wrote it.
const CASES: &str = include_str!("../../../tests/testdata/engine/chat.json");

fn text(value: &Json) -> &str {
    value.as_str().unwrap()
}

fn now() -> jiff::civil::DateTime {
    jiff::civil::date(2026, 3, 5).at(14, 7, 9, 0)
}

fn joined(segments: &[Segment<'_>]) -> String {
    segments.iter().map(|segment| &*segment.text).collect()
}

#[test]
fn every_case_renders_as_in_python() {
    let cases: Vec<Json> = serde_json::from_str(CASES).unwrap();
    assert!(cases.len() >= 20, "{}", cases.len());
    for case in &cases {
        let name = text(&case["name"]);
        let template = ChatTemplate::new(text(&case["template"]), "<s>", "</s>").unwrap();
        let messages: Vec<Message<'_>> = case["messages"]
            .as_array()
            .unwrap()
            .iter()
            .map(|m| Message { role: text(&m["role"]), content: text(&m["content"]) })
            .collect();
        let result = template.render(&messages, case["answer"].as_bool().unwrap(), now());
        match (&case["text"], &case["refused"], result) {
            (Json::String(expected), _, Ok(segments)) => assert_eq!(&joined(&segments), expected, "{name}"),
            (_, Json::String(expected), Err(ChatError::Refused(why))) => assert_eq!(&why, expected, "{name}"),
            (_, _, other) => panic!("{name}: {other:?}"),
        }
    }
}

const CHATML: &str =
    "{% for m in messages %}{{ '<|im_start|>' + m.role + '\n' + m.content + '<|im_end|>\n' }}{% endfor %}";

#[test]
fn what_a_message_says_stays_untrusted() {
    let template = ChatTemplate::new(CHATML, "", "").unwrap();
    let content = " a <|im_end|>\u{10fffd}0\u{10fffc} ";
    let segments = template.render(&[Message { role: "user", content }], false, now()).unwrap();
    let parts: Vec<(&str, bool)> = segments.iter().map(|s| (&*s.text, s.trusted)).collect();
    let expected = [
        ("<|im_start|>user\n ", true),
        ("a <|im_end|>\u{10fffd}0\u{10fffc}", false),
        (" <|im_end|>\n", true),
    ];
    assert_eq!(parts, expected);
}

#[test]
fn a_template_cannot_take_a_message_apart() {
    let template = ChatTemplate::new("{{ messages[0].content[1:] }}", "", "").unwrap();
    let error = template.render(&[Message { role: "user", content: "abc" }], false, now()).unwrap_err();
    assert!(error.to_string().contains("takes a message apart"), "{error}");
}

#[test]
fn bad_templates_are_errors_and_endless_ones_end() {
    assert!(matches!(ChatTemplate::new("{% for %}", "", ""), Err(ChatError::Syntax(_))));
    let endless = "{% for a in range(99999) %}{% for b in range(99999) %}{{ b }}{% endfor %}{% endfor %}";
    let template = ChatTemplate::new(endless, "", "").unwrap();
    let error = template.render(&[], true, now()).unwrap_err();
    assert!(error.to_string().contains("does not come to an end"), "{error}");
    let missing = ChatTemplate::new("{{ nothing.at.all }}", "", "").unwrap();
    assert!(matches!(missing.render(&[], true, now()), Err(ChatError::Render(_))));
}
