export const course = {
  progressOf: "{{percent}}% of “{{course}}” completed",
  contents: "Course contents",
  completed: "Completed",
  notCompleted: "Not completed",
  pageStates: {
    completed: "Completed",
    visited: "Opened, not completed",
    locked: "Not open yet",
    new: "Not opened",
  },
  nextUp: "Next: {{page}}",
};
