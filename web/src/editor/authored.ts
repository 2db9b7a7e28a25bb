import type { AuthorTextFragment } from "./EditPage.generated";

/**
 * The page with the text that its authors work on: its unpublished changes, if it has any, instead of the text that learners see. The version
 * is that of the text.
 */
export function authored<P extends AuthorTextFragment>(page: P): P {
  const { pageDraft } = page;
  if (!pageDraft) return page;
  const { title, content, authorQuiz, version, savedAt } = pageDraft;
  return { ...page, title, content, authorQuiz, version, updatedAt: savedAt };
}

interface Numbered {
  version: number;
  pageDraft?: { version: number } | null | undefined;
}

/** The version of the text that the authors of a page work on. */
export const authorVersion = (page: Numbered): number => page.pageDraft?.version ?? page.version;
