import type { TypedDocumentNode } from "@apollo/client";
import { useQuery } from "@apollo/client/react";
import { type ReactNode, useEffect, useRef } from "react";
import { QueryState } from "../errors/QueryState";
import { useTranslation } from "../i18n/useTranslation";
import { QuizSkeleton } from "../quiz/QuizSkeleton";
import { TriesDraft } from "../quiz/triesDraft";
import { Button } from "../ui/Button";
import { withDrafts } from "../unpublished/withDrafts";
import classes from "./QuizBuilder.module.css";

interface TryOutProps<Page> {
  pageId: string;
  /** What is tried. */
  of: "quiz" | "assignment";
  /** Reads the page as learners see it; its unpublished changes are tried as if they were published. */
  query: TypedDocumentNode<{ page: Page }, { id: string }>;
  show: (page: Page) => ReactNode;
  /** What is special about the quiz. */
  note?: string | null;
  /** Whether everything is on the server, which grades the stored quiz. */
  isSaved: boolean;
  /** Null when the surrounding screen has its own way back. */
  onClose: (() => void) | null;
}

/** Preview of a quiz or an assignment as a learner takes it. Nothing is stored. */
export function TryOut<Page>({ pageId, of, query, show, note, isSaved, onClose }: TryOutProps<Page>) {
  const { t } = useTranslation();
  const heading = useRef<HTMLHeadingElement>(null);
  const takesFocus = onClose !== null;
  useEffect(() => {
    if (takesFocus) heading.current?.focus();
  }, [takesFocus]);
  return (
    <section className={classes.tryOut} aria-labelledby="try-out">
      <div className={classes.tryOutHead}>
        <h2 id="try-out" ref={heading} tabIndex={-1}>
          {t("quizBuilder.tryOut.title")}
        </h2>
        {onClose && (
          <Button variant="default" onClick={onClose}>
            {t(`quizBuilder.tryOut.back.${of}`)}
          </Button>
        )}
      </div>
      <p className={classes.facts}>{t(`quizBuilder.tryOut.${isSaved ? "text" : "unsaved"}.${of}`)}</p>
      {note && <p className={classes.facts}>{note}</p>}
      {isSaved && (
        <TriesDraft value={true}>
          <Saved pageId={pageId} query={query} show={show} />
        </TriesDraft>
      )}
    </section>
  );
}

function Saved<Page>({ pageId, query, show }: Pick<TryOutProps<Page>, "pageId" | "query" | "show">) {
  const { data, error, refetch } = useQuery(withDrafts(query), {
    variables: { id: pageId },
    fetchPolicy: "no-cache",
  });
  if (!data) return <QueryState error={error} retry={() => refetch()} loading={<QuizSkeleton />} />;
  return show(data.page);
}
