const ru = {
  back: "К курсам",
  as: "От имени {{email}}",
  signedOut: "Без входа",
  signedOutText: "Войдите в Kurso в соседней вкладке, и запросы пойдут от вашего имени.",
  signIn: "Войти",
  tokenText: "К запросам добавляется ваш токен. Заголовок Authorization с вкладки «Headers» важнее.",
  toDark: "Тёмная тема",
  toLight: "Светлая тема",
  examples: "Примеры",
  examplesText: "Готовые операции открываются в новой вкладке с настоящими номерами ваших курсов.",
  open: "Открыть",
  tree: "Дерево курса с прогрессом",
  treeText: "Модули, уроки и страницы с отметками и процентами одним запросом.",
  quiz: "Пройти тест",
  quizText: "Вопросы без ответов, затем попытка и её результат. Запуск создаёт настоящую попытку.",
  live: "Живая активность",
  liveText: "Подписка для преподавателя: кто записался, прочитал, сдал и закончил.",
  login: "Войти и получить токен",
  loginText: "Токен из ответа вставьте в заголовок Authorization.",
  loading: "Загрузка…",
};

const en: typeof ru = {
  back: "To the courses",
  as: "As {{email}}",
  signedOut: "Logged out",
  signedOutText: "Log in to Kurso in another tab to send requests as yourself.",
  signIn: "Log in",
  tokenText: "Your token is added to the requests. An Authorization header in the Headers tab overrides it.",
  toDark: "Dark theme",
  toLight: "Light theme",
  examples: "Examples",
  examplesText: "Ready-made operations open in a new tab with the real IDs of your courses.",
  open: "Open",
  tree: "Course tree with progress",
  treeText: "Modules, lessons and pages with their marks and percentages, in one request.",
  quiz: "Take a quiz",
  quizText:
    "The questions without answers, then an attempt and its result. Running it creates a real attempt.",
  live: "Live activity",
  liveText: "A subscription for teachers: who enrolled, read, submitted and finished.",
  login: "Log in and get a token",
  loginText: "Copy the token from the response into the Authorization header.",
  loading: "Loading…",
};

/** The playground's texts in the app's language. They are separate, because the app does not need them. */
export const texts = localStorage.getItem("language") === "en" ? en : ru;
