/** Texts of all forms: problems of typed values, and the question about unsaved text. */
export const forms = {
  titleRequired: "Введите название",
  titleTooLong: "Название не длиннее 255 знаков",
  descriptionTooLong: "Описание не длиннее 10 000 знаков",
  itemDescriptionTooLong: "Описание не длиннее 255 знаков",
  nameTooLong: "Имя не длиннее 255 знаков",
  emailRequired: "Введите email",
  emailPattern: "Неверный формат email",
  restored: "Мы вернули текст, который не успел сохраниться.",
  course: {
    label: "Название курса",
    placeholder: "Например, «Основы физики»",
    submit: "Создать",
  },
  unsent: {
    text_one: "Есть несохранённый текст: «{{page}}».",
    text_few: "Есть несохранённый текст на {{count}} страницах. Последняя — «{{page}}».",
    text_many: "Есть несохранённый текст на {{count}} страницах. Последняя — «{{page}}».",
    text_other: "Есть несохранённый текст на {{count}} страницах. Последняя — «{{page}}».",
    open: "Открыть",
  },
  unsaved: {
    title: "Введённое не сохранено",
    text: "Если продолжить, оно пропадёт.",
    discard: "Не сохранять",
    stay: "Вернуться",
  },
  uploading: {
    title: "Файлы ещё загружаются",
    text: "Если уйти сейчас, загрузка прервётся.",
    discard: "Уйти",
    stay: "Остаться",
  },
  save: {
    saved: "Сохранено",
    saving: "Сохраняется…",
    unsaved: "Есть несохранённые изменения",
    offline: "Нет сети: сохраним позже",
    conflict: "Страницу изменили в другом месте",
    failed: "Не удалось сохранить",
  },
};
