//! Messages written here.

use crate::model::{Kind, Locator};
use crate::{ChunkOptions, Limits, chunk, read};

pub(crate) const MAIL: &str = "From: \"A. Muster\" <a.muster@example.ch>\r\nTo: b@example.ch, C <c@example.ch>\r\n\
    Subject: =?utf-8?Q?AW:_RFI-014_T=C3=BCren_Korridor?=\r\nDate: Mon, 02 Mar 2026 10:15:00 +0100\r\n\
    Message-ID: <abc@example.ch>\r\nIn-Reply-To: <vor@example.ch>\r\nMIME-Version: 1.0\r\n\
    Content-Type: multipart/mixed; boundary=x\r\n\r\n--x\r\nContent-Type: text/html; charset=utf-8\r\n\r\n\
    <p>Guten Tag</p><p>Die T\u{fc}ren erhalten <b>EI30</b>.</p>\r\n--x\r\n\
    Content-Type: application/pdf; name=\"../plan.pdf\"\r\nContent-Transfer-Encoding: base64\r\n\
    Content-Disposition: attachment; filename=\"../plan.pdf\"\r\n\r\nSGFsbG8=\r\n--x--\r\n";

#[test]
fn header_body_and_attachments() {
    let document = read(MAIL.as_bytes(), "x.eml", &Limits::default()).unwrap();
    assert_eq!(document.kind, Kind::Mail);
    assert_eq!(document.title, "AW: RFI-014 Türen Korridor");
    let value = |key: &str| document.metadata[key].as_str();
    assert_eq!(value("from"), "A. Muster <a.muster@example.ch>");
    assert_eq!(value("to"), "b@example.ch, C <c@example.ch>");
    assert_eq!(value("date"), "2026-03-02T10:15:00+01:00");
    assert_eq!((value("message_id"), value("in_reply_to")), ("abc@example.ch", "vor@example.ch"));
    assert_eq!(value("rfi"), "RFI-014");
    assert!(document.sections[0].text.contains("Die Türen erhalten EI30."), "{}", document.sections[0].text);
    assert_eq!(document.attachments[0].name, "plan.pdf");
    assert_eq!(document.attachments[0].bytes, b"Hallo");
    let chunks = chunk(&document, &ChunkOptions::default());
    assert_eq!(chunks[0].locator, Locator::Mail { message_id: "abc@example.ch".into(), part: 0 });
    assert!(chunks[0].text.starts_with("AW: RFI-014 Türen Korridor\nVon: A. Muster"), "{}", chunks[0].text);
}

#[test]
fn a_mail_without_an_id_gets_one_from_its_bytes() {
    let bytes = b"From: a@example.ch\nSubject: Hallo\nDate: Mon, 02 Mar 2026 10:15:00 +0100\n\nText\n";
    let document = read(bytes, "mail", &Limits::default()).unwrap();
    assert_eq!(document.metadata["message_id"].len(), 32);
    assert_eq!(document.sections[0].text, "Text");
}

#[test]
fn repeated_text_stands_apart_and_in_passages_of_its_own() {
    let bytes = "From: b@example.ch\nTo: a@example.ch\nSubject: AW: RFI-014 Türen\nDate: Tue, 03 Mar 2026 08:00:00 +0100\n\
        References: <eins@example.ch> <zwei@example.ch>\nContent-Type: text/plain; charset=utf-8\n\n\
        Die Türen erhalten EI30.\n\nAm 02.03.2026 schrieb A. Muster:\n> Welcher Feuerwiderstand gilt für die Türen?\n";
    let document = read(bytes.as_bytes(), "x.eml", &Limits::default()).unwrap();
    assert_eq!(document.sections[0].text, "Die Türen erhalten EI30.");
    assert_eq!(document.quoted[0].text, "Welcher Feuerwiderstand gilt für die Türen?");
    assert_eq!(document.metadata["thread"], "rfi-014 türen");
    assert_eq!(document.metadata["references"], "eins@example.ch zwei@example.ch");
    let texts: Vec<String> = chunk(&document, &ChunkOptions::default()).into_iter().map(|c| c.text).collect();
    assert_eq!(texts.len(), 2);
    assert!(
        texts[0].ends_with("\nDie Türen erhalten EI30.") && !texts[0].contains("Welcher"),
        "{}",
        texts[0]
    );
    assert!(
        texts[1].ends_with("Aus einer früheren Nachricht (Am 02.03.2026 schrieb A. Muster):\nWelcher Feuerwiderstand gilt für die Türen?"),
        "{}",
        texts[1]
    );
}

#[test]
fn a_message_saved_as_utf_16_is_read() {
    let text = "From: a@example.ch\r\nSubject: Türe\r\nDate: Mon, 02 Mar 2026 10:15:00 +0100\r\n\r\nGrün\r\n";
    let bytes: Vec<u8> =
        [0xff, 0xfe].into_iter().chain(text.encode_utf16().flat_map(u16::to_le_bytes)).collect();
    let document = read(&bytes, "x.eml", &Limits::default()).unwrap();
    assert_eq!((document.title.as_str(), document.sections[0].text.as_str()), ("Türe", "Grün"));
}

#[test]
fn attachments_beyond_the_limits_are_told() {
    let limits = Limits { max_expanded_bytes: 3, ..Limits::default() };
    let document = read(MAIL.as_bytes(), "x.eml", &limits).unwrap();
    assert!(document.attachments.is_empty());
    assert_eq!(document.warnings[0].code, "attachment-limit");
}

/// A message with a multipart body: a text in two forms in one part, a file in the other. `inner` and `outer` are the
/// lines between the parts, as they stand and, before them, as they are announced.
fn multipart(outer: (&str, &str), inner: (&str, &str), end: &str) -> Vec<u8> {
    let boundary = |b: &str| if b.is_empty() { String::new() } else { format!("; boundary=\"{b}\"") };
    let (announced, stands) = (boundary(outer.0), outer.1);
    let (inner_announced, inner_stands) = (boundary(inner.0), inner.1);
    let head = "From: a@example.ch\r\nSubject: Mass\r\nDate: Mon, 02 Mar 2026 10:15:00 +0100\r\nMIME-Version: 1.0\r\n";
    let text = format!(
        "{head}Content-Type: multipart/mixed{announced}\r\n\r\nThis is a multi-part message in MIME format.\r\n\
         --{stands}\r\nContent-Type: multipart/alternative{inner_announced}\r\n\r\n\
         --{inner_stands}\r\nContent-Type: text/plain; charset=iso-8859-1\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n\
         Die T=FCren sind 2=\r\n10 cm hoch.\r\n\
         --{inner_stands}\r\nContent-Type: text/html\r\n\r\n<p>Die Türen sind 210 cm hoch.</p>\r\n--{inner_stands}--\r\n\
         --{stands}\r\nContent-Type: application/pdf; name=plan.pdf\r\nContent-Transfer-Encoding: base64\r\n\r\nSGFs\r\nbG8=\r\n{end}"
    );
    text.into_bytes()
}

#[test]
fn parts_are_found_where_the_header_is_wrong_about_what_separates_them() {
    let (right, inner) = (("x", "x"), ("y", "y"));
    for (what, bytes, code) in [
        ("as announced", multipart(right, inner, "--x--\r\n"), None),
        ("another outer one", multipart(("falsch", "x"), inner, "--x--\r\n"), Some("boundary")),
        ("no outer one", multipart(("", "x"), inner, "--x--\r\n"), Some("boundary")),
        ("another inner one", multipart(right, ("falsch", "y"), "--x--\r\n"), Some("boundary")),
        ("no inner one", multipart(right, ("", "y"), "--x--\r\n"), Some("boundary")),
        ("both wrong", multipart(("falsch", "x"), ("auch", "x.y"), "--x--\r\n"), Some("boundary")),
        ("no last line", multipart(right, inner, ""), Some("cut-off")),
        ("no last line, another inner one", multipart(right, ("falsch", "y"), ""), Some("boundary")),
    ] {
        let document = read(&bytes, "x.eml", &Limits::default()).unwrap();
        let texts: Vec<&str> = document.sections.iter().map(|s| s.text.as_str()).collect();
        assert_eq!(texts, ["Die Türen sind 210 cm hoch."], "{what}");
        let files: Vec<(&str, &[u8])> =
            document.attachments.iter().map(|a| (a.name.as_str(), a.bytes.as_slice())).collect();
        assert_eq!(files, [("plan.pdf", b"Hallo".as_slice())], "{what}");
        let codes: Vec<&str> = document.warnings.iter().map(|w| w.code.as_str()).collect();
        assert_eq!(codes, code.into_iter().collect::<Vec<_>>(), "{what}");
        let unix: Vec<u8> = bytes.into_iter().filter(|b| *b != b'\r').collect();
        let unix = read(&unix, "x.eml", &Limits::default()).unwrap();
        assert_eq!(
            (&unix.sections, &unix.attachments),
            (&document.sections, &document.attachments),
            "{what}"
        );
    }
}

#[test]
fn a_multipart_body_without_any_separator_is_a_text() {
    let head = b"From: a@example.ch\nSubject: Mass\nDate: Mon, 02 Mar 2026 10:15:00 +0100\n";
    for (field, body) in [
        ("Content-Type: multipart/mixed; boundary=x; charset=iso-8859-1", &b"Die T\xfcren.\n"[..]),
        ("Content-Type: multipart/mixed; boundary=x", "Die T\u{fc}ren.\n".as_bytes()),
        (
            "Content-Type: multipart/mixed",
            b"Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: base64\n\nRGllIFTDvHJlbi4=\n",
        ),
    ] {
        let bytes = [head, field.as_bytes(), b"\n\n", body].concat();
        let document = read(&bytes, "x.eml", &Limits::default()).unwrap();
        assert_eq!(document.sections[0].text, "Die Türen.", "{field}");
        assert!(document.attachments.is_empty(), "{field}");
        let codes: Vec<&str> = document.warnings.iter().map(|w| w.code.as_str()).collect();
        assert_eq!(codes, ["boundary"], "{field}");
    }
}

#[test]
fn a_message_cut_anywhere_keeps_what_it_says() {
    let whole = multipart(("x", "x"), ("y", "y"), "--x--\r\n");
    let told = whole.windows(8).position(|w| w == b"cm hoch.").unwrap() + 8;
    for cut in 0..whole.len() {
        let Ok(document) = read(&whole[..cut], "x.eml", &Limits::default()) else { continue };
        if cut >= told {
            assert!(document.sections[0].text.starts_with("Die Türen sind 210 cm hoch."), "cut at {cut}");
        }
    }
}

/// Writes a message file. Texts are `(storage, property, text)`.
struct MsgFile {
    file: cfb::CompoundFile<std::io::Cursor<Vec<u8>>>,
}

impl MsgFile {
    fn new() -> Self {
        MsgFile { file: cfb::CompoundFile::create(std::io::Cursor::new(Vec::new())).unwrap() }
    }

    fn put(&mut self, path: &str, bytes: &[u8]) {
        use std::io::Write as _;
        if let Some((storage, _)) = path.rsplit_once('/').filter(|(s, _)| !s.is_empty()) {
            self.file.create_storage_all(storage).unwrap();
        }
        self.file.create_stream(path).unwrap().write_all(bytes).unwrap();
    }

    fn text(&mut self, storage: &str, property: u16, text: &str) {
        let bytes: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
        self.put(&format!("{storage}/__substg1.0_{property:04X}001F"), &bytes);
    }

    /// A table of short properties, all of kind integer or time.
    fn table(&mut self, storage: &str, head: usize, properties: &[(u16, u16, u64)]) {
        let mut bytes = vec![0; head];
        for (kind, id, value) in properties {
            bytes.extend(kind.to_le_bytes());
            bytes.extend(id.to_le_bytes());
            bytes.extend([0; 4]);
            bytes.extend(value.to_le_bytes());
        }
        self.put(&format!("{storage}/__properties_version1.0"), &bytes);
    }

    fn bytes(self) -> Vec<u8> {
        self.file.into_inner().into_inner()
    }
}

/// A message of 2 March 2026, 09:15 UTC with two recipients, a file and a message inside.
pub(crate) fn msg() -> Vec<u8> {
    let mut file = MsgFile::new();
    file.text("", 0x0037, "RE: RFI-014 Türen");
    file.text("", 0x0c1a, "A. Muster");
    file.text("", 0x5d01, "a.muster@example.ch");
    file.text(
        "",
        0x1000,
        "EI30.\r\n\r\nFrom: B\r\nSent: 1 March 2026\r\nTo: A\r\nSubject: RFI-014\r\n\r\nWhich one?",
    );
    file.text("", 0x1035, "<m1@example.ch>");
    file.text("", 0x1042, "<m0@example.ch>");
    file.put("/__substg1.0_00710102", &[7; 27]);
    // 134169093000000000 ticks of 100 ns since 1601: 2026-03-02T09:15:00Z.
    file.table("", 32, &[(0x40, 0x0039, 134_169_165_000_000_000)]);
    for (n, name, kind) in [(0, "B. Beispiel", 1), (1, "C. Probe", 2), (2, "D. Blind", 3)] {
        let storage = format!("/__recip_version1.0_#0000000{n}");
        file.text(&storage, 0x3001, name);
        file.text(&storage, 0x39fe, &format!("{}@example.ch", name.as_bytes()[0] as char));
        file.table(&storage, 8, &[(3, 0x0c15, kind)]);
    }
    let first = "/__attach_version1.0_#00000000";
    file.text(first, 0x3707, "plan.txt");
    file.put(&format!("{first}/__substg1.0_37010102"), b"Hallo");
    file.table(first, 8, &[(3, 0x3705, 1)]);
    let second = "/__attach_version1.0_#00000001";
    file.text(second, 0x3001, "Anfrage");
    let inner = format!("{second}/__substg1.0_3701000D");
    file.text(&inner, 0x0037, "Anfrage");
    file.text(&inner, 0x1000, "Welche Türen?");
    file.table(&inner, 24, &[(0x40, 0x0039, 134_169_165_000_000_000)]);
    file.bytes()
}

#[test]
fn messages_of_outlook() {
    let document = read(&msg(), "x.msg", &Limits::default()).unwrap();
    let value = |key: &str| document.metadata[key].as_str();
    assert_eq!((document.kind, document.title.as_str()), (Kind::Mail, "RE: RFI-014 Türen"));
    assert_eq!(value("from"), "A. Muster <a.muster@example.ch>");
    assert_eq!((value("to"), value("cc")), ("B. Beispiel <B@example.ch>", "C. Probe <C@example.ch>"));
    assert_eq!(value("date"), "2026-03-02T09:15:00Z");
    assert_eq!((value("message_id"), value("in_reply_to")), ("m1@example.ch", "m0@example.ch"));
    assert_eq!(value("conversation"), "07".repeat(22));
    assert_eq!(
        (document.sections[0].text.as_str(), document.quoted[0].text.as_str()),
        ("EI30.", "Which one?")
    );
    assert_eq!(
        (document.attachments[0].name.as_str(), &document.attachments[0].bytes[..]),
        ("plan.txt", &b"Hallo"[..])
    );
    let inside = &document.attachments[1];
    assert_eq!(inside.name, "Anfrage.msg");
    let again = read(&msg(), "x.msg", &Limits::default()).unwrap();
    assert_eq!(again.attachments[1].bytes, inside.bytes, "the same every time");
    let inner = read(&inside.bytes, &inside.name, &Limits::default()).unwrap();
    assert_eq!((inner.title.as_str(), inner.sections[0].text.as_str()), ("Anfrage", "Welche Türen?"));
    assert_eq!(inner.metadata["date"], "2026-03-02T09:15:00Z");
}

#[test]
fn a_message_is_told_by_its_contents_and_limits_hold() {
    assert!(read(&msg(), "ohne Endung", &Limits::default()).is_ok());
    let limits = Limits { max_expanded_bytes: 100, ..Limits::default() };
    let document = read(&msg(), "x.msg", &limits).unwrap();
    assert!(document.warnings.iter().any(|w| w.code == "attachment"), "{:?}", document.warnings);
}

#[test]
fn texts_in_a_code_page_are_decoded_even_where_the_message_claims_utf_8() {
    let message = |code_page: u64, text: &[u8]| {
        let mut file = MsgFile::new();
        file.put("/__substg1.0_0037001E", text);
        file.text("", 0x1000, "Text");
        file.table("", 32, &[(3, 0x3ffd, code_page)]);
        read(&file.bytes(), "x.msg", &Limits::default()).unwrap().title
    };
    assert_eq!(message(1252, b"T\xfcren"), "Türen");
    assert_eq!(message(1251, b"\xc4\xe2\xe5\xf0\xfc"), "Дверь");
    assert_eq!(message(65_001, "Türen".as_bytes()), "Türen");
    assert_eq!(message(65_001, b"T\xfcren"), "Türen");
}
