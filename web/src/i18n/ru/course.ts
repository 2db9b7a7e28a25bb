export const course = {
  progressOf: "Пройдено {{percent}} % курса «{{course}}»",
  contents: "Содержание курса",
  completed: "Пройден",
  notCompleted: "Не пройден",
  pageStates: {
    completed: "Пройдено",
    visited: "Открыто, но не пройдено",
    locked: "Пока закрыто",
    new: "Не открыто",
  },
  nextUp: "Дальше: {{page}}",
};
