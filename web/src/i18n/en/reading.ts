export const reading = {
  untitledPage: "Page {{number}}",
  pages: "Neighbouring pages",
  previous: "Back",
  next: "Next",
  lessonDone: "Lesson “{{title}}” completed",
  courseDone: "Course completed.",
  toCourse: "To the course contents",
  remaining_one: "This is the last page of the course. {{count}} page is not completed yet.",
  remaining_other: "This is the last page of the course. {{count}} pages are not completed yet.",
  toUnread: "Continue: {{title}}",
  visitUnsent: "The server cannot be reached. The visit will be sent when the connection is back.",
};
