export const course = {
  progressOf: "{{percent}}% of “{{course}}” completed",
  contents: "Course contents",
  completed: "Completed",
  notCompleted: "Not completed",
  pageStates: { completed: "Completed", visited: "Opened, not completed", new: "Not opened" },
  quiz: "Quiz",
  progress: "Course progress",
  nextUp: "Next: {{page}}",
};
