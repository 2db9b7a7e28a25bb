import { offeredToken } from "../../developer-bar/identity";
import { texts } from "../texts";
import { login, me } from "./account";
import {
  createCourse,
  createLesson,
  createModule,
  createPage,
  importCourse,
  uploadToPage,
} from "./authoring";
import { type Example, type Prepared, prepare } from "./example";
import { firstCourse, quiz, tree } from "./learning";
import { live } from "./teaching";

/** The examples in the order of the pane. The steps of authoring follow each other: each uses what the previous one created. */
export const groups: { title: string; examples: Example[] }[] = [
  { title: texts.account, examples: [login, me] },
  { title: texts.learning, examples: [tree, quiz] },
  { title: texts.teaching, examples: [live] },
  {
    title: texts.authoring,
    examples: [createCourse, createModule, createLesson, createPage, uploadToPage, importCourse],
  },
];

/** Returns the tabs of the first visit: operations that succeed for this user. Visitors sign in first. */
export async function firstTabs(): Promise<Prepared[]> {
  const prepared = await Promise.allSettled((await firstExamples()).map((example) => prepare(example)));
  // Without a quiz, for example, that one has nothing to show.
  return prepared.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
}

async function firstExamples(): Promise<Example[]> {
  if (offeredToken() === "") return [login];
  const [learnt, taught] = await Promise.all([firstCourse("learning"), firstCourse("teaching")]);
  if (learnt) return [tree, quiz, ...(taught ? [live] : [])];
  return taught ? [tree, live, createModule] : [me, createCourse];
}
