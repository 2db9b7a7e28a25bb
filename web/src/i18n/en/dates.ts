import type { ru } from "../ru";

export const dates: typeof ru.dates = {
  due: "Due {{day}}, {{time}}",
  dueToday: "Due today, {{time}}",
  dueTomorrow: "Due tomorrow, {{time}}",
  overdue: "Overdue since {{day}}, {{time}}",
  opens: "Opens {{day}} at {{time}}",
  never: "Not open yet",
  closed: "Closed {{day}} at {{time}}",
  inCourse: "{{day}}, {{time}} course time, {{zone}}",
  course: {
    opens: "The course opens {{day}} at {{time}}{{there}}. Until then only the contents are visible.",
    never: "The course is not open yet.",
    over: "The course ended {{day}} at {{time}}{{there}}. You can read its pages, but its quizzes take no answers.",
  },
  locked: {
    page: "This page opens {{day}} at {{time}}.",
    never: "This page is not open yet: its author has set no day for it.",
    courseOver: "The course has ended, and this page has not opened.",
    self: "The page opens by itself when its time comes.",
    contents: "Course contents",
    continue: "Continue: {{page}}",
    next: "Opens later",
  },
  left: {
    locked: "The rest opens later, the next part {{day}} at {{time}}.",
    closed: "The remaining pages are closed. If you need more time, write to your teacher.",
  },
  quiz: {
    closed: "The quiz closed {{day}} at {{time}} and takes no more answers.",
    closedNow: "The quiz is closed and takes no more answers.",
    closesAt: "Takes no answers after {{day}}, {{time}}",
    lateUntil: "Late until {{day}}, {{time}}",
    penalty: "After the due date −{{percent}}% for each day",
    penaltyMax: "After the due date −{{percent}}% for each day, at most {{max}}%",
    now: "At the moment the result is lowered by {{percent}}%",
    lost: "Submitted late: the result is lowered by {{percent}}%.",
    resultsBelow: "Your results are kept.",
  },
};
