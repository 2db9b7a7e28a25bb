//! The content model as a table: every node, attribute and mark that a document may contain. A test compares it with
//! `docs/content-model.md`.

/// Maximum size of a document in bytes of JSON.
pub const MAX_BYTES: usize = 2 * 1024 * 1024;
/// Maximum nesting: the document is at depth 0, its blocks at 1.
pub const MAX_DEPTH: usize = 64;

/// Where a node may occur.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// Wherever blocks are allowed.
    Block,
    /// Inline; may carry marks.
    Inline,
    /// Inline, but only in the text of a fill-in-the-blank question.
    Blank,
    /// Only in the node that names it.
    Part,
}

/// What a node may contain.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Holds {
    Nothing,
    /// Any number of inline nodes, including none.
    Inline,
    /// Any number of text nodes without marks.
    PlainText,
    /// One or more blocks.
    Blocks,
    /// One or more nodes of these types.
    SomeOf(&'static [&'static str]),
    /// Exactly these nodes, in this order.
    Exactly(&'static [&'static str]),
}

/// The type of an attribute's value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    Flag,
    Whole {
        min: i64,
        max: i64,
    },
    /// A string of at most this many characters.
    Text(usize),
    OneOf(&'static [&'static str]),
    /// `/files/{key}/{name}`
    File,
    /// A link target.
    Href,
    Uuid,
    /// A video id that is valid for its provider.
    EmbedId,
    /// The widths of the columns that a table cell spans.
    Widths,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Attr {
    pub name: &'static str,
    pub kind: Kind,
    pub required: bool,
    pub nullable: bool,
}

#[derive(Debug)]
pub struct NodeType {
    pub name: &'static str,
    pub role: Role,
    pub holds: Holds,
    pub attrs: &'static [Attr],
}

#[derive(Debug)]
pub struct MarkType {
    pub name: &'static str,
    pub attrs: &'static [Attr],
}

const fn required(name: &'static str, kind: Kind) -> Attr {
    Attr {
        name,
        kind,
        required: true,
        nullable: false,
    }
}
const fn optional(name: &'static str, kind: Kind) -> Attr {
    Attr {
        name,
        kind,
        required: false,
        nullable: false,
    }
}
const fn nullable(name: &'static str, kind: Kind) -> Attr {
    Attr {
        name,
        kind,
        required: false,
        nullable: true,
    }
}
const fn block(name: &'static str, holds: Holds, attrs: &'static [Attr]) -> NodeType {
    NodeType {
        name,
        role: Role::Block,
        holds,
        attrs,
    }
}
const fn part(name: &'static str, holds: Holds, attrs: &'static [Attr]) -> NodeType {
    NodeType {
        name,
        role: Role::Part,
        holds,
        attrs,
    }
}
const fn inline(name: &'static str, attrs: &'static [Attr]) -> NodeType {
    NodeType {
        name,
        role: Role::Inline,
        holds: Holds::Nothing,
        attrs,
    }
}
const fn mark(name: &'static str, attrs: &'static [Attr]) -> MarkType {
    MarkType { name, attrs }
}

const PIXELS: Kind = Kind::Whole { min: 1, max: 1_000_000 };
const SPAN: Kind = Kind::Whole { min: 1, max: 1000 };
const CAPTION: Attr = nullable("caption", Kind::Text(1000));
const SRC: Attr = required("src", Kind::File);
const LATEX: Attr = required("latex", Kind::Text(10_000));
const CELL: &[Attr] = &[
    optional("colspan", SPAN),
    optional("rowspan", SPAN),
    nullable("colwidth", Kind::Widths),
    nullable("align", Kind::OneOf(&["left", "center", "right"])),
];

pub const EMBED_PROVIDERS: &[&str] = &["youtube", "rutube", "vk", "vimeo"];

pub const NODES: &[NodeType] = &[
    part("doc", Holds::Blocks, &[]),
    block("paragraph", Holds::Inline, &[]),
    block(
        "heading",
        Holds::Inline,
        &[required("level", Kind::Whole { min: 1, max: 4 })],
    ),
    block("bulletList", Holds::SomeOf(&["listItem"]), &[]),
    block(
        "orderedList",
        Holds::SomeOf(&["listItem"]),
        &[
            optional(
                "start",
                Kind::Whole {
                    min: 0,
                    max: 1_000_000_000,
                },
            ),
            nullable("type", Kind::OneOf(&["1", "a", "A", "i", "I"])),
        ],
    ),
    part("listItem", Holds::Blocks, &[]),
    block("taskList", Holds::SomeOf(&["taskItem"]), &[]),
    part("taskItem", Holds::Blocks, &[optional("checked", Kind::Flag)]),
    block("blockquote", Holds::Blocks, &[]),
    block(
        "codeBlock",
        Holds::PlainText,
        &[
            nullable("language", Kind::Text(40)),
            nullable("caption", Kind::Text(255)),
        ],
    ),
    block("table", Holds::SomeOf(&["tableRow"]), &[]),
    part("tableRow", Holds::SomeOf(&["tableHeader", "tableCell"]), &[]),
    part("tableHeader", Holds::Blocks, CELL),
    part("tableCell", Holds::Blocks, CELL),
    block(
        "image",
        Holds::Nothing,
        &[
            SRC,
            nullable("alt", Kind::Text(1000)),
            CAPTION,
            nullable("width", Kind::Whole { min: 16, max: 4000 }),
            nullable("naturalWidth", PIXELS),
            nullable("naturalHeight", PIXELS),
        ],
    ),
    block(
        "video",
        Holds::Nothing,
        &[
            SRC,
            CAPTION,
            nullable("naturalWidth", PIXELS),
            nullable("naturalHeight", PIXELS),
        ],
    ),
    block("audio", Holds::Nothing, &[SRC, CAPTION]),
    block(
        "embed",
        Holds::Nothing,
        &[
            required("provider", Kind::OneOf(EMBED_PROVIDERS)),
            required("id", Kind::EmbedId),
            CAPTION,
        ],
    ),
    block(
        "attachment",
        Holds::Nothing,
        &[
            SRC,
            required("filename", Kind::Text(255)),
            required("size", Kind::Whole { min: 0, max: i64::MAX }),
            required("contentType", Kind::Text(127)),
        ],
    ),
    block(
        "callout",
        Holds::Blocks,
        &[optional("kind", Kind::OneOf(&["note", "tip", "warning", "danger"]))],
    ),
    block(
        "details",
        Holds::Exactly(&["detailsSummary", "detailsContent"]),
        &[optional("open", Kind::Flag)],
    ),
    part("detailsSummary", Holds::Inline, &[]),
    part("detailsContent", Holds::Blocks, &[]),
    block("blockMath", Holds::Nothing, &[LATEX]),
    block("horizontalRule", Holds::Nothing, &[]),
    inline("text", &[]),
    inline("hardBreak", &[]),
    inline("inlineMath", &[LATEX]),
    NodeType {
        name: "blank",
        role: Role::Blank,
        holds: Holds::Nothing,
        attrs: &[required("blank_id", Kind::Uuid)],
    },
];

/// The editor writes these attributes beside a link's `href`; the reading page ignores them.
const EDITOR_TEXT: Kind = Kind::Text(255);

pub const MARKS: &[MarkType] = &[
    mark("bold", &[]),
    mark("italic", &[]),
    mark("underline", &[]),
    mark("strike", &[]),
    mark("code", &[]),
    mark("highlight", &[]),
    mark("subscript", &[]),
    mark("superscript", &[]),
    mark(
        "link",
        &[
            required("href", Kind::Href),
            nullable("target", EDITOR_TEXT),
            nullable("rel", EDITOR_TEXT),
            nullable("class", EDITOR_TEXT),
            nullable("title", EDITOR_TEXT),
        ],
    ),
];

pub fn node_type(name: &str) -> Option<&'static NodeType> {
    NODES.iter().find(|node| node.name == name)
}

pub fn mark_type(name: &str) -> Option<&'static MarkType> {
    MARKS.iter().find(|mark| mark.name == name)
}
