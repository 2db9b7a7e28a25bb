import { useApolloClient, useMutation } from "@apollo/client/react";
import { lazy, Suspense, useState } from "react";
import { withTexts } from "../../i18n";
import { useTranslation } from "../../i18n/useTranslation";
import { type MissingPart, missingParts } from "../../quiz-builder/completeness";
import { drawableIn } from "../../quiz-builder/drawable";
import { readQuiz } from "../../quiz-builder/model";
import { toastProblem } from "../../ui/toastProblem";
import { toastFailure } from "../../ui/toasts";
import type { UnpublishedMarkFragment } from "../../unpublished/Unpublished.generated";
import { authorVersion } from "../authored";
import type { EditedPage } from "../EditPage";
import { PublishPageDocument } from "../EditPage.generated";
import type { EditSession } from "../EditSession";
import styles from "./Frame.module.css";

interface Props {
  kind: EditedPage["kind"];
  mark: UnpublishedMarkFragment;
  session: EditSession;
}

const UnfinishedDialog = lazy(() =>
  withTexts(import("../../quiz-builder/UnfinishedDialog"), "quizBuilder").then(({ UnfinishedDialog }) => ({
    default: UnfinishedDialog,
  })),
);

/** Publishes or hides the page. Updates at once, and reverts when the server refuses. */
export function PublishSwitch({ kind, mark, session }: Props) {
  const { t } = useTranslation();
  const client = useApolloClient();
  const [unfinished, setUnfinished] = useState<readonly MissingPart[] | null>(null);
  const [publish, { loading }] = useMutation(PublishPageDocument, {
    onError: toastFailure,
    // Counts and neighbours of the whole course may have changed; screens that show them read them again.
    update: (cache) => cache.gc(),
  });
  const toggle = async () => {
    if (loading) return;
    const published = !mark.published;
    const { quiz } = session.state.get();
    const missing = quiz === null || !published ? [] : missingParts(readQuiz(quiz), drawableIn(client.cache));
    if (missing.length > 0) return setUnfinished(missing);
    // Learners then see the text that the author sees: saved later, it would be an unpublished change.
    if (published && !(await session.settle())) return toastProblem(t("editor.history.unsaved"));
    // A hidden page has one text again, the author's.
    const version = authorVersion(mark);
    const optimisticResponse = {
      updatePage: {
        __typename: "UpdatePagePayload",
        page: { ...mark, __typename: "Page", published, version, pageDraft: null },
        lesson: null,
      },
    };
    const { data } = await publish({
      variables: { input: { pageId: mark.id, published } },
      optimisticResponse,
    });
    const page = data?.updatePage.page;
    if (page) session.renumber(authorVersion(page));
  };
  return (
    <>
      <button
        type="button"
        role="switch"
        aria-checked={mark.published}
        className={styles.switch}
        onClick={() => void toggle()}
      >
        <span className={styles.track} aria-hidden="true" />
        {t(mark.published ? "editor.published" : "editor.draft")}
      </button>
      {unfinished && (
        <Suspense fallback={null}>
          <UnfinishedDialog
            missing={unfinished}
            isAssignment={kind === "ASSIGNMENT"}
            onShow={session.showQuestion}
            onClose={() => setUnfinished(null)}
          />
        </Suspense>
      )}
    </>
  );
}
