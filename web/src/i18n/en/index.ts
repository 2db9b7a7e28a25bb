import { auth } from "./auth";
import { common } from "./common";
import { content } from "./content";
import { course } from "./course";
import { courseSettings } from "./courseSettings";
import { errors } from "./errors";
import { home } from "./home";
import { outline } from "./outline";
import { reading } from "./reading";
import { shell } from "./shell";
import { ui } from "./ui";

export const en = {
  auth,
  common,
  content,
  course,
  courseSettings,
  errors,
  home,
  outline,
  reading,
  shell,
  ui,
};
