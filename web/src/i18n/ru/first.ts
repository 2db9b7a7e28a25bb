import { auth } from "./auth";
import { common } from "./common";
import { content } from "./content";
import { course } from "./course";
import { errors } from "./errors";
import { home } from "./home";
import { palette } from "./palette";
import { reading } from "./reading";
import { shell } from "./shell";
import { ui } from "./ui";

/** What comes with the app; the rest comes with its screens, which add it by `addWords`. */
export const first = {
  auth,
  common,
  content,
  course,
  errors,
  home,
  palette,
  reading,
  shell,
  ui,
};
