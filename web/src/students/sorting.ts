import type { StudentSort } from "../api/schema.generated";
import { COLUMNS, type Column, type Order } from "./order";

/** The direction after the first click on a heading: highest and latest values first. */
const LARGEST_FIRST: ReadonlySet<Column> = new Set(["percent", "active", "enrolled"]);

export function columnOf(order: Order): Column {
  return order.replace(/^-/, "") as Column;
}

export function isDescending(order: Order): boolean {
  return order.startsWith("-");
}

export function sortOf(order: Order): { sort: StudentSort; descending: boolean } {
  return { sort: COLUMNS[columnOf(order)], descending: isDescending(order) };
}

/** Returns the order after a click on a heading. */
export function pressed(order: Order, column: Column): Order {
  if (columnOf(order) === column) return isDescending(order) ? column : `-${column}`;
  return LARGEST_FIRST.has(column) ? `-${column}` : column;
}
