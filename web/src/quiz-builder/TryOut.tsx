import { useQuery } from "@apollo/client/react";
import { useEffect, useRef } from "react";
import { QueryState } from "../errors/QueryState";
import { useTranslation } from "../i18n/useTranslation";
import { Quiz } from "../quiz/QuizPart";
import { QuizSkeleton } from "../quiz/QuizSkeleton";
import { QuizPageDocument } from "../quiz/QuizState.generated";
import { Button } from "../ui/Button";
import classes from "./QuizBuilder.module.css";

interface TryOutProps {
  pageId: string;
  /** Whether everything is on the server, which grades the stored quiz. */
  isSaved: boolean;
  /** Null when the surrounding screen has its own way back. */
  onClose: (() => void) | null;
}

/** Preview of the quiz as a learner takes it. Its answers are not stored. */
export function TryOut({ pageId, isSaved, onClose }: TryOutProps) {
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
            {t("quizBuilder.tryOut.back")}
          </Button>
        )}
      </div>
      <p className={classes.facts}>{t(isSaved ? "quizBuilder.tryOut.text" : "quizBuilder.tryOut.unsaved")}</p>
      {isSaved && <Saved pageId={pageId} />}
    </section>
  );
}

function Saved({ pageId }: { pageId: string }) {
  const { data, error, refetch } = useQuery(QuizPageDocument, {
    variables: { id: pageId },
    // The cache may hold an earlier version of the quiz.
    fetchPolicy: "network-only",
    nextFetchPolicy: "cache-first",
  });
  if (!data) return <QueryState error={error} retry={() => refetch()} loading={<QuizSkeleton />} />;
  // A preview stores no draft, so it needs no user.
  return <Quiz key={data.page.version} page={data.page} userId="" mode="try" />;
}
