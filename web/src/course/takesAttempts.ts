import type { PageKind } from "../api/schema.generated";

/** Whether learners submit something on pages of this kind, so that it has attempts, late attempts and grades. */
export const takesAttempts = (kind: PageKind): boolean => kind !== "CONTENT";
