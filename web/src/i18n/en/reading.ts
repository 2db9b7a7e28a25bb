export const reading = {
  untitledPage: "Page {{number}}",
  pages: "Neighbouring pages",
  previous: "Back",
  next: "Next",
  preview: "This is a preview: you are not enrolled, and no progress is kept.",
  lessonDone: "Lesson “{{title}}” completed",
  courseDone: "Course completed.",
  toCourse: "To the course contents",
  remaining_one: "This is the last page of the course. {{count}} page is still to be done.",
  remaining_other: "This is the last page of the course. {{count}} pages are still to be done.",
  toUnread: "Continue: {{title}}",
  visitUnsent: "The server cannot be reached. The visit will be sent when the connection is back.",
};
