/** Texts of the reading screen. */
export const reading = {
  untitledPage: "Страница {{number}}",
  pages: "Соседние страницы",
  previous: "Назад",
  next: "Дальше",
};
