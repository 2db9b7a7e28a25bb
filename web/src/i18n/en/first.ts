/** The texts loaded at start: those of every screen and of the reading screen. */
export { common } from "./common";
export { content } from "./content";
export { course } from "./course";
export { errors } from "./errors";
export { reading } from "./reading";
export { shell } from "./shell";
export { ui } from "./ui";
