export const shell = {
  search: "Поиск и команды",
  menu: "Меню",
  openMenu: "Открыть меню",
  closeMenu: "Закрыть меню",
  myCourses: "Мои курсы",
  administration: "Администрирование",
  settings: "Настройки",
  logout: "Выйти",
  account: "Аккаунт",
  notices: "Уведомления",
  offline: "Нет соединения. Показываем то, что уже загружено.",
};
