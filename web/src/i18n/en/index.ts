import { admin } from "./admin";
import { analysis } from "./analysis";
import { assignment } from "./assignment";
import { auth } from "./auth";
import { banks } from "./banks";
import { calendar } from "./calendar";
import { comments } from "./comments";
import { common } from "./common";
import { compare } from "./compare";
import { content } from "./content";
import { course } from "./course";
import { courseQuestions } from "./courseQuestions";
import { courseSettings } from "./courseSettings";
import { dates } from "./dates";
import { discussions } from "./discussions";
import { editor } from "./editor";
import { errors } from "./errors";
import { forms } from "./forms";
import { grading } from "./grading";
import { home } from "./home";
import { imports } from "./imports";
import { items } from "./items";
import { join } from "./join";
import { learning } from "./learning";
import { notes } from "./notes";
import { noticeSettings } from "./noticeSettings";
import { notices } from "./notices";
import { onPage } from "./onPage";
import { outline } from "./outline";
import { overrides } from "./overrides";
import { palette } from "./palette";
import { practice } from "./practice";
import { quiz } from "./quiz";
import { quizBuilder } from "./quizBuilder";
import { reading } from "./reading";
import { recovery } from "./recovery";
import { search } from "./search";
import { settings } from "./settings";
import { shell } from "./shell";
import { snapshots } from "./snapshots";
import { students } from "./students";
import { trash } from "./trash";
import { ui } from "./ui";
import { unpublished } from "./unpublished";

/** All English texts. Only tests import this file. */
export const en = {
  admin,
  analysis,
  assignment,
  auth,
  banks,
  calendar,
  comments,
  common,
  compare,
  content,
  course,
  courseQuestions,
  courseSettings,
  dates,
  discussions,
  editor,
  errors,
  forms,
  grading,
  home,
  imports,
  items,
  join,
  learning,
  noticeSettings,
  notes,
  notices,
  onPage,
  outline,
  overrides,
  palette,
  practice,
  quiz,
  quizBuilder,
  reading,
  recovery,
  search,
  settings,
  shell,
  snapshots,
  students,
  trash,
  ui,
  unpublished,
};
