import type { StudentSort } from "../api/schema.generated";

/** The sort order of the class list in the address; a leading minus means descending. */
const COLUMNS = {
  name: "FULL_NAME",
  percent: "PERCENT",
  active: "LAST_ACTIVITY_AT",
  enrolled: "ENROLLED_AT",
  completed: "COMPLETED_AT",
} as const satisfies Record<string, StudentSort>;

export type Column = keyof typeof COLUMNS;
export type Order = Column | `-${Column}`;

/** The direction after the first click on a heading: highest and latest values first. */
const LARGEST_FIRST: ReadonlySet<Column> = new Set(["percent", "active", "enrolled"]);

export function isOrder(value: unknown): value is Order {
  return typeof value === "string" && Object.hasOwn(COLUMNS, value.replace(/^-/, ""));
}

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
