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
};
