//! Text to measure with: lines in four languages and lines like code, and strings of anything.

use crate::engine::SplitMix;

/// Words of a language, from which its lines are put together.
const WORDS: [&[&str]; 4] = [
    &[
        "Die",
        "Aussenwand",
        "der",
        "Turnhalle",
        "hat",
        "einen",
        "U-Wert",
        "von",
        "Wärmedämmung",
        "Geschoss",
        "Brandschutzklappe",
        "wird",
        "gemäss",
        "Protokoll",
        "geprüft,",
        "Fluchtweg",
        "überall",
        "zwischen",
        "Lüftungsgerät",
        "Stahlbetondecke",
        "ist",
        "nicht",
        "ausgeführt.",
        "Grösse",
        "für",
    ],
    &[
        "Le",
        "mur",
        "extérieur",
        "de",
        "l'école",
        "présente",
        "une",
        "épaisseur",
        "isolation",
        "thermique",
        "étage,",
        "porte",
        "coupe-feu",
        "selon",
        "procès-verbal",
        "n'est",
        "pas",
        "vérifié.",
        "façade",
        "où",
        "gaine",
        "d'aération",
        "charge",
        "utile",
        "plancher",
    ],
    &[
        "La",
        "parete",
        "esterna",
        "della",
        "palestra",
        "presenta",
        "uno",
        "spessore",
        "isolamento",
        "piano,",
        "porta",
        "tagliafuoco",
        "secondo",
        "il",
        "verbale",
        "non",
        "è",
        "verificata.",
        "perché",
        "più",
        "impianto",
        "dell'aria",
        "carico",
        "solaio",
        "qualità",
    ],
    &[
        "The",
        "external",
        "wall",
        "of",
        "the",
        "gymnasium",
        "has",
        "a",
        "thickness",
        "insulation",
        "storey,",
        "fire",
        "door",
        "according",
        "to",
        "minutes",
        "isn't",
        "checked.",
        "facade",
        "where",
        "duct",
        "load",
        "floor",
        "which",
        "staircase",
    ],
];

const CODE: [&str; 6] = [
    "#{n}=IFCWALLSTANDARDCASE('3vB{n}Yq',#{m},'Wand-{n:03}',$,#{m},'{m:X}');",
    "let u_value_{n} = sum(&layers[{m}..], |l| l.d / l.lambda) * 0.{n};",
    "<td class=\"num\">{n}.{m}</td>\t<td>{m} m²</td>",
    "{n};{m};\"EI 30\";2026-11-{m};12,{n}",
    "    if (doors[{m}].width_mm >= {n}) { return ERROR_{m}; }",
    "https://example.org/plans/{n}?rev={m}&lang=de#page={n}",
];

/// About so many bytes in lines, always the same.
pub(super) fn lines(bytes: usize) -> Vec<String> {
    let mut random = SplitMix(7);
    let (mut lines, mut size) = (Vec::new(), 0);
    while size < bytes {
        let line = match lines.len() % 5 {
            4 => code(&mut random),
            language => sentence(&mut random, WORDS.get(language).copied().unwrap_or_default()),
        };
        size += line.len();
        lines.push(line);
    }
    lines
}

fn below(random: &mut SplitMix, n: usize) -> usize {
    (random.unit() * n as f64) as usize
}

fn sentence(random: &mut SplitMix, words: &[&str]) -> String {
    let mut line = String::new();
    for i in 0..12 + below(random, 20) {
        if i > 0 {
            line.push(' ');
        }
        match below(random, 12) {
            0 => line.push_str(&format!("{}.{}", below(random, 900), below(random, 99))),
            _ => line.push_str(words.get(below(random, words.len())).copied().unwrap_or_default()),
        }
    }
    line
}

fn code(random: &mut SplitMix) -> String {
    let form = CODE.get(below(random, CODE.len())).copied().unwrap_or_default();
    let (n, m) = (below(random, 5000), below(random, 30));
    let replaced = form.replace("{n:03}", &format!("{n:03}")).replace("{m:X}", &format!("{m:X}"));
    replaced.replace("{n}", &n.to_string()).replace("{m}", &m.to_string())
}

/// Ranges of characters, from which strings of anything are drawn.
const RANGES: [(u32, u32); 26] = [
    (0x20, 0x7e),
    (0x61, 0x7a),
    (0x30, 0x39),
    (0x00, 0x1f),
    (0x7f, 0xff),
    (0x100, 0x24f),
    (0x300, 0x36f),
    (0x370, 0x3ff),
    (0x400, 0x4ff),
    (0x590, 0x6ff),
    (0x900, 0x97f),
    (0xe00, 0xe7f),
    (0x1100, 0x11ff),
    (0x1e00, 0x1fff),
    (0x2000, 0x206f),
    (0x2070, 0x218f),
    (0x2200, 0x22ff),
    (0x2460, 0x24ff),
    (0x2580, 0x25ff),
    (0x3000, 0x30ff),
    (0x4e00, 0x9fff),
    (0xac00, 0xd7a3),
    (0xf900, 0xffff),
    (0x10000, 0x10fff),
    (0x1d400, 0x1d7ff),
    (0x1f300, 0x1faff),
];

/// Strings of anything, always the same for a seed: characters of all kinds, runs of one kind, words, blanks.
pub(super) fn strings(count: usize, seed: u64) -> Vec<String> {
    let mut random = SplitMix(seed);
    (0..count).map(|_| string(&mut random)).collect()
}

fn string(random: &mut SplitMix) -> String {
    let mut text = String::new();
    for _ in 0..=below(random, 10) {
        let (first, last) = RANGES.get(below(random, RANGES.len())).copied().unwrap_or_default();
        match below(random, 6) {
            0 => text.push_str([" ", "  ", "\n", "\t", "   ", "\r\n", " \n", "'s", "'LL"][below(random, 9)]),
            1 | 2 => {
                let words = WORDS[below(random, 4)];
                text.push_str(words.get(below(random, words.len())).copied().unwrap_or_default());
            }
            _ => {
                let drawn =
                    (0..=below(random, 6)).map(|_| first + below(random, (last - first + 1) as usize) as u32);
                text.extend(drawn.filter_map(char::from_u32));
            }
        }
        if below(random, 3) == 0 {
            text.push(' ');
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_as_long_as_asked_and_always_the_same() {
        let all = lines(10_000);
        let size: usize = all.iter().map(String::len).sum();
        assert!((10_000..10_400).contains(&size), "{size}");
        assert_eq!(all, lines(10_000));
        assert!(all.iter().any(|l| l.contains("IFCWALL")) && all.iter().any(|l| l.contains("extérieur")));
        assert!(!all.iter().any(|l| l.contains('{') && l.contains("{n")), "every gap is filled");
        let some = strings(500, 1);
        assert_eq!(some, strings(500, 1));
        assert_ne!(some, strings(500, 2));
        assert!(some.iter().any(|s| s.chars().any(|c| c > '\u{ffff}')));
    }
}
