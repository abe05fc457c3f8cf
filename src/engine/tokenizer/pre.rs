//! How a text is split before byte-level merging, by the name in `tokenizer.ggml.pre`.

use tokenizers::pipeline::{PreTokenizer, PreTokenizerScratch};
use tokenizers::pre_tokenizers::split::{Split, SplitPattern};
use tokenizers::tokenizer::SplitDelimiterBehavior;

use super::TokenizerError;

/// A sequence of patterns: each splits the pieces that the one before it left, and both its matches and what
/// lies between them become pieces.
pub(super) struct Pre {
    splits: Vec<Split>,
    /// A piece that is a token as it stands is not merged.
    pub(super) ignore_merges: bool,
    /// A text begins with the token for "begin" unless the file says otherwise.
    pub(super) add_bos: bool,
}

const GPT2: &str = r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+";
const LLAMA3: &str = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+";
const QWEN2: &str = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+";
const QWEN35: &str = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?[\p{L}\p{M}]+|\p{N}| ?[^\s\p{L}\p{M}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+";
/// The pattern that the models were trained with. llama.cpp takes every letter beyond ASCII for both upper and lower case
/// and leaves marks out, which cuts `BÜRO` in two.
const TEKKEN: &str = r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+";
/// As [`TEKKEN`], of `o200k_base`.
const GPT4O: &str = r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+";

/// The patterns for a name and whether `ignore_merges` and `add_bos` hold.
fn rule(pre: &str) -> Option<(&'static [&'static str], bool, bool)> {
    Some(match pre {
        "default" => (&[r"[\p{P}$+<=>^~|]+", GPT2, r"\p{N}+", "[0-9][0-9][0-9]"], false, false),
        "gpt-2" | "phi-2" | "mpt" | "olmo" | "trillion" | "granite-docling" | "jina-v2-de" | "jina-v2-es"
        | "jina-v2-code" | "roberta-bpe" | "modern-bert" => (&[GPT2], false, false),
        "smollm" | "starcoder" | "refact" | "command-r" | "codeshell" | "exaone" | "minerva-7b"
        | "mellum2" => (&[r"\p{N}", GPT2], false, false),
        "llama3" | "llama-v3" | "llama-bpe" | "falcon3" | "pixtral" | "lfm2" => (&[LLAMA3], true, true),
        "dbrx" | "smaug-bpe" | "chatglm-bpe" | "glm4" => (&[LLAMA3], false, false),
        "qwen2" | "deepseek-r1-qwen" | "stablelm2" | "hunyuan" | "megrez" | "kormo" | "f2llmv2" => {
            (&[QWEN2], false, false)
        }
        "qwen35" => (&[QWEN35], false, false),
        "tekken" => (&[TEKKEN], true, true),
        "gpt-4o" | "llama4" => (&[GPT4O], false, false),
        _ => return None,
    })
}

impl Pre {
    /// The rule of that name.
    pub(super) fn new(pre: &str) -> Result<Self, TokenizerError> {
        let (patterns, ignore_merges, add_bos) =
            rule(pre).ok_or_else(|| TokenizerError::UnknownPre { pre: pre.to_owned() })?;
        let split = |pattern: &&str| {
            Split::new(SplitPattern::Regex((*pattern).to_owned()), SplitDelimiterBehavior::Isolated, false)
                .map_err(|e| TokenizerError::Pattern { pre: pre.to_owned(), problem: e.to_string() })
        };
        let splits = patterns.iter().map(split).collect::<Result<_, _>>()?;
        Ok(Self { splits, ignore_merges, add_bos })
    }

    /// The pieces of `text`, which together are the text.
    pub(super) fn split<'t>(&self, text: &'t str) -> Vec<&'t str> {
        let mut scratch = PreTokenizerScratch::default();
        let mut pieces = vec![text];
        for split in &self.splits {
            let mut finer = Vec::with_capacity(pieces.len());
            let mut spans = Vec::new();
            for piece in pieces {
                spans.clear();
                let done = split.pre_tokenize(piece, &mut scratch, &mut spans);
                let before = finer.len();
                finer.extend(spans.iter().filter_map(|span| piece.get(span.range())));
                // A pattern that gives up (a limit on backtracking) leaves the piece whole: no text is lost.
                let kept: usize = finer.iter().skip(before).map(|part: &&str| part.len()).sum();
                if done.is_err() || kept != piece.len() {
                    finer.truncate(before);
                    finer.push(piece);
                }
            }
            pieces = finer;
        }
        pieces
    }
}

impl std::fmt::Debug for Pre {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Pre").field("splits", &self.splits.len()).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(pre: &str, text: &'static str) -> Vec<&'static str> {
        Pre::new(pre).unwrap().split(text)
    }

    #[test]
    fn words_keep_their_blank_and_digits_part_as_the_rule_says() {
        assert_eq!(split("gpt-2", "Haus B 2024  ab"), ["Haus", " B", " 2024", " ", " ab"]);
        assert_eq!(split("smollm", "Haus 24."), ["Haus", " ", "2", "4", "."]);
        assert_eq!(split("llama-bpe", "12345 it's"), ["123", "45", " it", "'s"]);
        assert_eq!(split("qwen2", "U=0.17\n\nx"), ["U", "=", "0", ".", "1", "7", "\n\n", "x"]);
        assert_eq!(split("tekken", "IFCWall abC"), ["IFCWall", " ab", "C"]);
        for rule in ["tekken", "gpt-4o"] {
            assert_eq!(split(rule, "BÜRO Überzug"), ["BÜRO", " Überzug"]);
        }
        assert_eq!(split("default", "a(1234)"), ["a", "(", "123", "4", ")"]);
        assert!(split("gpt-2", "").is_empty());
    }

    #[test]
    fn an_unknown_rule_is_refused_by_name() {
        let error = Pre::new("no-such-rule").unwrap_err();
        assert!(error.to_string().contains("no-such-rule"), "{error}");
        assert!(matches!(error, TokenizerError::UnknownPre { .. }));
    }
}
