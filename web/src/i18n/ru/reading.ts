/** The screen on which a page is read. */
export const reading = {
  untitledPage: "Страница {{number}}",
  pages: "Соседние страницы",
  previous: "Назад",
  next: "Дальше",
  preview: "Это предпросмотр: вы не записаны на курс, и прогресс не сохраняется.",
  lessonDone: "Урок «{{title}}» пройден",
  courseDone: {
    title: "Курс пройден!",
    text_one: "Вы прошли {{count}} страницу курса «{{title}}».",
    text_few: "Вы прошли все {{count}} страницы курса «{{title}}».",
    text_many: "Вы прошли все {{count}} страниц курса «{{title}}».",
    text_other: "Вы прошли все {{count}} страницы курса «{{title}}».",
    back: "К содержанию курса",
  },
  remaining_one: "Это последняя страница. Не прочитана ещё {{count}} страница курса.",
  remaining_few: "Это последняя страница. Не прочитаны ещё {{count}} страницы курса.",
  remaining_many: "Это последняя страница. Не прочитано ещё {{count}} страниц курса.",
  remaining_other: "Это последняя страница. Не прочитано ещё {{count}} страницы курса.",
  toUnread: "К непрочитанной: {{title}}",
  visitUnsent: "Нет связи с сервером. Отметка о прочтении отправится, когда связь появится.",
};
