const ru = {
  back: "К курсам",
  as: "От имени {{email}}",
  signedOutText: "Войдите в Kurso в соседней вкладке, и запросы пойдут от вашего имени.",
  signIn: "Войти",
  tokenText: "К запросам добавляется ваш токен. Свой заголовок Authorization важнее.",
  toDark: "Тёмная тема",
  toLight: "Светлая тема",
};

const en: typeof ru = {
  back: "To the courses",
  as: "As {{email}}",
  signedOutText: "Log in to Kurso in another tab to send requests as yourself.",
  signIn: "Log in",
  tokenText: "Your token is added to the requests. An Authorization header of your own overrides it.",
  toDark: "Dark theme",
  toLight: "Light theme",
};

/** The bar's texts in the app's language. They are separate, because the app does not need them. */
export const texts = localStorage.getItem("language") === "en" ? en : ru;
