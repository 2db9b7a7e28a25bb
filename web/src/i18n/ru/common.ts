export const common = {
  appName: "Kurso",
  retry: "Повторить",
  cancel: "Отмена",
  loading: "Загрузка…",
  skipToContent: "К содержанию страницы",
};
