import { useQuery } from "@apollo/client/react";
import { Button } from "@mantine/core";
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { LoadFailure } from "../errors/LoadFailure";
import { Quiz } from "../quiz/QuizPart";
import { QuizSkeleton } from "../quiz/QuizSkeleton";
import { QuizPageDocument } from "../quiz/QuizState.generated";
import classes from "./QuizBuilder.module.css";

interface TryOutProps {
  pageId: string;
  /** Everything is on the server: that is what is tried. */
  isSaved: boolean;
  /** Null where something else leads back. */
  onClose: (() => void) | null;
}

/** The quiz as a learner takes it. Nothing of it is stored. */
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
    // As it is stored now, not as it was when somebody last looked.
    fetchPolicy: "network-only",
    nextFetchPolicy: "cache-first",
  });
  if (error && !data) return <LoadFailure error={error} retry={() => refetch()} />;
  if (!data) return <QuizSkeleton />;
  // Nothing is kept of a try-out, so it is nobody's.
  return <Quiz key={data.page.version} page={data.page} userId="" mode="try" />;
}
