//! Collects blocks and the current line of text.

use std::mem;

use serde_json::{Value, json};

use super::{node, node_with};

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Mark {
    Bold,
    Italic,
    Underline,
    Strike,
    Code,
    Highlight,
    Subscript,
    Superscript,
    Link(String),
}

impl Mark {
    fn to_value(&self) -> Value {
        match self {
            Self::Bold => node("bold"),
            Self::Italic => node("italic"),
            Self::Underline => node("underline"),
            Self::Strike => node("strike"),
            Self::Code => node("code"),
            Self::Highlight => node("highlight"),
            Self::Subscript => node("subscript"),
            Self::Superscript => node("superscript"),
            Self::Link(href) => json!({ "type": "link", "attrs": { "href": href } }),
        }
    }
}

/// Adds a mark unless one of its kind is present.
pub fn with_mark(marks: &[Mark], mark: Mark) -> Vec<Mark> {
    let mut marks = marks.to_vec();
    if !marks
        .iter()
        .any(|other| mem::discriminant(other) == mem::discriminant(&mark))
    {
        marks.push(mark);
    }
    marks
}

#[derive(Debug)]
enum Piece {
    Text {
        text: String,
        marks: Vec<Mark>,
    },
    /// A hard break or a formula.
    Inline {
        node: Value,
        marks: Vec<Mark>,
    },
    /// A block within a line, such as an image; it splits the paragraph.
    Block(Value),
}

/// Collects the content of an element and collapses white space as browsers do.
#[derive(Debug)]
pub struct Flow {
    blocks: Vec<Value>,
    line: Vec<Piece>,
    /// Another space would be at the start of a line or follow a space.
    after_space: bool,
    /// The content is a single line: a heading or a summary.
    pub one_line: bool,
}

impl Flow {
    pub fn new() -> Self {
        Self {
            blocks: Vec::new(),
            line: Vec::new(),
            after_space: true,
            one_line: false,
        }
    }

    pub fn one_line() -> Self {
        Self {
            one_line: true,
            ..Self::new()
        }
    }

    pub fn text(&mut self, text: &str, marks: &[Mark]) {
        let mut folded = String::with_capacity(text.len());
        for c in text.chars() {
            if matches!(c, ' ' | '\t' | '\n' | '\r' | '\x0c') {
                if !self.after_space {
                    folded.push(' ');
                }
                self.after_space = true;
            } else {
                folded.push(c);
                self.after_space = false;
            }
        }
        if folded.is_empty() {
            return;
        }
        match self.line.last_mut() {
            Some(Piece::Text { text, marks: last }) if last == marks => text.push_str(&folded),
            _ => self.line.push(Piece::Text {
                text: folded,
                marks: marks.to_vec(),
            }),
        }
    }

    pub fn inline(&mut self, node: Value, marks: &[Mark]) {
        self.line.push(Piece::Inline {
            node,
            marks: marks.to_vec(),
        });
        self.after_space = false;
    }

    pub fn hard_break(&mut self, marks: &[Mark]) {
        if self.one_line {
            self.text(" ", marks);
            return;
        }
        trim_end(&mut self.line);
        self.inline(node("hardBreak"), marks);
        self.after_space = true;
    }

    /// Adds a block after the current paragraph.
    pub fn block(&mut self, block: Value) {
        self.flush();
        if self.one_line {
            self.line.push(Piece::Block(block))
        } else {
            self.blocks.push(block)
        }
    }

    /// Adds a block within the current paragraph.
    pub fn block_in_line(&mut self, block: Value) {
        self.line.push(Piece::Block(block));
        self.after_space = true;
    }

    /// The image that was added last, if nothing follows it.
    pub fn last_image(&mut self) -> Option<&mut Value> {
        let last = match self.line.last_mut() {
            Some(Piece::Block(block)) => Some(block),
            Some(_) => None,
            None => self.blocks.last_mut(),
        };
        last.filter(|block| block.get("type").is_some_and(|kind| kind == "image"))
    }

    /// Whether the current line is empty.
    pub fn at_line_start(&self) -> bool {
        self.line.is_empty()
    }

    /// Ends the current paragraph.
    pub fn flush(&mut self) {
        if self.one_line {
            self.text(" ", &[]);
            return;
        }
        self.after_space = true;
        let mut paragraph = Vec::new();
        for piece in mem::take(&mut self.line) {
            match piece {
                Piece::Block(block) => {
                    self.end_paragraph(&mut paragraph);
                    self.blocks.push(block);
                }
                piece => paragraph.push(piece),
            }
        }
        self.end_paragraph(&mut paragraph);
    }

    fn end_paragraph(&mut self, pieces: &mut Vec<Piece>) {
        let nodes = inline_nodes(mem::take(pieces));
        if !nodes.is_empty() {
            self.blocks.push(node_with("paragraph", nodes));
        }
    }

    pub fn finish(mut self) -> Vec<Value> {
        self.flush();
        self.blocks
    }

    /// The text of a heading or summary, and the blocks within it.
    pub fn finish_line(self) -> (Vec<Value>, Vec<Value>) {
        let mut blocks = self.blocks;
        let mut words = Vec::new();
        for piece in self.line {
            match piece {
                Piece::Block(block) => blocks.push(block),
                piece => words.push(piece),
            }
        }
        (inline_nodes(words), blocks)
    }
}

fn is_break(piece: &Piece) -> bool {
    matches!(piece, Piece::Inline { node, .. } if node.get("type").is_some_and(|kind| kind == "hardBreak"))
}

fn trim_end(line: &mut Vec<Piece>) {
    while let Some(Piece::Text { text, .. }) = line.last_mut() {
        text.truncate(text.trim_end_matches(' ').len());
        if !text.is_empty() {
            break;
        }
        line.pop();
    }
}

fn inline_nodes(mut pieces: Vec<Piece>) -> Vec<Value> {
    trim_end(&mut pieces);
    while pieces.last().is_some_and(is_break) {
        pieces.pop();
        trim_end(&mut pieces);
    }
    let words = pieces.into_iter().skip_while(is_break);
    let nodes = words.map(|piece| {
        let (mut node, marks) = match piece {
            Piece::Text { text, marks } => (json!({ "type": "text", "text": text }), marks),
            Piece::Inline { node, marks } => (node, marks),
            Piece::Block(block) => (block, Vec::new()),
        };
        if !marks.is_empty()
            && let Some(node) = node.as_object_mut()
        {
            node.insert("marks".into(), marks.iter().map(Mark::to_value).collect());
        }
        node
    });
    nodes.collect()
}
