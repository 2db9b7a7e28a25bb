import { useQuery } from "@apollo/client/react";
import { lazy, Suspense, useId, useState } from "react";
import { Document } from "../content/Document";
import { isFilledDocument } from "../content/filled";
import { pageTitle } from "../course/pageTitle";
import { QueryState } from "../errors/QueryState";
import { withTexts } from "../i18n";
import { useTranslation } from "../i18n/useTranslation";
import { Checkbox } from "../ui/Checkbox";
import { TextSkeleton } from "../ui/Skeletons";
import classes from "./SnapshotContents.module.css";
import { SnapshotPageDocument } from "./Snapshots.generated";
import { compared, hasDraft, type PlacedPage, textsOf } from "./snapshot";

/** Loaded for quizzes and assignments alone. */
const QuizText = lazy(() => withTexts(import("./QuizText"), "quiz", "quizBuilder", "banks"));

interface Props {
  /** The id of the snapshot. */
  id: string;
  page: PlacedPage;
}

/** A page of a snapshot as learners saw it and, if there were any, with its unpublished changes. */
export function SnapshotPage({ id, page: { id: pageId, title, number, module, lesson } }: Props) {
  const { t } = useTranslation();
  const headingId = useId();
  const [wantsDraft, setWantsDraft] = useState(false);
  const { data, error, refetch } = useQuery(SnapshotPageDocument, {
    variables: { id, pageId },
    fetchPolicy: "no-cache",
  });
  const page = data?.courseSnapshot.page;
  const texts = page && textsOf(page, page.draft);
  const text = texts && compared(texts, wantsDraft);
  return (
    <article className={classes.text} aria-labelledby={headingId}>
      <p className={classes.place}>
        {module} › {lesson}
      </p>
      <h3 id={headingId} className={classes.title}>
        {pageTitle({ title: text ? text.title : title, number }, t)}
      </h3>
      {page && !page.published && <p className={classes.note}>{t("snapshots.page.wasHidden")}</p>}
      {texts && hasDraft(texts) && (
        <div className={classes.choice}>
          <Checkbox
            label={t("snapshots.page.withDraft")}
            checked={wantsDraft}
            onChange={(event) => setWantsDraft(event.currentTarget.checked)}
          />
        </div>
      )}
      {!page || !text ? (
        <QueryState
          error={error ?? (data && new Error(t("snapshots.page.missing")))}
          retry={() => void refetch().catch(() => undefined)}
          heading="p"
          loading={<TextSkeleton lines={8} />}
        />
      ) : (
        <div key={String(wantsDraft)}>
          {isFilledDocument(text.content) ? (
            <Document content={text.content} />
          ) : (
            page.kind === "CONTENT" && <p className={classes.dim}>{t("snapshots.page.empty")}</p>
          )}
          {page.kind !== "CONTENT" && (
            <Suspense fallback={<TextSkeleton lines={6} />}>
              <QuizText quiz={text.quiz} />
            </Suspense>
          )}
        </div>
      )}
    </article>
  );
}
