import type { ReactNode } from "react";
import { BrokenBlock } from "../BrokenBlock";
import { type ContentNode, childrenOf, choiceAttr, isNode, sizeAttr } from "../model";
import { useRendering } from "../rendering";
import styles from "./Table.module.css";

interface TableProps {
  node: ContentNode;
  renderRows: (rows: ContentNode[]) => ReactNode;
}

/** A table in a scrollable frame, so that a wide table does not widen the page. The frame is focusable for keyboard scrolling. */
export function Table({ node, renderRows }: TableProps) {
  const { t } = useRendering();
  const rows = childrenOf(node);
  if (rows.length === 0) return <BrokenBlock what="block" type="table" />;
  const firstBodyRow = rows.findIndex((row) => !isHeadRow(row));
  const headRows = rows.slice(0, firstBodyRow === -1 ? rows.length : firstBodyRow);
  const bodyRows = rows.slice(headRows.length);
  const widths = columnWidths(rows[0]);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset groups form fields
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable with the keyboard
    <div role="group" className={styles.frame} tabIndex={0} aria-label={t("content.table")}>
      <table>
        {widths.some((width) => width !== null) && (
          <colgroup>
            {widths.map((width, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: columns have no ids
              <col key={index} style={width ? { width } : undefined} />
            ))}
          </colgroup>
        )}
        {headRows.length > 0 && <thead>{renderRows(headRows)}</thead>}
        {bodyRows.length > 0 && <tbody>{renderRows(bodyRows)}</tbody>}
      </table>
    </div>
  );
}

interface TableCellProps {
  node: ContentNode;
  children: ReactNode;
}

export function TableCell({ node, children }: TableCellProps) {
  const colSpan = sizeAttr(node, "colspan") ?? 1;
  const rowSpan = sizeAttr(node, "rowspan") ?? 1;
  const Tag = node.type === "tableHeader" ? "th" : "td";
  return (
    <Tag
      colSpan={colSpan > 1 ? colSpan : undefined}
      rowSpan={rowSpan > 1 ? rowSpan : undefined}
      data-align={choiceAttr(node, "align", ["left", "center", "right"])}
    >
      {children}
    </Tag>
  );
}

function isHeadRow(row: ContentNode): boolean {
  const cells = isNode(row) ? childrenOf(row) : [];
  return cells.length > 0 && cells.every((cell) => isNode(cell) && cell.type === "tableHeader");
}

/** Column widths from the cells of the first row; null for a column without a width. */
function columnWidths(firstRow: ContentNode | undefined): (number | null)[] {
  if (!isNode(firstRow)) return [];
  return childrenOf(firstRow).flatMap((cell) => {
    if (!isNode(cell)) return [];
    const given = Array.isArray(cell.attrs?.colwidth) ? cell.attrs.colwidth : [];
    return Array.from({ length: sizeAttr(cell, "colspan") ?? 1 }, (_, index) => {
      const width: unknown = given[index];
      return typeof width === "number" && width > 0 ? width : null;
    });
  });
}
