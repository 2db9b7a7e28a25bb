import { first } from "./first";
import { recovery } from "./recovery";
import { settings } from "./settings";
import { students } from "./students";

/** All there is: the type that English follows. */
export const ru = { ...first, recovery, settings, students };
