import type { Course } from "./parts";

const none = { availableFrom: null, availableUntil: null, dueAt: null };
const late = { lateUntil: null, latePenaltyPerDay: null, latePenaltyMax: null };

/** A course in Berlin, where clocks are set back on October 25, 2026. */
export const course: Course = {
  id: "c",
  title: "Курс",
  startsAt: "2026-09-01T08:00:00Z",
  endsAt: null,
  enrollUntil: "2026-09-15T21:59:00Z",
  timeZone: "Europe/Berlin",
  hideLockedTitles: false,
  sequential: false,
  modules: [
    {
      ...none,
      id: "m",
      title: "Модуль",
      prerequisites: [],
      dueAt: "2026-10-20T21:59:00Z",
      lessons: [
        {
          ...none,
          id: "l",
          prerequisites: [],
          title: "Урок",
          availableFrom: "2026-10-01T08:00:00Z",
          pages: [
            { ...none, ...late, id: "p", title: "Текст", kind: "CONTENT" },
            { ...none, ...late, id: "q", title: null, kind: "QUIZ", lateUntil: "2026-10-22T10:00:00Z" },
          ],
        },
      ],
    },
  ],
};
