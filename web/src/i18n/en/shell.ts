export const shell = {
  search: "Search and commands",
  menu: "Menu",
  openMenu: "Open menu",
  closeMenu: "Close menu",
  myCourses: "My courses",
  administration: "Administration",
  settings: "Settings",
  logout: "Log out",
  account: "Account",
  notices: "Notices",
  offline: "You are offline. Showing what has been loaded.",
};
