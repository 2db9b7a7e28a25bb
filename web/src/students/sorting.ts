import type { StudentSort } from "./Students.generated";

/** How the class list is sorted, as the address has it; a minus in front turns it round. */
const COLUMNS = {
  name: "FULL_NAME",
  percent: "PERCENT",
  active: "LAST_ACTIVITY_AT",
  enrolled: "ENROLLED_AT",
  completed: "COMPLETED_AT",
} as const satisfies Record<string, StudentSort>;

export type Column = keyof typeof COLUMNS;
export type Order = Column | `-${Column}`;

/** What people look at first when they press a heading: the best, the latest. */
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

/** The order after a press on a heading. */
export function pressed(order: Order, column: Column): Order {
  if (columnOf(order) === column) return isDescending(order) ? column : `-${column}`;
  return LARGEST_FIRST.has(column) ? `-${column}` : column;
}
