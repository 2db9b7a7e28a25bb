export const reading = {
  untitledPage: "Page {{number}}",
  pages: "Neighbouring pages",
  previous: "Back",
  next: "Next",
  lessonDone: "Lesson “{{title}}” completed",
  courseDone: "Course completed.",
  toCourse: "To the course contents",
  visitUnsent: "The server cannot be reached. The visit will be sent when the connection is back.",
};
