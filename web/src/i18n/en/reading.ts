export const reading = {
  untitledPage: "Page {{number}}",
  pages: "Neighbouring pages",
  previous: "Back",
  next: "Next",
  preview: "This is a preview: you are not enrolled, and no progress is kept.",
  lessonDone: "Lesson “{{title}}” completed",
  courseDone: "Course completed.",
  toCourse: "To the course contents",
  remaining_one: "This is the last page. {{count}} page of the course is still unread.",
  remaining_other: "This is the last page. {{count}} pages of the course are still unread.",
  toUnread: "To the unread one: {{title}}",
  visitUnsent: "The server cannot be reached. The visit will be sent when the connection is back.",
};
