// The 10,000 lines on which tokenizers are compared: text in four languages, numbers with units, code, names
// of control tokens, blanks of all sorts, emoji and characters from all over Unicode. The same every time.
// Included by tests/flows/tokenizer.rs, which also writes them out for tokens.py.

/// A small generator (SplitMix64): the lines must not change with a library.
struct Rng(u64);

impl Rng {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    fn pick<'a, T: ?Sized>(&mut self, list: &[&'a T]) -> &'a T {
        list[self.below(list.len())]
    }
}

const WORDS: &[&[&str]] = &[
    &[
        "die", "der", "Aussenwand", "Wärmedämmung", "Bodenplatte", "mit", "und", "Trittschalldämmung", "ist",
        "Brandschutzkonzept", "Fensterrahmen", "Höhe", "gemäss", "Grössenordnung", "ÜBERPRÜFUNG", "nicht",
        "Bewehrungsabnahme", "Geschossdecke", "für", "Lüftungsanlage", "zwischen", "Raum", "öffnen", "z.B.",
        "Heizwärmebedarf", "Nr.", "Unterlagsboden", "E-Mail", "Süd-Ost", "Flachdach", "Attika", "d'accord",
    ],
    &[
        "la", "le", "mur", "extérieur", "isolation", "dalle", "avec", "et", "n'est", "pas", "l'ingénieur",
        "hauteur", "étanchéité", "façade", "bétonnage", "où", "œuvre", "maître", "d'évacuation", "sous-sol",
        "fenêtre", "à", "qu'il", "prévu", "garde-corps", "chauffage", "déjà", "ÉTAGE", "aujourd'hui", "ça",
    ],
    &[
        "la", "il", "parete", "esterna", "isolamento", "soletta", "con", "e", "non", "è", "dell'acqua",
        "altezza", "impermeabilizzazione", "facciata", "getto", "perché", "così", "pavimento", "più", "finestra",
        "l'ingegnere", "città", "parapetto", "riscaldamento", "piano", "interrato", "PERMESSO", "qualità", "già",
    ],
    &[
        "the", "wall", "external", "insulation", "slab", "with", "and", "isn't", "we'll", "they've", "engineer's",
        "height", "waterproofing", "façade", "concrete", "I'm", "you'd", "between", "reinforcement", "window",
        "It's", "THEY'RE", "fire-rated", "doors", "floorplan", "of", "to", "DON'T", "O'Neill", "naïve", "'tis",
    ],
];

const PUNCTUATION: &[&str] =
    &[".", ",", ";", ":", "!", "?", "...", "…", " – ", "—", "-", "/", "(", ")", "«", "»", "\"", "“", "”", "'", "’", "·", "•", "¿", "§", "%", "‰"];
const UNITS: &[&str] =
    &[" m²", "m³", " mm", " kWh/m²", " W/(m²·K)", " °C", "%", " Fr.", " CHF", "€", " ½", "¾", " dB", "㎡", " kN/m", "″", " l/s", "·10⁻³"];
const BLANKS: &[&str] = &[
    " ", "  ", "   ", "       ", "\t", "\t\t", "\n", "\n\n", "\n\n\n", "\r\n", "\r", " \n ", "\u{a0}", "\u{2003}",
    "\u{202f}", "\u{3000}", "\u{2009}", "\u{85}", "\u{b}", "\u{c}", "\u{2028}", " \t \n", "\u{200b}", "\u{feff}", "\u{1680}",
];
const CODE: &[&str] = &[
    "fn main() {\n    println!(\"{}\", x);\n}", "if (a != b && c <= d) { return a->b[i]; }", "SELECT * FROM t WHERE id = 42;",
    "#IFCWALL('2O2Fr$t4X7Zf8NOew3FLOH',#41,$,$,$);", "https://example.org/a/b?q=1&r=%20#top", "C:\\Plan\\Haus_B\\302-c.pdf",
    "x = [i**2 for i in range(10)]", "<html><body class=\"a\">&amp;</body></html>", "def f(self, *args, **kw): pass", "a_b-c.d@e.example",
    "{\"key\": [1, 2.5e-3, null, true]}", "$ cargo test --workspace", "/* c */ // d", "==>", "<=>", "!==", "::", "\\n\\t", "0xDEADBEEF", "```rust",
];
const NAMES: &[&str] = &[
    "<|im_start|>", "<|im_end|>", "<|endoftext|>", "<bos>", "<eos>", "<pad>", "<s>", "</s>", "<unk>", "<mask>", "<start_of_turn>",
    "<end_of_turn>", "<|eot_id|>", "[INST]", "<table>", "</td>", "<h1>", "<unused5>", "<0x0A>", "[multimodal]", "<|im_start", "im_end|>", "<repo_name>",
    "[PAD250010]", "▁", "▁▁", "Ġ", "</code>", "<br>",
];
const EMOJI: &[&str] = &[
    "🏗", "🏗️", "👷🏽‍♀️", "😀", "👍🏿", "🇨🇭", "❤️", "👨‍👩‍👧‍👦", "✅", "⚠️", "🔥", "1️⃣", "☎", "🪜", "🫠", "♻️", "→", "⇒", "✓", "©", "®", "™", "€", "№",
];
const OTHER: &[&str] = &[
    "Привет", "строительство", "Ελλάδα", "τοίχος", "שלום", "קיר", "مرحبا", "جدار", "नमस्ते", "दीवार", "สวัสดี", "กำแพง", "你好", "混凝土墙",
    "こんにちは", "カタカナ", "ﾊﾝｶｸ", "안녕하세요", "벽체", "Việt", "Nguyễn", "Łódź", "çalışma", "İstanbul", "ǅ", "ﬁ", "ﬃ", "Ⅳ", "①", "㈱", "Å", "Å",
    "u\u{308}", "e\u{301}", "A\u{302}\u{300}", "n\u{303}", "ẛ̣", "ｆｕｌｌ", "ʰ", "ᵃ", "ªº", "½", "⅔", "٣٤", "१२", "৪", "Ⅷ", "㉛", "𝟘𝟙", "𝐀𝐛", "ß", "ẞ", "ſ",
];

/// Blocks of Unicode from which single characters are taken: first and last code point.
const RANGES: &[(u32, u32)] = &[
    (0x20, 0x7e), (0xa0, 0xff), (0x100, 0x24f), (0x250, 0x2ff), (0x300, 0x36f), (0x370, 0x3ff), (0x400, 0x52f), (0x531, 0x587),
    (0x591, 0x5f4), (0x600, 0x6ff), (0x900, 0x97f), (0x980, 0x9fe), (0xe01, 0xe5b), (0x10a0, 0x10ff), (0x1100, 0x11ff),
    (0x1e00, 0x1fff), (0x2000, 0x206f), (0x2070, 0x209c), (0x20a0, 0x20bf), (0x2100, 0x218b), (0x2190, 0x23ff), (0x2460, 0x24ff),
    (0x2500, 0x27bf), (0x2e00, 0x2e4f), (0x3000, 0x30ff), (0x3131, 0x318e), (0x3200, 0x33ff), (0x4e00, 0x9fef), (0xac00, 0xd7a3),
    (0xf900, 0xfad9), (0xfb00, 0xfb06), (0xfe20, 0xfe6b), (0xff01, 0xffee), (0x1d400, 0x1d7ff), (0x1f300, 0x1f64f), (0x1f680, 0x1f6d5),
    (0x1f900, 0x1f9ff), (0x20000, 0x2a6d6), (0x1, 0x1f), (0x7f, 0x9f), (0xe000, 0xe0ff), (0x1f1e6, 0x1f1ff), (0x10330, 0x1034a),
];

fn words(rng: &mut Rng, out: &mut String, language: usize, count: usize) {
    for number in 0..count {
        if number > 0 {
            out.push_str(if rng.below(12) == 0 { rng.pick(BLANKS) } else { " " });
        }
        out.push_str(rng.pick(WORDS[language]));
        if rng.below(6) == 0 {
            out.push_str(rng.pick(PUNCTUATION));
        }
    }
}

fn number(rng: &mut Rng, out: &mut String) {
    let digits = 1 + rng.below(8);
    for place in 0..digits {
        out.push(char::from(b'0' + rng.below(10) as u8));
        if place + 1 < digits && rng.below(5) == 0 {
            out.push_str(rng.pick(&["'", ",", ".", "’", " ", "-", ":"]));
        }
    }
    if rng.below(2) == 0 {
        out.push_str(rng.pick(UNITS));
    }
}

fn characters(rng: &mut Rng, out: &mut String) {
    let (first, last) = RANGES[rng.below(RANGES.len())];
    for _ in 0..1 + rng.below(6) {
        let code = first + rng.below((last - first + 1) as usize) as u32;
        out.extend(char::from_u32(code));
    }
}

/// One line; its kind goes round, so that every kind has as many.
fn line(rng: &mut Rng, index: usize) -> String {
    let mut out = String::new();
    let parts = 1 + rng.below(6);
    match index % 10 {
        kind @ 0..4 => {
            let count = 2 + rng.below(24);
            words(rng, &mut out, kind, count);
        }
        4 => (0..parts).for_each(|_| {
            number(rng, &mut out);
            out.push_str(rng.pick(&[" ", ", ", "; ", "", "\n", " x "]));
        }),
        5 => (0..parts).for_each(|_| {
            out.push_str(rng.pick(CODE));
            out.push_str(rng.pick(BLANKS));
        }),
        6 => (0..parts * 2).for_each(|_| {
            out.push_str(rng.pick(OTHER));
            out.push_str(rng.pick(&[" ", "", "", ", "]));
        }),
        7 => (0..parts * 2).for_each(|_| characters(rng, &mut out)),
        8 => (0..parts).for_each(|_| {
            let language = rng.below(4);
            words(rng, &mut out, language, 2);
            out.push_str(rng.pick(NAMES));
            out.push_str(rng.pick(BLANKS));
        }),
        _ => (0..parts * 2).for_each(|_| {
            let language = rng.below(4);
            match rng.below(7) {
                0 => words(rng, &mut out, language, 3),
                1 => number(rng, &mut out),
                2 => out.push_str(rng.pick(EMOJI)),
                3 => out.push_str(rng.pick(BLANKS)),
                4 => out.push_str(rng.pick(OTHER)),
                5 => characters(rng, &mut out),
                _ => out.push_str(rng.pick(PUNCTUATION)),
            }
        }),
    }
    out
}

/// All lines.
fn lines() -> Vec<String> {
    let mut rng = Rng(20_261_130);
    (0..10_000).map(|index| line(&mut rng, index)).collect()
}
