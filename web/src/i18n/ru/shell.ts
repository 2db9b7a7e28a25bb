export const shell = {
  menu: "Меню",
  openMenu: "Открыть меню",
  closeMenu: "Закрыть меню",
  myCourses: "Мои курсы",
  administration: "Администрирование",
  items: "Элементы",
  settings: "Настройки",
  logout: "Выйти",
  account: "Аккаунт",
  offline: "Нет соединения. Показываем то, что уже загружено.",
};
