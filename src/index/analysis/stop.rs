//! Words that carry no subject: articles, pronouns, prepositions, auxiliaries, question words.
//!
//! They are indexed (phrases need them) but a query does not search for them, and they tell the
//! language of a short text.

use ingest::Language;

const DE: &str = "ab der die das den dem des ein eine einen einem einer eines und oder aber auch als am an auf aus bei \
bis durch für gegen im in ins ist sind war waren wird werden wurde wurden hat haben hatte kann können muss müssen soll \
sollen darf dürfen mit nach nicht noch nur ob ohne so über um unter vom von vor wann warum was weil welche welcher \
welches welchen welchem wer wem wen wessen wie wieviel wieviele wo woher wohin womit wofür worauf zu zum zur zwischen es er sie ihr wir ich man \
sich sein seine seinen dass da dort hier dieser diese dieses diesen diesem gibt gilt gelten jede jeder jedes alle allen aller \
mehr sowie bzw etwa je laut gemäss viel viele vielen bitte denn doch schon beim dabei dazu davon wäre wären würde würden hätte hätten könnte müsste musste mussten wollen wollte hoch \
gross dick lang breit tief schwer genau eigentlich überhaupt";

const FR: &str = "le la les un une des du de et ou mais au aux avec ce ces cet cette dans en est sont était ont a \
par pas pour que qui quoi quel quelle quels quelles quand comment combien où sur sous sans se sa son ses leur leurs il \
elle ils elles on nous vous je ne y être avoir fait doit doivent peut peuvent selon entre vers chez dont plus moins \
lequel laquelle cela ça très aussi si comme tout tous toute toutes faut grand grande haut haute épais épaisse long longue large";

const IT: &str = "qual il lo la i gli le un uno una di del dello della dei degli delle e o ma a al allo alla ai agli alle \
da dal dallo dalla dai dagli dalle in nel nello nella nei negli nelle con su sul sullo sulla sui sugli sulle per tra \
fra che chi cui quale quali quanto quanta quanti quante quando come dove perché è sono era erano ha hanno ho non si se \
ci vi suo sua suoi sue loro questo questa questi queste quello quella deve devono può possono secondo più meno anche \
tutto tutti tutte viene vengono cosa grande alto alta lungo lunga spesso spessa largo larga";

const EN: &str = "my the a an and or but of to in on at by for with from as is are was were be been being has have had do \
does did can could must should shall will would may might not no this that these those it its they their there what \
which who whom whose when where why how many much into over under between after before than then about according any \
all each per we you i he she them his her our your if so such";

fn list(language: Language) -> &'static str {
    match language {
        Language::De => DE,
        Language::Fr => FR,
        Language::It => IT,
        Language::En => EN,
    }
}

/// Whether a word (lower case, accents kept) is a stop word of the language.
pub(crate) fn is_stop_word(lower: &str, language: Language) -> bool {
    list(language).split_ascii_whitespace().any(|w| w == lower)
}
