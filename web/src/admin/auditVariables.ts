import type { AdminAuditQueryVariables } from "./Admin.generated";
import { midnight } from "./auditFilter";
import type { AuditFilter } from "./tabs";

/** Converts the filter to query variables. The range includes the whole last day. */
export function auditVariables({
  kind,
  person,
  from,
  to,
}: AuditFilter): Omit<AdminAuditQueryVariables, "skip"> {
  return {
    kind: kind ?? null,
    userId: person ?? null,
    since: midnight(from)?.toISOString() ?? null,
    until: midnight(to, 1)?.toISOString() ?? null,
  };
}
