import { withTexts } from "../i18n";
import { optional } from "../ui/optional";
import { SkeletonBlock } from "../ui/SkeletonBlock";

const load = () =>
  withTexts(import("./PostEditor"), "editor", "forms", "quiz").then(({ PostEditor }) => PostEditor);

/** Loads the editor before it is needed. A failure is repeated when it is. */
export const preloadPostEditor = () => void load().catch(() => {});

/** The editor of posts, which is loaded when somebody writes. */
export const LazyPostEditor = optional(load, <SkeletonBlock height="11rem" />);
