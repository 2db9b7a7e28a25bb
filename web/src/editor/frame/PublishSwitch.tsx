import { useApolloClient, useMutation } from "@apollo/client/react";
import { lazy, Suspense, useState } from "react";
import { withTexts } from "../../i18n";
import { useTranslation } from "../../i18n/useTranslation";
import { type MissingPart, missingParts } from "../../quiz-builder/completeness";
import { drawableIn } from "../../quiz-builder/drawable";
import { readQuiz } from "../../quiz-builder/model";
import { toastFailure } from "../../ui/toasts";
import type { EditedPage } from "../EditPage";
import { PublishPageDocument } from "../EditPage.generated";
import type { EditSession } from "../EditSession";
import styles from "./Frame.module.css";

interface Props {
  page: Pick<EditedPage, "id" | "kind"> & { published: boolean };
  session: EditSession;
}

const UnfinishedDialog = lazy(() =>
  withTexts(import("../../quiz-builder/UnfinishedDialog"), "quizBuilder").then(({ UnfinishedDialog }) => ({
    default: UnfinishedDialog,
  })),
);

/** Publishes or hides the page. Updates at once, and reverts when the server refuses. */
export function PublishSwitch({ page, session }: Props) {
  const { t } = useTranslation();
  const client = useApolloClient();
  const [unfinished, setUnfinished] = useState<readonly MissingPart[] | null>(null);
  const [publish, { loading }] = useMutation(PublishPageDocument, {
    onError: toastFailure,
    // Counts and neighbours of the whole course may have changed; screens that show them read them again.
    update: (cache) => cache.gc(),
  });
  const toggle = () => {
    if (loading) return;
    // Learners then see the text that the author sees.
    session.save();
    const { quiz } = session.state.get();
    const missing =
      quiz === null || page.published ? [] : missingParts(readQuiz(quiz), drawableIn(client.cache));
    if (missing.length > 0) return setUnfinished(missing);
    const published = !page.published;
    const optimisticResponse = {
      updatePage: {
        __typename: "UpdatePagePayload",
        page: { __typename: "Page", id: page.id, published },
        lesson: null,
      },
    };
    void publish({ variables: { input: { pageId: page.id, published } }, optimisticResponse });
  };
  return (
    <>
      <button
        type="button"
        role="switch"
        aria-checked={page.published}
        className={styles.switch}
        onClick={toggle}
      >
        <span className={styles.track} aria-hidden="true" />
        {t(page.published ? "editor.published" : "editor.draft")}
      </button>
      {unfinished && (
        <Suspense fallback={null}>
          <UnfinishedDialog
            missing={unfinished}
            isAssignment={page.kind === "ASSIGNMENT"}
            onShow={session.showQuestion}
            onClose={() => setUnfinished(null)}
          />
        </Suspense>
      )}
    </>
  );
}
