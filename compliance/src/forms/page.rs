//! Writing a form as a PDF: PDF/A-2b, tagged, A4.

use jiff::Timestamp;
use krilla::metadata::Metadata;
use krilla::tagging::{ListNumbering, Node, TableHeaderScope, Tag, TagTree};

use super::Block;
use super::set::{MARGIN, Mark, Part, Role, Setter, What};
use crate::report::Lang;
use crate::sheet::SheetError;
use crate::sheet::archival::{PAGE, a4, document, group, heading, moment};
use crate::sheet::draw::{Faces, GREY, HAIR, Pen};

/// What stands at the foot of every page and in the file's metadata.
#[derive(Debug, Clone)]
pub struct About {
    /// The firm.
    pub firm: String,
    /// A line on what the form was made from.
    pub made_from: String,
    /// When it was made.
    pub made: Timestamp,
    /// Keywords of the metadata.
    pub keywords: Vec<String>,
}

/// Writes a form.
///
/// # Errors
/// When the bundled fonts cannot be read or the PDF/A checks fail; neither depends on the texts.
pub fn pdf(blocks: &[Block], lang: Lang, about: &About) -> Result<Vec<u8>, SheetError> {
    let faces = Faces::load()?;
    let mut setter = Setter::new(&faces);
    blocks.iter().for_each(|block| setter.block(block));
    let mut document = document()?;
    let title = blocks.iter().find_map(|b| match b {
        Block::Title(text) => Some(text.clone()),
        _ => None,
    });
    document.set_metadata(metadata(title.unwrap_or_default(), lang, about));
    let pages = setter.pages();
    let mut nodes: Vec<Option<Node>> = setter.marks.iter().map(|_| None).collect();
    for number in 0..pages {
        let mut page = document.start_page_with(a4()?);
        let mut pen = Pen::new(page.surface());
        for (mark, node) in setter.marks.iter().zip(&mut nodes).filter(|(mark, _)| mark.page == number) {
            *node = draw(&mut pen, &faces, mark);
        }
        foot(&mut pen, &faces, about, number + 1, pages);
        pen.finish();
        page.finish();
    }
    let mut tags = TagTree::new().with_lang(Some(lang.code().to_owned()));
    tree(&setter.parts, &mut nodes).into_iter().for_each(|node| tags.push(node));
    document.set_tag_tree(tags);
    document.finish().map_err(|e| SheetError::Pdf(format!("{e:?}")))
}

fn draw(pen: &mut Pen<'_>, faces: &Faces, mark: &Mark) -> Option<Node> {
    match &mark.what {
        What::Text { line, bold, size, colour } => {
            let face = if *bold { &faces.semibold } else { &faces.regular };
            Some(pen.line(line, face, *size, *colour, mark.x, mark.y))
        }
        What::Fill { width, height, colour } => {
            pen.ornament(*colour, mark.x, mark.y, *width, *height);
            None
        }
    }
}

fn foot(pen: &mut Pen<'_>, faces: &Faces, about: &About, number: usize, pages: usize) {
    let y = PAGE.1 - 42.0;
    pen.ornament(HAIR, MARGIN, y - 12.0, PAGE.0 - 2.0 * MARGIN, 0.6);
    let face = &faces.regular;
    let count = face.shape(&format!("{number} / {pages}"));
    let right = PAGE.0 - MARGIN - count.width(8.0);
    pen.artifact(&count, face, 8.0, GREY, right, y);
    let text = if about.firm.is_empty() {
        about.made_from.clone()
    } else {
        format!("{} · {}", about.firm, about.made_from)
    };
    for (i, line) in face.lines(&text, 8.0, right - MARGIN - 20.0, 2, "…").0.iter().enumerate() {
        pen.artifact(line, face, 8.0, GREY, MARGIN, y + i as f32 * 10.0);
    }
}

fn metadata(title: String, lang: Lang, about: &About) -> Metadata {
    let firm = Some(about.firm.clone()).filter(|firm| !firm.is_empty());
    Metadata::new()
        .title(title)
        .language(lang.code().to_owned())
        .creator("Dossier".to_owned())
        .authors(firm.into_iter().collect())
        .keywords(about.keywords.clone())
        .creation_date(moment(about.made))
}

/// The tag tree: neighbouring items become one list, neighbouring rows one table.
fn tree(parts: &[Part], nodes: &mut [Option<Node>]) -> Vec<Node> {
    let mut out = Vec::new();
    let mut parts = parts.iter().peekable();
    while let Some(part) = parts.next() {
        let children = taken(part, nodes);
        match part.role {
            Role::Title => out.push(heading(1, &part.text, children)),
            Role::Heading => out.push(heading(2, &part.text, children)),
            Role::Paragraph | Role::Value => out.push(group(Tag::P, children)),
            Role::Item => {
                let item = |children| group(Tag::LI, vec![group(Tag::LBody, children)]);
                let mut items = vec![item(children)];
                while let Some(next) = parts.next_if(|next| next.role == Role::Item) {
                    items.push(item(taken(next, nodes)));
                }
                out.push(group(Tag::L(ListNumbering::None), items));
            }
            Role::Label => {
                let mut rows = Vec::new();
                let mut label = children;
                loop {
                    let value = parts.next_if(|next| next.role == Role::Value);
                    let value = value.map(|part| taken(part, nodes)).unwrap_or_default();
                    let head = group(Tag::TH(TableHeaderScope::Row), label);
                    rows.push(group(Tag::TR, vec![head, group(Tag::TD, value)]));
                    let Some(next) = parts.next_if(|next| next.role == Role::Label) else { break };
                    label = taken(next, nodes);
                }
                out.push(group(Tag::Table, rows));
            }
        }
    }
    out
}

fn taken(part: &Part, nodes: &mut [Option<Node>]) -> Vec<Node> {
    part.marks.iter().filter_map(|&mark| nodes.get_mut(mark)?.take()).collect()
}
