import type { StudentSort } from "../api/schema.generated";

/** The sort order of the class list in the address; a leading minus means descending. */
export const COLUMNS = {
  name: "FULL_NAME",
  percent: "PERCENT",
  active: "LAST_ACTIVITY_AT",
  enrolled: "ENROLLED_AT",
  completed: "COMPLETED_AT",
} as const satisfies Record<string, StudentSort>;

export type Column = keyof typeof COLUMNS;
export type Order = Column | `-${Column}`;

export function isOrder(value: unknown): value is Order {
  return typeof value === "string" && Object.hasOwn(COLUMNS, value.replace(/^-/, ""));
}
