/** The parts of the shell that are loaded after the first screen. */
export { Bell } from "../notices/Bell";
export { Drawer } from "./Drawer";
export { ShellNotices } from "./ShellNotices";
