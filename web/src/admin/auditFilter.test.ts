import { expect, test } from "vitest";
import { auditFilter } from "./auditFilter";
import { auditVariables } from "./auditVariables";

const person = "0198f000-0000-7000-8000-00000000000a";

test("reads the filter from the address and ignores invalid values", () => {
  const filter = { kind: "USER_CREATED", person, from: "2026-02-28", to: "2026-03-01" };
  expect(auditFilter({ ...filter, page: 2 })).toEqual(filter);
  expect(auditFilter({ kind: "x", person: "ann", from: "2026-02-31", to: 20260301 })).toEqual({});
});

test("uses days of the local time zone and includes the whole last day", () => {
  const { since, until } = auditVariables({ from: "2026-03-28", to: "2026-03-29" });
  expect(since).toBe(new Date(2026, 2, 28).toISOString());
  expect(until).toBe(new Date(2026, 2, 30).toISOString());
  expect(auditVariables({})).toEqual({ kind: null, userId: null, since: null, until: null });
});
