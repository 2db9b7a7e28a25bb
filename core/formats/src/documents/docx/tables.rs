//! Resolves the merged cells of Word tables.

use std::collections::HashMap;

use roxmltree::Node;

use super::parts::{attr, child, toggle, value};

/// A cell with its spans.
pub struct Cell<'a, 'i> {
    pub node: Node<'a, 'i>,
    pub columns: usize,
    pub rows: usize,
    pub is_header: bool,
}

const MAX_SPAN: usize = 1000;

/// The rows of a table with the cells that start in them.
pub fn rows<'a, 'i>(table: Node<'a, 'i>) -> Vec<Vec<Cell<'a, 'i>>> {
    let mut rows: Vec<Vec<Cell<'a, 'i>>> = Vec::new();
    // The last cell that started in each column.
    let mut begun: HashMap<usize, (usize, usize)> = HashMap::new();
    for row in content(table, "tr") {
        let properties = child(row, "trPr");
        let is_header = properties.is_some_and(|properties| toggle(properties, "tblHeader") == Some(true));
        let before = properties.and_then(|properties| value(properties, "gridBefore"));
        let mut column: usize = before.and_then(|before| before.parse().ok()).unwrap_or(0).min(MAX_SPAN);
        let mut cells = Vec::new();
        for node in content(row, "tc") {
            let properties = child(node, "tcPr");
            let columns = properties
                .and_then(|properties| value(properties, "gridSpan"))
                .and_then(|span| span.parse().ok())
                .unwrap_or(1)
                .clamp(1, MAX_SPAN);
            let merge = properties.and_then(|properties| child(properties, "vMerge"));
            let goes_on = merge.is_some_and(|merge| attr(merge, "val") != Some("restart"));
            let above = begun.get(&column).filter(|_| goes_on);
            match above.and_then(|(row, cell)| rows.get_mut(*row)?.get_mut(*cell)) {
                Some(above) => above.rows = (above.rows + 1).min(MAX_SPAN),
                None => {
                    begun.insert(column, (rows.len(), cells.len()));
                    cells.push(Cell {
                        node,
                        columns,
                        rows: 1,
                        is_header,
                    });
                }
            }
            column += columns;
        }
        rows.push(cells);
    }
    rows
}

/// Rows or cells, including those in content controls.
fn content<'a, 'i>(node: Node<'a, 'i>, name: &str) -> Vec<Node<'a, 'i>> {
    let mut found = Vec::new();
    for child in node.children().filter(Node::is_element) {
        match child.tag_name().name() {
            known if known == name => found.push(child),
            "sdt" | "sdtContent" | "ins" | "customXml" => found.extend(content(child, name)),
            _ => {}
        }
    }
    found
}
