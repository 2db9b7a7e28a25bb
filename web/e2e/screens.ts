import { account } from "./screens/account.ts";
import { moments } from "./screens/moments.ts";
import { reading } from "./screens/reading.ts";
import { states } from "./screens/states.ts";
import { teaching } from "./screens/teaching.ts";
import { writing } from "./screens/writing.ts";

/** Every screen in every state that tests look at. */
export const screens = [...account, ...writing, ...teaching, ...reading];

/** All that is photographed. */
export const photographed = [...screens, ...states, ...moments];
