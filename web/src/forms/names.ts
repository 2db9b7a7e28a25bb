/**
 * Every form whose text exists only in its fields until it is submitted. `useGuardedForm` and `useGuardedText` take one of these names;
 * e2e/forms.e2e.ts walks through all of them.
 */
export const FORM_NAMES = [
  "assessment",
  "bank-new-question",
  "bank-question",
  "bank-share",
  "bank-title",
  "course-dates",
  "course-texts",
  "create-course",
  "date-cell",
  "email",
  "grade",
  "grade-category",
  "grade-cells",
  "grade-import",
  "grade-items",
  "grade-scheme",
  "group",
  "group-emails",
  "group-title",
  "hand-over",
  "invite",
  "item",
  "link",
  "module-description",
  "outline-title",
  "override",
  "part-dates",
  "password",
  "pasted-questions",
  "profile",
  "share-code",
  "sign-up",
  "test-mail",
  "transfer-course",
  "user",
  "video",
] as const;

export type FormName = (typeof FORM_NAMES)[number];
