//! Texts to measure with, made up and always the same.

use crate::engine::Generator;

const SUBJECTS: [&str; 8] = [
    "The external wall",
    "The fire door",
    "The roof of the gymnasium",
    "The ventilation duct",
    "The staircase",
    "The window of the library",
    "The lift",
    "The floor of the workshop",
];
const PARTS: [&str; 6] = [
    "is insulated with mineral wool",
    "has a frame of larch",
    "was inspected by the site manager",
    "carries a load of three kilonewtons",
    "is painted in a light grey",
    "closes by itself in case of fire",
];
const PLACES: [&str; 7] = [
    "on the ground floor",
    "beside the main entrance",
    "in the east wing",
    "below the terrace",
    "next to the plant room",
    "behind the reading room",
    "along the south side",
];

/// Sentence number `i` of an endless report. No two of the first thousand are the same.
pub(super) fn sentence(i: usize) -> String {
    let (subject, part) = (SUBJECTS[i % 8], PARTS[(i / 3) % 6]);
    format!("{subject} {} {part}, item {}. ", PLACES[(i / 2) % 7], i + 100)
}

/// A report that differs from those of other seeds from its first words on, as long as it may be within `tokens`.
pub(super) fn report(model: &Generator, seed: usize, tokens: usize) -> String {
    let mut text = format!("Report {seed} of the building site. ");
    let mut count = model.count_tokens(&text) + 2;
    for i in 0.. {
        let next = sentence(i * 31 % 997 + seed);
        count += model.count_tokens(&next);
        if count > tokens {
            break;
        }
        text.push_str(&next);
    }
    text
}
