//! Cutting the tokens that stand for themselves out of a text, before the rest is tokenised.

use std::borrow::Cow;
use std::collections::{BTreeSet, HashSet};

use super::trie::Trie;
use super::vocab::{Kind, Vocab};

/// A stretch of a text: a token that stands for itself, or text that is still to be tokenised.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Fragment<'t> {
    Text(Cow<'t, str>),
    Token(u32),
}

/// Which of these tokens a text may produce.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Allow {
    /// All: the text is a template's own.
    All,
    /// User-defined ones, no control tokens.
    UserDefined,
    /// User-defined ones without a letter, as runs of blanks and line ends are. Others (`<think>`,
    /// `<tool_call>`) are read as plain text, since models take them for more than text.
    Letterless,
}

/// The tokens that stand for themselves.
#[derive(Debug, Default)]
pub(super) struct Special {
    /// Longest first, then by number; so they are looked for.
    tokens: Vec<(Box<str>, u32, Kind)>,
    /// Text → its place in `tokens`.
    trie: Trie,
}

impl Special {
    pub(super) fn new(vocab: &Vocab) -> Self {
        let mut tokens: Vec<(Box<str>, u32, Kind)> = vocab
            .iter()
            .map(|(text, id)| (text.into(), id, vocab.kind(id)))
            .filter(|(_, _, kind)| matches!(kind, Kind::Control | Kind::UserDefined | Kind::Unknown))
            .collect();
        tokens.sort_by_key(|(text, id, _)| (std::cmp::Reverse(text.len()), *id));
        let trie = Trie::new(tokens.iter().enumerate().map(|(i, (text, ..))| (text.as_bytes(), i as u32)));
        Self { tokens, trie }
    }

    /// The tokens that take the blanks after them along, as Phi-3's marks do: all but those that stand for nothing.
    pub(super) fn marks_of_phi3(&self) -> HashSet<u32> {
        const PLAIN: [&str; 3] = ["<unk>", "<s>", "<|endoftext|>"];
        self.tokens.iter().filter(|(text, ..)| !PLAIN.contains(&&**text)).map(|(_, id, _)| *id).collect()
    }

    /// Cuts `text` into fragments. Longer tokens are cut out before shorter ones, wherever they stand.
    pub(super) fn partition<'t>(&self, text: &'t str, allow: Allow) -> Vec<Fragment<'t>> {
        let mut fragments = vec![text];
        let mut cuts: Vec<Option<u32>> = vec![None];
        for index in self.present(text, allow) {
            let Some((token, id, _)) = self.tokens.get(index as usize) else { continue };
            let old = std::mem::take(&mut fragments).into_iter().zip(std::mem::take(&mut cuts));
            for (fragment, cut) in old {
                if cut.is_some() {
                    fragments.push(fragment);
                    cuts.push(cut);
                    continue;
                }
                let mut parts = fragment.split(&**token);
                let first = parts.next().unwrap_or_default();
                fragments.push(first);
                cuts.push(None);
                for part in parts {
                    fragments.extend(["", part]);
                    cuts.extend([Some(*id), None]);
                }
            }
        }
        fragments
            .into_iter()
            .zip(cuts)
            .filter_map(|(text, cut)| match cut {
                Some(id) => Some(Fragment::Token(id)),
                None => (!text.is_empty()).then_some(Fragment::Text(text.into())),
            })
            .collect()
    }

    /// The allowed tokens that occur in `text`, in the order in which they are cut out.
    fn present(&self, text: &str, allow: Allow) -> BTreeSet<u32> {
        let mut found = BTreeSet::new();
        for (start, _) in text.char_indices() {
            let mut node = Trie::ROOT;
            for byte in text.bytes().skip(start) {
                let Some(next) = self.trie.step(node, byte) else { break };
                node = next;
                found.extend(self.trie.value(node).filter(|index| self.allowed(*index, allow)));
            }
        }
        found
    }

    fn allowed(&self, index: u32, allow: Allow) -> bool {
        let Some((text, _, kind)) = self.tokens.get(index as usize) else { return false };
        match allow {
            Allow::All => true,
            Allow::UserDefined => *kind == Kind::UserDefined,
            Allow::Letterless => *kind == Kind::UserDefined && !text.chars().any(char::is_alphabetic),
        }
    }
}
