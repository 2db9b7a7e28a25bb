import type { ru } from "../../ru";

/** Texts of reminding students. */
export const nudge: typeof ru.students.nudge = {
  filter: "Students to show",
  state: {
    all: "All students",
    "not-started": "Not started yet",
    stalled: "Inactive for a while",
    late: "Missed a due date",
  },
  none: {
    "not-started": "Everybody has started.",
    stalled: "Nobody is inactive: all were active within the last week or have completed the course.",
    late: "Nobody has missed a due date.",
  },
  noneHere: "There are no such students here.",
  one: "Remind of the course…",
  chosen: "Remind…",
  all_one: "Remind {{count, number}} student…",
  all_few: "Remind {{count, number}} students…",
  all_many: "Remind {{count, number}} students…",
  all_other: "Remind {{count, number}} students…",
  nudged: "reminded: {{when}}",
  title: "Remind of the course",
  reached_one: "{{count, number}} student gets the reminder: {{names}}.",
  reached_few: "{{count, number}} students get the reminder: {{names}}.",
  reached_many: "{{count, number}} students get the reminder: {{names}}.",
  reached_other: "{{count, number}} students get the reminder: {{names}}.",
  recent: "Those who were reminded less than 24 hours ago are skipped: {{names}}.",
  nobodyNow: "Nobody can be reminded now: a student can be reminded once in 24 hours.",
  nobody: "Nobody can be reminded: there are no such students any more.",
  field: "Text of the reminder",
  hint: "Students see it among their notices and, unless they have turned mails off, in a mail.",
  required: "Write what to remind of",
  tooLong: "At most 2,000 characters",
  offline: "You are offline: the reminder can be sent when the connection is back.",
  send_one: "Send to {{count, number}} student",
  send_few: "Send to {{count, number}} students",
  send_many: "Send to {{count, number}} students",
  send_other: "Send to {{count, number}} students",
  send_zero: "Send",
  done_one: "The reminder was sent to {{count, number}} student.",
  done_few: "The reminder was sent to {{count, number}} students.",
  done_many: "The reminder was sent to {{count, number}} students.",
  done_other: "The reminder was sent to {{count, number}} students.",
  skippedNow: "Not reminded, because they were reminded meanwhile or have left the course: {{names}}.",
  text: {
    chosen:
      "This is a reminder of the course “{{course}}”. You can continue where you stopped. If something is in the way, write to us and we will help.",
    "not-started":
      "You have enrolled in the course “{{course}}” but have not started yet. Open the first page; it gets easier from there. If something is in the way, write to us and we will help.",
    stalled:
      "You have not been in the course “{{course}}” for a while. You can continue where you stopped. If you are stuck, write to us and we will work it out together.",
    late: "Some work in the course “{{course}}” is past its due date. Have a look at what is left to do. If you need more time, write to us.",
  },
};
