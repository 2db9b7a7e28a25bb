import type { Override } from "./overrides";

/** An override of a course for one student that changes nothing. */
export const none: Override & { __typename: string } = {
  __typename: "ScheduleOverride",
  id: "o",
  group: null,
  student: { id: "s", fullName: "Анна", email: "anna@example.com" },
  moduleId: null,
  lessonId: null,
  pageId: null,
  availableFrom: null,
  availableUntil: null,
  dueAt: null,
  lateUntil: null,
  extraAttempts: null,
  timeFactor: null,
  lifted: [],
};
