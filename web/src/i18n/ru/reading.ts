/** Texts of the reading screen. */
export const reading = {
  untitledPage: "Страница {{number}}",
  pages: "Соседние страницы",
  previous: "Назад",
  next: "Дальше",
  lessonDone: "Урок «{{title}}» пройден",
  courseDone: "Курс пройден.",
  toCourse: "К содержанию курса",
  remaining_one: "Это последняя страница курса. Осталось пройти ещё {{count}} страницу.",
  remaining_few: "Это последняя страница курса. Осталось пройти ещё {{count}} страницы.",
  remaining_many: "Это последняя страница курса. Осталось пройти ещё {{count}} страниц.",
  remaining_other: "Это последняя страница курса. Осталось пройти ещё {{count}} страницы.",
  toUnread: "Продолжить: {{title}}",
  visitUnsent: "Нет связи с сервером. Отметка о прочтении отправится, когда связь появится.",
};
