/** Texts of the components in ui/. */
export const ui = {
  close: "Закрыть",
  breadcrumbs: "Вы находитесь здесь",
  cancel: "Отмена",
  undo: "Отменить",
  typeToConfirm: "Чтобы продолжить, введите «{{text}}»",
  previousPage: "Назад",
  nextPage: "Вперёд",
  pageOf: "{{page}} из {{pages}}",
  save: {
    saved: "Сохранено",
    saving: "Сохраняется…",
    unsaved: "Есть несохранённые изменения",
    offline: "Нет сети: сохраним позже",
    conflict: "Страницу изменили в другом месте",
    failed: "Не удалось сохранить",
  },
};
