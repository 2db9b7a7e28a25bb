export const shell = {
  menu: "Menu",
  openMenu: "Open menu",
  closeMenu: "Close menu",
  myCourses: "My courses",
  administration: "Administration",
  items: "Items",
  settings: "Settings",
  logout: "Log out",
  account: "Account",
  offline: "You are offline. Showing what has been loaded.",
  unsent: {
    text_one: "There is unsaved text: “{{page}}”.",
    text_few: "There is unsaved text on {{count}} pages. The latest is “{{page}}”.",
    text_many: "There is unsaved text on {{count}} pages. The latest is “{{page}}”.",
    text_other: "There is unsaved text on {{count}} pages. The latest is “{{page}}”.",
    open: "Open",
  },
};
