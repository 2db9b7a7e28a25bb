import { admin } from "./admin";
import { courseSettings } from "./courseSettings";
import { editor } from "./editor";
import { first } from "./first";
import { imports } from "./imports";
import { items } from "./items";
import { learning } from "./learning";
import { outline } from "./outline";
import { quiz } from "./quiz";
import { quizBuilder } from "./quizBuilder";
import { recovery } from "./recovery";
import { settings } from "./settings";
import { students } from "./students";

/** All there is: the type that English follows. */
export const ru = {
  ...first,
  admin,
  courseSettings,
  editor,
  imports,
  items,
  learning,
  outline,
  quiz,
  quizBuilder,
  recovery,
  settings,
  students,
};
