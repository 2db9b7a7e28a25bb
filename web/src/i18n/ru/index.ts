
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
  quizBuilder,
  reading,
  shell,
  students,
  ui,
/** All there is: the type that English follows. */
export const ru = {
export const ru = { ...first, recovery, settings };
import { auth } from "./auth";
import { common } from "./common";
import { content } from "./content";
import { course } from "./course";
import { courseSettings } from "./courseSettings";
import { editor } from "./editor";
import { errors } from "./errors";
import { first } from "./first";
import { home } from "./home";
import { outline } from "./outline";
import { palette } from "./palette";
import { quiz } from "./quiz";
import { quizBuilder } from "./quizBuilder";
import { reading } from "./reading";
import { recovery } from "./recovery";
import { settings } from "./settings";
import { shell } from "./shell";
import { students } from "./students";
import { ui } from "./ui";
};
