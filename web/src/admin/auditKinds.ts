import type { AdminAuditQueryVariables } from "./Admin.generated";

/** The kind of an audit log entry. */
export type AuditKind = NonNullable<AdminAuditQueryVariables["kind"]>;

/** All kinds in display order. An object, so that a missing kind is a type error. */
const KINDS: Record<AuditKind, true> = {
  SERVER_STARTED: true,
  SIGN_IN_FAILED: true,
  SESSION_ENDED: true,
  PASSWORD_CHANGED: true,
  PASSWORD_RESET: true,
  EMAIL_CHANGED: true,
  EMAIL_CHANGE_UNDONE: true,
  USER_CREATED: true,
  USER_CHANGED: true,
  USER_DELETED: true,
  BANK_CREATED: true,
  BANK_DELETED: true,
  BANK_SHARED: true,
  BANK_UNSHARED: true,
  BANK_HANDED_OVER: true,
  COURSE_DELETED: true,
  PART_DELETED: true,
  RESTORED_FROM_TRASH: true,
  DELETED_FOREVER: true,
  SNAPSHOT_TAKEN: true,
  SNAPSHOT_RESTORED: true,
  SNAPSHOT_DELETED: true,
  COURSE_HANDED_OVER: true,
  COURSE_IMPORTED: true,
  COURSE_UPDATED: true,
  COURSE_EXPORTED: true,
  CHANGES_PUBLISHED: true,
  SHARE_CODE_RENEWED: true,
  MEMBER_INVITED: true,
  MEMBER_ADDED: true,
  MEMBER_REMOVED: true,
  MEMBER_LEFT: true,
  STUDENT_REMOVED: true,
  STUDENTS_MOVED: true,
  GROUP_DELETED: true,
  GROUP_CODE_RENEWED: true,
  GROUP_CODE_REMOVED: true,
  ATTEMPTS_RESET: true,
  ATTEMPTS_REGRADED: true,
  REGRADE_UNDONE: true,
  DATES_SET: true,
  OVERRIDE_SET: true,
  OVERRIDE_DELETED: true,
  ATTEMPT_GRANTED: true,
  ATTEMPT_TAKEN_BACK: true,
  COURSE_PREVIEWED: true,
  CALENDAR_FEED_CREATED: true,
  CALENDAR_FEED_REVOKED: true,
  GRADE_SETTINGS_CHANGED: true,
  GRADE_DECIDED: true,
  GRADES_IMPORTED: true,
  ANSWER_GRADED: true,
  ASSESSMENTS_RELEASED: true,
  SUGGESTION_ACCEPTED: true,
  COMMENT_DELETED: true,
  ANNOUNCEMENT_PUBLISHED: true,
  ANNOUNCEMENT_DELETED: true,
  STUDENTS_NUDGED: true,
};

export const AUDIT_KINDS = Object.keys(KINDS) as AuditKind[];

export function isAuditKind(kind: unknown): kind is AuditKind {
  return typeof kind === "string" && Object.hasOwn(KINDS, kind);
}
