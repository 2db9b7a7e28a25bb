import { account } from "./screens/account.ts";
import { reading } from "./screens/reading.ts";
import { teaching } from "./screens/teaching.ts";
import { writing } from "./screens/writing.ts";

/** Every screen in every state that tests look at and that is photographed. */
export const screens = [...account, ...writing, ...teaching, ...reading];
