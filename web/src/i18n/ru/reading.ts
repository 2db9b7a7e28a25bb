/** Texts of the reading screen. */
export const reading = {
  untitledPage: "Страница {{number}}",
  pages: "Соседние страницы",
  previous: "Назад",
  next: "Дальше",
  lessonDone: "Урок «{{title}}» пройден",
  courseDone: "Курс пройден.",
  toCourse: "К содержанию курса",
  visitUnsent: "Нет связи с сервером. Отметка о прочтении отправится, когда связь появится.",
};
