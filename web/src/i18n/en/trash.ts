/** Texts of the trash. */
export const trash = {
  title: "Trash",
  courses: "Deleted courses",
  lead: "What you delete is kept here for 30 days with the visits, attempts and grades of learners. After that it is gone.",
  empty: "The trash is empty",
  noCourses: "No deleted courses",
  emptyText:
    "What you delete comes here and is kept for 30 days. Until then it can be restored, with everything learners have done in it.",
  untitled: "Untitled",
  someone: "No name",
  nobody: "a deleted account",
  deleted: "Deleted {{when}} by {{who}}",
  days_zero: "Gone today",
  days_one: "{{count, number}} day left",
  days_few: "{{count, number}} days left",
  days_many: "{{count, number}} days left",
  days_other: "{{count, number}} days left",
  attempts_one: "{{count, number}} attempt",
  attempts_few: "{{count, number}} attempts",
  attempts_many: "{{count, number}} attempts",
  attempts_other: "{{count, number}} attempts",
  restore: "Restore",
  restoreOf: "Restore: {{title}}",
  restored: {
    COURSE: "The course “{{title}}” has been restored.",
    MODULE: "Module “{{title}}” has been restored.",
    LESSON: "Lesson “{{title}}” has been restored.",
    PAGE: "Page “{{title}}” has been restored.",
  },
  where: {
    title: {
      LESSON: "Where should the lesson “{{title}}” go?",
      PAGE: "Where should the page “{{title}}” go?",
    },
    text: {
      LESSON:
        "The module “{{parent}}” of this lesson is no longer in the course. If it is in the trash too, you can restore it first.",
      PAGE: "The lesson “{{parent}}” of this page is no longer in the course. If it is in the trash too, you can restore it first.",
    },
    label: { LESSON: "Module", PAGE: "Lesson" },
  },
  forever: {
    of: "Delete forever: {{title}}",
    title: {
      COURSE: "Delete the course “{{title}}” forever?",
      MODULE: "Delete the module “{{title}}” forever?",
      LESSON: "Delete the lesson “{{title}}” forever?",
      PAGE: "Delete the page “{{title}}” forever?",
    },
    text: "It cannot be restored after that.",
    withAttempts: "It cannot be restored after that. What learners have done in it is deleted too: {{what}}.",
    confirm: "Delete forever",
    done: {
      COURSE: "The course “{{title}}” has been deleted forever.",
      MODULE: "Module “{{title}}” has been deleted forever.",
      LESSON: "Lesson “{{title}}” has been deleted forever.",
      PAGE: "Page “{{title}}” has been deleted forever.",
    },
  },
};
