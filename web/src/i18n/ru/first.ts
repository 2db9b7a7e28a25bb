import { auth } from "./auth";
import { common } from "./common";
import { content } from "./content";
import { course } from "./course";
import { courseSettings } from "./courseSettings";
import { editor } from "./editor";
import { errors } from "./errors";
import { home } from "./home";
import { outline } from "./outline";
import { palette } from "./palette";
import { quiz } from "./quiz";
import { reading } from "./reading";
import { shell } from "./shell";
import { ui } from "./ui";

/** What comes with the app; the rest comes with its screens, which add it by `addWords`. */
export const first = {
  auth,
  common,
  content,
  course,
  courseSettings,
  editor,
  errors,
  home,
  outline,
  palette,
  quiz,
  reading,
  shell,
  ui,
};
