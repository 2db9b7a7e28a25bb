import { admin } from "./admin";
import { first } from "./first";
import { items } from "./items";
import { quizBuilder } from "./quizBuilder";
import { recovery } from "./recovery";
import { settings } from "./settings";
import { students } from "./students";

/** All there is: the type that English follows. */
export const ru = { ...first, admin, items, quizBuilder, recovery, settings, students };
