import type { AuditKind } from "./auditKinds";

/** The tabs of the administration; the first is left out of the address. */
export const TABS = ["users", "courses", "audit", "system"] as const;
export type Tab = (typeof TABS)[number];

export interface AdminSearch {
  tab?: Exclude<Tab, "users">;
  page?: number;
  /** Search text: part of a name, an email or a title. */
  search?: string;
  /** Only entries of this kind. */
  kind?: AuditKind;
  /** Only entries with this user as actor or target: an id. */
  person?: string;
  /** First and last day of the log, such as 2026-11-21, in the local time zone. */
  from?: string;
  to?: string;
}

/** Reads the tab of an address; the first tab for a name that is no tab. */
export const parseTab = (name: unknown): Tab => TABS.find((known) => known === name) ?? TABS[0];

/** The filter of the audit log. */
export type AuditFilter = Pick<AdminSearch, "kind" | "person" | "from" | "to">;
