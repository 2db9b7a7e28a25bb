import { auth } from "./auth";
import { common } from "./common";
import { content } from "./content";
import { course } from "./course";
import { editor } from "./editor";
import { errors } from "./errors";
import { home } from "./home";
import { quiz } from "./quiz";
import { quizBuilder } from "./quizBuilder";
import { reading } from "./reading";
import { shell } from "./shell";
import { ui } from "./ui";

export const ru = {
  auth,
  common,
  content,
  course,
  editor,
  errors,
  home,
  quiz,
  quizBuilder,
  reading,
  shell,
  ui,
};
