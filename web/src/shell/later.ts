/** The parts of the shell that are loaded after the first screen. */
export { UnsentNotice } from "../editor/UnsentNotice";
export { Bell } from "../notices/Bell";
export { Drawer } from "./Drawer";
