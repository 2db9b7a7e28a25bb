import { first } from "./first";
import { recovery } from "./recovery";

/** All there is: the type that English follows. */
export const ru = { ...first, recovery };
