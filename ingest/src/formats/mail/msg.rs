//! Messages of Outlook: a compound file with a stream for each long property and a table of the short ones.

use std::io::{Cursor, Read};
use std::path::{Path, PathBuf};

use cfb::CompoundFile;
use encoding_rs::Encoding;
use mail_parser::MessageParser;

use super::{Letter, attach, eml, one_line, tidy};
use crate::error::ReadError;
use crate::limits::Limits;

/// Streams whose name starts so hold properties.
const PROPERTY_STREAM: &str = "__substg1.0_";
const PROPERTY_TABLE: &str = "__properties_version1.0";
/// Streams and storages that are copied of one embedded message.
const MAX_COPIED: usize = 10_000;
/// Seconds from 1601 to 1970.
const EPOCH_SECONDS: i64 = 11_644_473_600;

/// Properties by the numbers of MS-OXPROPS.
mod id {
    pub(super) const SUBJECT: u16 = 0x0037;
    pub(super) const SUBMITTED: u16 = 0x0039;
    pub(super) const CONVERSATION: u16 = 0x0071;
    pub(super) const HEADERS: u16 = 0x007d;
    pub(super) const RECIPIENT_KIND: u16 = 0x0c15;
    pub(super) const SENDER: u16 = 0x0c1a;
    pub(super) const SENDER_ADDRESS: u16 = 0x0c1f;
    pub(super) const SENDER_SMTP: u16 = 0x5d01;
    pub(super) const SENT_FOR_SMTP: u16 = 0x5d02;
    pub(super) const DELIVERED: u16 = 0x0e06;
    pub(super) const BODY: u16 = 0x1000;
    pub(super) const RTF: u16 = 0x1009;
    pub(super) const HTML: u16 = 0x1013;
    pub(super) const MESSAGE_ID: u16 = 0x1035;
    pub(super) const REFERENCES: u16 = 0x1039;
    pub(super) const IN_REPLY_TO: u16 = 0x1042;
    pub(super) const NAME: u16 = 0x3001;
    pub(super) const ADDRESS: u16 = 0x3003;
    pub(super) const SMTP: u16 = 0x39fe;
    pub(super) const DATA: u16 = 0x3701;
    pub(super) const SHORT_FILE: u16 = 0x3704;
    pub(super) const FILE: u16 = 0x3707;
    pub(super) const CODE_PAGE: u16 = 0x3ffd;
    pub(super) const INTERNET_CODE_PAGE: u16 = 0x3fde;
}

/// True where the directory of a compound file names the streams of a message.
pub(super) fn is_msg(bytes: &[u8]) -> bool {
    let name: Vec<u8> = PROPERTY_TABLE.encode_utf16().flat_map(u16::to_le_bytes).collect();
    bytes.windows(name.len()).any(|w| w == name)
}

type File<'a> = CompoundFile<Cursor<&'a [u8]>>;

/// A message file that is read within limits.
struct Message<'a> {
    file: File<'a>,
    left: u64,
    /// Code page of texts that are not Unicode.
    encoding: Option<&'static Encoding>,
}

/// Reads a message.
pub(super) fn letter(bytes: &[u8], limits: &Limits) -> Result<Letter, ReadError> {
    let file = CompoundFile::open(Cursor::new(bytes)).map_err(|error| ReadError::Damaged {
        detail: format!("the compound file cannot be opened ({error})"),
    })?;
    let mut message = Message { file, left: limits.max_expanded_bytes, encoding: None };
    let root = Path::new("/");
    message.encoding = message.code_page();
    let mut letter = message.header(root);
    message.recipients(&mut letter);
    letter.text = message.body(root, &mut letter.warnings);
    message.attachments(&mut letter, limits);
    Ok(letter)
}

impl Message<'_> {
    /// A stream's bytes; `None` where there is none, it is broken or too long.
    fn stream(&mut self, path: &Path) -> Option<Vec<u8>> {
        let length = self.file.entry(path).ok().filter(|e| e.is_stream())?.len();
        if length > self.left {
            return None;
        }
        let mut out = Vec::new();
        self.file.open_stream(path).ok()?.take(length).read_to_end(&mut out).ok()?;
        self.left -= (out.len() as u64).min(self.left);
        Some(out)
    }

    fn property(&mut self, storage: &Path, id: u16, kind: &str) -> Option<Vec<u8>> {
        self.stream(&storage.join(format!("{PROPERTY_STREAM}{id:04X}{kind}")))
    }

    /// A text, Unicode or in the message's code page.
    fn text(&mut self, storage: &Path, id: u16) -> String {
        let text = match self.property(storage, id, "001F") {
            Some(bytes) => encoding_rs::UTF_16LE.decode_without_bom_handling(&bytes).0.into_owned(),
            None => match self.property(storage, id, "001E") {
                Some(bytes) => self.decoded(&bytes),
                None => String::new(),
            },
        };
        text.trim_end_matches('\0').to_string()
    }

    fn decoded(&self, bytes: &[u8]) -> String {
        // Messages claim to be UTF-8 and hold texts in the code page of the machine that wrote them.
        let encoding = self.encoding.filter(|e| *e != encoding_rs::UTF_8);
        match (std::str::from_utf8(bytes), encoding) {
            (Ok(text), _) => text.to_string(),
            (Err(_), Some(encoding)) => encoding.decode_without_bom_handling(bytes).0.into_owned(),
            (Err(_), None) => crate::formats::charset::decode(bytes).0.into_owned(),
        }
    }

    /// The eight bytes of a short property, from the table of a storage.
    fn short(&mut self, storage: &Path, id: u16) -> Option<[u8; 8]> {
        let table = self.stream(&storage.join(PROPERTY_TABLE))?;
        let place = storage.to_string_lossy();
        // The length of the header depends on whose table it is.
        let head = if place.contains("__recip") || place.contains("__attach") { 8 } else { 32 };
        table.get(head..)?.chunks_exact(16).find_map(|entry| {
            let known = entry.get(2..4).is_some_and(|n| n == id.to_le_bytes());
            entry.get(8..16).filter(|_| known)?.try_into().ok()
        })
    }

    fn number(&mut self, storage: &Path, id: u16) -> Option<u32> {
        let [a, b, c, d, ..] = self.short(storage, id)?;
        Some(u32::from_le_bytes([a, b, c, d]))
    }

    /// A moment as RFC 3339.
    fn moment(&mut self, storage: &Path, id: u16) -> Option<String> {
        let ticks = i64::try_from(u64::from_le_bytes(self.short(storage, id)?)).ok()?;
        let seconds = ticks / 10_000_000 - EPOCH_SECONDS;
        (seconds > 0).then(|| mail_parser::DateTime::from_timestamp(seconds).to_rfc3339())
    }

    fn code_page(&mut self) -> Option<&'static Encoding> {
        let root = Path::new("/");
        let number =
            self.number(root, id::CODE_PAGE).or_else(|| self.number(root, id::INTERNET_CODE_PAGE))?;
        let label = match number {
            874 | 1250..=1258 => format!("windows-{number}"),
            932 => "shift_jis".into(),
            936 => "gbk".into(),
            949 => "euc-kr".into(),
            950 => "big5".into(),
            10_000 => "macintosh".into(),
            20_866 => "koi8-r".into(),
            28_591..=28_606 => format!("iso-8859-{}", number - 28_590),
            65_001 => "utf-8".into(),
            _ => return None,
        };
        Encoding::for_label(label.as_bytes())
    }

    /// From the transport's own header where there is one, else from the properties.
    fn header(&mut self, root: &Path) -> Letter {
        let transport = self.text(root, id::HEADERS);
        let parsed = MessageParser::default().parse(transport.as_bytes());
        let mut letter = parsed.as_ref().map(eml::header).unwrap_or_default();
        let subject = one_line(&self.text(root, id::SUBJECT));
        if !subject.is_empty() {
            letter.subject = subject;
        }
        if letter.from.is_empty() {
            let name = one_line(&self.text(root, id::SENDER));
            let addresses = [id::SENDER_SMTP, id::SENT_FOR_SMTP, id::SENDER_ADDRESS];
            let address = addresses.iter().map(|id| self.text(root, *id)).find(|a| a.contains('@'));
            letter.from = person(&name, &address.unwrap_or_default());
        }
        if letter.date.is_empty() {
            let moment = self.moment(root, id::SUBMITTED).or_else(|| self.moment(root, id::DELIVERED));
            letter.date = moment.unwrap_or_default();
        }
        let list = |text: String| -> Vec<String> {
            text.split_whitespace().map(|id| id.trim_matches(['<', '>']).to_string()).collect()
        };
        if letter.message_id.is_empty() {
            letter.message_id = list(self.text(root, id::MESSAGE_ID)).into_iter().next().unwrap_or_default();
        }
        if letter.in_reply_to.is_empty() {
            letter.in_reply_to = list(self.text(root, id::IN_REPLY_TO));
        }
        if letter.references.is_empty() {
            letter.references = list(self.text(root, id::REFERENCES));
        }
        if letter.conversation.is_empty() {
            let index = self.property(root, id::CONVERSATION, "0102").unwrap_or_default();
            letter.conversation = eml::conversation_of(&index).unwrap_or_default();
        }
        letter
    }

    /// Storages below the root whose name starts so, in the order of their numbers.
    fn storages(&self, start: &str) -> Vec<PathBuf> {
        let entries = self.file.read_root_storage();
        let named = entries.filter(|e| e.is_storage() && e.name().starts_with(start));
        let mut paths: Vec<PathBuf> = named.map(|e| e.path().to_path_buf()).collect();
        paths.sort();
        paths
    }

    fn recipients(&mut self, letter: &mut Letter) {
        let (mut to, mut cc) = (Vec::new(), Vec::new());
        for storage in self.storages("__recip_version1.0_") {
            let name = one_line(&self.text(&storage, id::NAME));
            let addresses = [id::SMTP, id::ADDRESS];
            let address = addresses.iter().map(|id| self.text(&storage, *id)).find(|a| a.contains('@'));
            let who = person(&name, &address.unwrap_or_default());
            match self.number(&storage, id::RECIPIENT_KIND) {
                Some(2) => cc.push(who),
                // Blind copies are nobody else's business.
                Some(3) => {}
                _ => to.push(who),
            }
        }
        for (target, list) in [(&mut letter.to, to), (&mut letter.cc, cc)] {
            if target.is_empty() {
                *target = list.into_iter().filter(|who| !who.is_empty()).collect::<Vec<_>>().join(", ");
            }
        }
    }

    /// The plain text, else that of the HTML.
    fn body(&mut self, root: &Path, warnings: &mut Vec<crate::model::Warning>) -> String {
        let text = self.text(root, id::BODY);
        if !text.trim().is_empty() {
            return tidy(&text);
        }
        let html = match self.property(root, id::HTML, "0102") {
            Some(bytes) => self.decoded(&bytes),
            None => self.text(root, id::HTML),
        };
        if !html.trim().is_empty() {
            return tidy(&mail_parser::decoders::html::html_to_text(&html));
        }
        if self.property(root, id::RTF, "0102").is_some_and(|rtf| !rtf.is_empty()) {
            let message = "its text is stored as rich text only; save it as HTML or plain text".into();
            warnings.push(crate::model::Warning { code: "rtf-only".into(), message, page: None });
        }
        String::new()
    }

    fn attachments(&mut self, letter: &mut Letter, limits: &Limits) {
        let mut left = limits.max_expanded_bytes;
        for storage in self.storages("__attach_version1.0_") {
            let names = [id::FILE, id::SHORT_FILE, id::NAME];
            let name = names.iter().map(|id| one_line(&self.text(&storage, *id))).find(|n| !n.is_empty());
            let mut name = name.unwrap_or_default();
            let embedded = storage.join(format!("{PROPERTY_STREAM}{:04X}000D", id::DATA));
            let (bytes, end) = if self.file.is_storage(&embedded) {
                if !name.is_empty() && !name.to_ascii_lowercase().ends_with(".msg") {
                    name.push_str(".msg");
                }
                (self.copied(&embedded), "msg")
            } else {
                (self.property(&storage, id::DATA, "0102"), "bin")
            };
            match bytes {
                Some(bytes) => attach(letter, &name, end, bytes, &mut left, limits),
                None => {
                    letter.warn("attachment", format!("attachment '{name}' has no contents that can be read"))
                }
            }
        }
    }

    /// A message inside the message as a file of its own. It carries no time of its making: the same bytes
    /// come out every time.
    fn copied(&mut self, storage: &Path) -> Option<Vec<u8>> {
        let entries: Vec<(PathBuf, bool)> = self
            .file
            .walk_storage(storage)
            .ok()?
            .take(MAX_COPIED)
            .map(|e| (e.path().to_path_buf(), e.is_storage()))
            .collect();
        let mut copy = CompoundFile::create(Cursor::new(Vec::new())).ok()?;
        for (path, is_storage) in entries {
            let Ok(inner) = path.strip_prefix(storage) else { continue };
            if inner.as_os_str().is_empty() {
                continue;
            }
            let target = Path::new("/").join(inner);
            if is_storage {
                copy.create_storage_all(&target).ok()?;
                timeless(&mut copy, &target)?;
                continue;
            }
            let mut bytes = self.stream(&path)?;
            if inner == Path::new(PROPERTY_TABLE) && bytes.len() >= 24 {
                // The table of a message of its own has eight bytes more before its entries.
                bytes.splice(24..24, [0; 8]);
            }
            std::io::Write::write_all(&mut copy.create_stream(&target).ok()?, &bytes).ok()?;
        }
        timeless(&mut copy, Path::new("/"))?;
        copy.flush().ok()?;
        Some(copy.into_inner().into_inner())
    }
}

fn timeless(file: &mut CompoundFile<Cursor<Vec<u8>>>, path: &Path) -> Option<()> {
    let never = std::time::SystemTime::UNIX_EPOCH;
    file.set_created_time(path, never).ok()?;
    file.set_modified_time(path, never).ok()
}

fn person(name: &str, address: &str) -> String {
    match (name.is_empty() || name == address, address.is_empty()) {
        (true, _) => address.to_string(),
        (false, true) => name.to_string(),
        (false, false) => format!("{name} <{address}>"),
    }
}
