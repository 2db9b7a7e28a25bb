import { auth } from "./auth";
import { common } from "./common";
import { content } from "./content";
import { course } from "./course";
import { errors } from "./errors";
import { home } from "./home";
import { palette } from "./palette";
import { reading } from "./reading";
import { shell } from "./shell";
import { ui } from "./ui";

export const ru = { auth, common, content, course, errors, home, palette, reading, shell, ui };
