import { common } from "./common";
import { content } from "./content";
import { reading } from "./reading";

export const en = { common, content, reading };
