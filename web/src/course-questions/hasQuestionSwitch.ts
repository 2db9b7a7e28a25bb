import { createContext } from "react";

/** Whether the menus of pages have the switch of questions: for owners, because teachers do not change the outline. */
export const HasQuestionSwitch = createContext(false);
