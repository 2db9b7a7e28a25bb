//! Renders Markdown to HTML for the HTML converter. A single HTML parser then sees Markdown and raw HTML together, as
//! a browser does, so that elements may open in one and close in the other.

mod footnotes;
mod raw_html;

use std::fmt::Write;
use std::ops::Range;

use pulldown_cmark::{
    Alignment, BlockQuoteKind, CodeBlockKind, CowStr, Event, HeadingLevel, Options, Parser, Tag, TagEnd,
    TextMergeWithOffset,
};

use super::html::{FOOTNOTES_ID, LINE_MARK};
use super::xml::{escape_into, escaped};
use footnotes::Footnotes;
use raw_html::Closings;

/// Levels of lists, quotes and tables that become nodes; deeper levels are flattened. Half of the document limit,
/// which leaves room for raw HTML around them.
const MAX_LEVELS: usize = 40;

#[derive(Clone, Copy, Debug)]
pub struct MarkdownOptions {
    pub smart_punctuation: bool,
    /// `$x$` and `$$x$$`.
    pub dollar_math: bool,
    /// Show raw HTML as text.
    pub html_as_text: bool,
    pub footnotes_title: &'static str,
}

/// A code block with its parsed info string.
#[derive(Debug)]
pub struct Fence {
    pub language: Option<String>,
    pub caption: Option<String>,
    pub code: String,
}

/// The HTML, and facts that it cannot express.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Rendered {
    pub html: String,
    pub footnotes: usize,
    pub flattened: bool,
}

pub fn render(
    text: &str,
    options: MarkdownOptions,
    line_of: &dyn Fn(usize) -> usize,
    fence: &mut dyn FnMut(&str, String) -> Fence,
) -> Rendered {
    let mut flags = Options::ENABLE_TABLES
        | Options::ENABLE_FOOTNOTES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_TASKLISTS
        | Options::ENABLE_HEADING_ATTRIBUTES
        | Options::ENABLE_GFM;
    flags.set(Options::ENABLE_SMART_PUNCTUATION, options.smart_punctuation);
    flags.set(Options::ENABLE_MATH, options.dollar_math);
    // Parse twice instead of storing events, which take a hundred times the size of the page.
    let events = || TextMergeWithOffset::new(Parser::new_ext(text, flags).into_offset_iter());
    let mut renderer = Renderer {
        options,
        line_of,
        fence,
        closings: Closings::of(events().map(|(event, _)| event)),
        out: String::with_capacity(text.len() * 3 / 2),
        set_aside: Vec::new(),
        open: Vec::new(),
        marks: Vec::new(),
        levels: 0,
        last_line: 0,
        code: None,
        block_html: String::new(),
        alt: None,
        table: Vec::new(),
        in_table_head: false,
        column: 0,
        footnotes: Footnotes::default(),
        flattened: false,
    };
    for (index, (event, range)) in events().enumerate() {
        renderer.event(index, event, range);
    }
    renderer.finish()
}

struct Renderer<'a> {
    options: MarkdownOptions,
    line_of: &'a dyn Fn(usize) -> usize,
    fence: &'a mut dyn FnMut(&str, String) -> Fence,
    closings: Closings,
    out: String,
    /// Suspended output and label of each open footnote.
    set_aside: Vec<(String, String)>,
    /// Closing tags of the open elements; empty for flattened ones.
    open: Vec<&'static str>,
    /// Open inline elements; nesting the same element again would only add depth.
    marks: Vec<&'static str>,
    levels: usize,
    last_line: usize,
    code: Option<(String, String)>,
    block_html: String,
    alt: Option<Picture>,
    table: Vec<Alignment>,
    in_table_head: bool,
    column: usize,
    footnotes: Footnotes,
    flattened: bool,
}

struct Picture {
    src: String,
    title: String,
    alt: String,
    nested: usize,
}

impl Renderer<'_> {
    fn event(&mut self, index: usize, event: Event<'_>, range: Range<usize>) {
        if let Some(picture) = &mut self.alt {
            let ended = match event {
                Event::Start(Tag::Image { .. }) => {
                    picture.nested += 1;
                    false
                }
                Event::End(TagEnd::Image) if picture.nested > 0 => {
                    picture.nested -= 1;
                    false
                }
                Event::End(TagEnd::Image) => true,
                Event::Text(text) | Event::Code(text) | Event::InlineMath(text) | Event::DisplayMath(text) => {
                    picture.alt.push_str(&text);
                    false
                }
                Event::SoftBreak | Event::HardBreak => {
                    picture.alt.push(' ');
                    false
                }
                _ => false,
            };
            if ended {
                self.end_image();
            }
            return;
        }
        if let Some((_, code)) = &mut self.code {
            match event {
                Event::Text(text) => code.push_str(&text),
                Event::End(TagEnd::CodeBlock) => self.end_code(),
                _ => {}
            }
            return;
        }
        match event {
            Event::Start(tag) => self.start(tag, range.start),
            Event::End(TagEnd::HtmlBlock) => {
                let html = std::mem::take(&mut self.block_html);
                self.html(index, &html);
            }
            Event::End(tag) => self.end(tag),
            Event::Text(text) => escape_into(&text, &mut self.out),
            Event::Code(text) => {
                self.out.push_str("<code>");
                escape_into(&text, &mut self.out);
                self.out.push_str("</code>");
            }
            Event::InlineMath(latex) => self.math("inline", &latex),
            Event::DisplayMath(latex) => self.math("display", &latex),
            Event::Html(html) => self.block_html.push_str(&html),
            Event::InlineHtml(html) => {
                self.mark_line(range.start);
                if self.closings.is_code(&html) {
                    escape_into(&html, &mut self.out)
                } else {
                    self.html(index, &html)
                }
            }
            Event::FootnoteReference(label) => {
                let number = self.footnotes.number(&label);
                self.put(format_args!("<sup><a href=\"#{FOOTNOTES_ID}\">{number}</a></sup>"));
            }
            Event::SoftBreak => self.out.push('\n'),
            Event::HardBreak => self.out.push_str("<br>"),
            Event::Rule => self.out.push_str("<hr>"),
            Event::TaskListMarker(checked) => {
                self.out.push_str(if checked {
                    "<input type=\"checkbox\" checked>"
                } else {
                    "<input type=\"checkbox\">"
                });
            }
        }
    }

    fn put(&mut self, text: std::fmt::Arguments<'_>) {
        // Writing to a string cannot fail.
        let _ = self.out.write_fmt(text);
    }

    /// Inserts a comment with the current source line.
    fn mark_line(&mut self, offset: usize) {
        let line = (self.line_of)(offset);
        if line != self.last_line {
            self.last_line = line;
            self.put(format_args!("<!--{LINE_MARK}{line}-->"));
        }
    }

    fn start(&mut self, tag: Tag<'_>, offset: usize) {
        self.mark_line(offset);
        let close = match tag {
            Tag::Paragraph => self.open("<p>", "</p>"),
            Tag::Heading { level, id, .. } => self.heading(level, id),
            Tag::BlockQuote(kind) => self.nest(1, quote(kind), "</blockquote>"),
            Tag::CodeBlock(kind) => {
                let info = match kind {
                    CodeBlockKind::Fenced(info) => info.into_string(),
                    CodeBlockKind::Indented => String::new(),
                };
                self.code = Some((info, String::new()));
                return;
            }
            Tag::HtmlBlock => return,
            Tag::MetadataBlock(_) => "",
            Tag::List(None) => self.nest(2, "<ul>", "</ul>"),
            Tag::List(Some(1)) => self.nest(2, "<ol>", "</ol>"),
            Tag::List(Some(start)) => self.nest(2, &format!("<ol start=\"{start}\">"), "</ol>"),
            Tag::Item if self.levels > MAX_LEVELS => self.open("<p></p>", ""),
            Tag::Item => self.open("<li>", "</li>"),
            Tag::FootnoteDefinition(label) => {
                let body = std::mem::take(&mut self.out);
                self.set_aside.push((body, label.into_string()));
                return;
            }
            Tag::DefinitionList => self.open("<dl>", "</dl>"),
            Tag::DefinitionListTitle => self.open("<dt>", "</dt>"),
            Tag::DefinitionListDefinition => self.open("<dd>", "</dd>"),
            Tag::Table(columns) => {
                self.table = columns;
                self.open("<table>", "</tbody></table>")
            }
            Tag::TableHead => {
                self.in_table_head = true;
                self.column = 0;
                self.open("<thead><tr>", "</tr></thead><tbody>")
            }
            Tag::TableRow => {
                self.column = 0;
                self.open("<tr>", "</tr>")
            }
            Tag::TableCell => self.cell(),
            Tag::Emphasis => self.inline("<em>", "</em>"),
            Tag::Strong => self.inline("<strong>", "</strong>"),
            Tag::Strikethrough => self.inline("<del>", "</del>"),
            Tag::Superscript => self.inline("<sup>", "</sup>"),
            Tag::Subscript => self.inline("<sub>", "</sub>"),
            Tag::Link {
                dest_url,
                link_type,
                title,
                ..
            } => {
                let mailto = if link_type == pulldown_cmark::LinkType::Email {
                    "mailto:"
                } else {
                    ""
                };
                let title = match &*title {
                    "" => String::new(),
                    title => format!(" title=\"{}\"", escaped(title)),
                };
                let href = escaped(&dest_url);
                self.inline(&format!("<a href=\"{mailto}{href}\"{title}>"), "</a>")
            }
            Tag::Image { dest_url, title, .. } => {
                let (src, title) = (dest_url.into_string(), title.into_string());
                self.alt = Some(Picture {
                    src,
                    title,
                    alt: String::new(),
                    nested: 0,
                });
                return;
            }
        };
        self.open.push(close);
    }

    fn open(&mut self, tag: &str, close: &'static str) -> &'static str {
        self.out.push_str(tag);
        close
    }

    /// Opens an element that adds levels, unless the limit is reached.
    fn nest(&mut self, levels: usize, tag: &str, close: &'static str) -> &'static str {
        self.levels += levels;
        if self.levels > MAX_LEVELS {
            self.flattened = true;
            return "";
        }
        self.open(tag, close)
    }

    fn inline(&mut self, tag: &str, close: &'static str) -> &'static str {
        if self.marks.contains(&close) {
            return "";
        }
        self.marks.push(close);
        self.open(tag, close)
    }

    fn heading(&mut self, level: HeadingLevel, id: Option<CowStr<'_>>) -> &'static str {
        let (name, close) = match level {
            HeadingLevel::H1 => ("h1", "</h1>"),
            HeadingLevel::H2 => ("h2", "</h2>"),
            HeadingLevel::H3 => ("h3", "</h3>"),
            HeadingLevel::H4 => ("h4", "</h4>"),
            HeadingLevel::H5 => ("h5", "</h5>"),
            HeadingLevel::H6 => ("h6", "</h6>"),
        };
        match id {
            Some(id) => self.put(format_args!("<{name} id=\"{}\">", escaped(&id))),
            None => self.put(format_args!("<{name}>")),
        }
        close
    }

    fn cell(&mut self) -> &'static str {
        let align = match self.table.get(self.column) {
            Some(Alignment::Left) => " align=\"left\"",
            Some(Alignment::Center) => " align=\"center\"",
            Some(Alignment::Right) => " align=\"right\"",
            Some(Alignment::None) | None => "",
        };
        self.column += 1;
        let (name, close) = if self.in_table_head {
            ("th", "</th>")
        } else {
            ("td", "</td>")
        };
        self.put(format_args!("<{name}{align}>"));
        close
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::FootnoteDefinition => {
                if let Some((body, label)) = self.set_aside.pop() {
                    let text = std::mem::replace(&mut self.out, body);
                    self.footnotes.texts.insert(label, text);
                }
                // The following text needs a line comment again.
                self.last_line = 0;
                return;
            }
            TagEnd::BlockQuote(_) => self.levels = self.levels.saturating_sub(1),
            TagEnd::List(_) => self.levels = self.levels.saturating_sub(2),
            TagEnd::TableHead => self.in_table_head = false,
            _ => {}
        }
        let close = self.open.pop().unwrap_or_default();
        if self.marks.last() == Some(&close) {
            self.marks.pop();
        }
        self.out.push_str(close);
    }

    fn end_code(&mut self) {
        let Some((info, code)) = self.code.take() else { return };
        let fence = (self.fence)(&info, code);
        self.out.push_str("<pre");
        if let Some(caption) = &fence.caption {
            self.put(format_args!(" data-caption=\"{}\"", escaped(caption)));
        }
        self.out.push_str("><code");
        if let Some(language) = &fence.language {
            self.put(format_args!(" class=\"language-{}\"", escaped(language)));
        }
        self.out.push('>');
        escape_into(&fence.code, &mut self.out);
        self.out.push_str("</code></pre>");
    }

    fn end_image(&mut self) {
        let Some(picture) = self.alt.take() else { return };
        self.put(format_args!(
            "<img src=\"{}\" alt=\"{}\"",
            escaped(&picture.src),
            escaped(picture.alt.trim())
        ));
        if !picture.title.is_empty() {
            self.put(format_args!(" title=\"{}\"", escaped(&picture.title)));
        }
        self.out.push('>');
    }

    fn math(&mut self, kind: &str, latex: &str) {
        self.put(format_args!("<span data-math=\"{kind}\">{}</span>", escaped(latex)));
    }

    fn html(&mut self, index: usize, html: &str) {
        if self.options.html_as_text || self.closings.swallows(index, html) {
            escape_into(html, &mut self.out);
            return;
        }
        self.out.push_str(html);
        // An unclosed comment must not hide the following blocks.
        if html
            .rsplit_once("<!--")
            .is_some_and(|(_, comment)| !comment.contains("-->"))
        {
            self.out.push_str("-->");
        }
    }

    fn finish(mut self) -> Rendered {
        let footnotes = std::mem::take(&mut self.footnotes).into_list();
        let count = footnotes.len();
        if count > 0 {
            let title = escaped(self.options.footnotes_title);
            self.put(format_args!("<h2 id=\"{FOOTNOTES_ID}\">{title}</h2><ol>"));
            for text in footnotes {
                self.put(format_args!("<li>{text}</li>"));
            }
            self.out.push_str("</ol>");
        }
        Rendered {
            html: self.out,
            footnotes: count,
            flattened: self.flattened,
        }
    }
}

fn quote(kind: Option<BlockQuoteKind>) -> &'static str {
    match kind {
        None => "<blockquote>",
        Some(BlockQuoteKind::Note | BlockQuoteKind::Important) => "<blockquote data-callout=\"note\">",
        Some(BlockQuoteKind::Tip) => "<blockquote data-callout=\"tip\">",
        Some(BlockQuoteKind::Warning) => "<blockquote data-callout=\"warning\">",
        Some(BlockQuoteKind::Caution) => "<blockquote data-callout=\"danger\">",
    }
}
