import type { StudentState } from "../api/schema.generated";

/** The states of students in the address, with the server's names of them. */
export const STATES = {
  "not-started": "NOT_STARTED",
  stalled: "STALLED",
  late: "LATE",
} as const satisfies Record<string, StudentState>;

export type State = keyof typeof STATES;

export function isState(value: unknown): value is State {
  return typeof value === "string" && Object.hasOwn(STATES, value);
}
