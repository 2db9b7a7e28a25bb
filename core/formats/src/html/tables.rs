//! Converts tables.

use scraper::{ElementRef, Node};
use serde_json::{Value, json};

use super::blocks::{Converter, insert, with_attrs};
use super::flow::{Flow, Mark, with_mark};
use super::node_with;

impl Converter<'_> {
    pub(super) fn table(&mut self, element: ElementRef<'_>, marks: &[Mark], flow: &mut Flow, depth: usize) {
        if !self.fits(depth, 3) {
            return self.block_content(element, marks, flow, depth);
        }
        flow.flush();
        let mut rows = Vec::new();
        self.rows(element, marks, flow, depth, &mut rows);
        if !rows.is_empty() {
            flow.block(node_with("table", rows));
        }
    }

    fn rows(&mut self, parent: ElementRef<'_>, marks: &[Mark], flow: &mut Flow, depth: usize, rows: &mut Vec<Value>) {
        for child in parent.children() {
            if let Node::Comment(comment) = child.value() {
                self.comment(comment);
            }
            let Some(child) = ElementRef::wrap(child) else { continue };
            match child.value().name() {
                "thead" | "tbody" | "tfoot" => self.rows(child, marks, flow, depth, rows),
                "caption" => self.block_content(child, &with_mark(marks, Mark::Bold), flow, depth),
                "tr" => {
                    let mut cells = Vec::new();
                    for cell in child.children() {
                        if let Node::Comment(comment) = cell.value() {
                            self.comment(comment);
                        }
                        let Some(cell) = ElementRef::wrap(cell) else { continue };
                        if matches!(cell.value().name(), "td" | "th") {
                            cells.push(self.cell(cell, marks, depth));
                        }
                    }
                    if !cells.is_empty() {
                        rows.push(node_with("tableRow", cells));
                    }
                }
                _ => {}
            }
        }
    }

    fn cell(&mut self, cell: ElementRef<'_>, marks: &[Mark], depth: usize) -> Value {
        let kind = if cell.value().name() == "th" {
            "tableHeader"
        } else {
            "tableCell"
        };
        let mut attrs = json!({});
        for span in ["colspan", "rowspan"] {
            let cells = cell
                .attr(span)
                .and_then(|cells| cells.trim().parse::<u32>().ok())
                .unwrap_or(1)
                .clamp(1, 1000);
            if cells != 1 {
                insert(&mut attrs, span, cells);
            }
        }
        let style = cell.attr("style").unwrap_or_default();
        let styled = style
            .split(';')
            .filter_map(|rule| rule.split_once(':'))
            .find(|(name, _)| name.trim() == "text-align");
        let align = cell
            .attr("align")
            .or(styled.map(|(_, value)| value))
            .unwrap_or_default()
            .trim()
            .to_ascii_lowercase();
        if matches!(align.as_str(), "left" | "center" | "right") {
            insert(&mut attrs, "align", align);
        }
        let content = self.blocks_of(cell, marks, depth + 3);
        with_attrs(node_with(kind, content), attrs)
    }
}
