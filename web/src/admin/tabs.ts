import type { AuditKind } from "./auditKinds";

/** What the administration is about; the first is left out of the address. */
export const TABS = ["users", "courses", "audit", "system"] as const;
export type Tab = (typeof TABS)[number];

export interface AdminSearch {
  tab?: Exclude<Tab, "users">;
  page?: number;
  /** Words of a name, an address or a title. */
  search?: string;
  /** What kind of acts the log is to show. */
  kind?: AuditKind;
  /** Whose acts, or acts done to whom: an id. */
  person?: string;
  /** The first and the last day of the log, such as 2026-11-21, where the reader is. */
  from?: string;
  to?: string;
}

/** Which entries of the log are shown. */
export type AuditFilter = Pick<AdminSearch, "kind" | "person" | "from" | "to">;
