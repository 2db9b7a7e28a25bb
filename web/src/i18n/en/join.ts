import type { join as ru } from "../ru/join";

/** Texts of enrolling from the public page of a course. */
export const join: typeof ru = {
  title: "Enrolling in a course",
  opening: "Opening the course…",
  start: "Start",
  consent: "The team of the course will see your name, your email and what you have completed.",
  closed: "Enrollment has ended.",
  done: "You are enrolled in “{{course}}”.",
};
