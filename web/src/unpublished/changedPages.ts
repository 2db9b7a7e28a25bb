import { pageTitle } from "../course/pageTitle";
import { i18n } from "../i18n";
import { missingParts } from "../quiz-builder/completeness";
import { readQuiz } from "../quiz-builder/model";
import { type QuizEffect, quizEffect } from "./choice";
import type { ShownChanges } from "./publishChanges";
import type { UnpublishedListQuery } from "./Unpublished.generated";

type Listed = UnpublishedListQuery["course"]["unpublishedChanges"][number];

/** A row of the list. */
export interface ChangedPage {
  id: string;
  kind: Listed["kind"];
  /** The title that the changes give the page. */
  name: string;
  module: string;
  lesson: string;
  /** Null when the account of the editor is deleted, or has no name. */
  by: string | null;
  savedAt: string;
  isBehind: boolean;
  /** Its quiz lacks something, so that it cannot be published. */
  isIncomplete: boolean;
  /** What has changed in its quiz. */
  effect: QuizEffect;
  shown: ShownChanges;
}

/** The rows of the list. Pages that were published since the answer came have no changes any more. */
export function changedPages(pages: readonly Listed[]): ChangedPage[] {
  return pages.flatMap(({ id, kind, number, version, lesson, authorQuiz, pageDraft }) =>
    pageDraft
      ? [
          {
            id,
            kind,
            name: pageTitle({ title: pageDraft.title, number }, i18n.t),
            module: lesson.module.title,
            lesson: lesson.title,
            by: pageDraft.editor?.fullName ?? null,
            savedAt: pageDraft.savedAt,
            isBehind: pageDraft.isBehind,
            isIncomplete:
              pageDraft.authorQuiz !== null && missingParts(readQuiz(pageDraft.authorQuiz)).length > 0,
            effect: quizEffect(authorQuiz, pageDraft.authorQuiz),
            shown: { pageId: id, version: pageDraft.version, pageVersion: version },
          },
        ]
      : [],
  );
}
