import { useApolloClient } from "@apollo/client/react";
import { useId, useState } from "react";
import { ApiError } from "../../api/apiError";
import { useNow } from "../../dates/useNow";
import { momentOf } from "../../i18n/formatDateTime";
import { useTranslation } from "../../i18n/useTranslation";
import { Button } from "../../ui/Button";
import { failureText } from "../../ui/toasts";
import { useOnline } from "../../ui/useOnline";
import type { QuizPageState } from "../model";
import { refreshQuiz } from "../refreshQuiz";
import { Terms } from "../Terms";
import { StartAttemptDocument } from "./Timed.generated";
import classes from "./Timed.module.css";

interface StartScreenProps {
  page: QuizPageState;
  /** Seconds for an attempt. */
  limit: number;
  /** Called before the attempt is shown. */
  onStarted: () => void;
  /** Shows the last attempt; undefined without one. */
  onResults: (() => void) | undefined;
}

/** What stands in place of the questions until the learner starts the attempt. */
export function StartScreen({ page, limit, onStarted, onResults }: StartScreenProps) {
  const { t } = useTranslation();
  const isOnline = useOnline();
  const id = useId();
  const { isStarting, problem, start } = useStart(page.id, onStarted);
  const isClosed = page.timeline.state === "CLOSED";
  const isOutOfAttempts = page.attemptsLeft === 0;
  const canStart = !isClosed && !isOutOfAttempts;
  return (
    <section className={classes.start} tabIndex={-1} aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>{t("quiz.timed.title")}</h2>
      <Terms page={page} mode="take" />
      {canStart && (
        <ul className={classes.rules}>
          <li>{t("quiz.timed.rules.clock")}</li>
          <li>{t("quiz.timed.rules.saving")}</li>
          <li>{t("quiz.timed.rules.end")}</li>
          <EarlyEnd closesAt={page.timeline.closesAt} limit={limit} />
        </ul>
      )}
      {isOutOfAttempts && !isClosed && !page.isCompleted && <p>{t("quiz.askTeacher")}</p>}
      <div role="alert">{problem && <p className={classes.failure}>{problem}</p>}</div>
      <div className={classes.actions}>
        {canStart && (
          <Button
            size="md"
            loading={isStarting}
            disabled={!isOnline}
            aria-describedby={isOnline ? undefined : `${id}-offline`}
            onClick={() => void start()}
          >
            {t(problem ? "common.retry" : "quiz.timed.start")}
          </Button>
        )}
        {onResults && (
          <Button variant="default" size={canStart ? "md" : "sm"} onClick={onResults}>
            {t("quiz.toResults")}
          </Button>
        )}
      </div>
      {canStart && (
        <p role="status" id={`${id}-offline`} className={classes.offline}>
          {!isOnline && t("quiz.timed.startOffline")}
        </p>
      )}
    </section>
  );
}

/** Starting, which may be repeated: the server starts one attempt. */
function useStart(pageId: string, onStarted: () => void) {
  const client = useApolloClient();
  const [isStarting, setStarting] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const start = async () => {
    setStarting(true);
    setProblem(null);
    try {
      const { data } = await client.mutate({
        mutation: StartAttemptDocument,
        variables: { input: { pageId } },
        // The attempt appears with the page in the cache, and by then the screen knows that it was started here.
        update: (_cache, { data }) => {
          if (data?.startAttempt.attempt) onStarted();
        },
      });
      setProblem(data?.startAttempt.error ?? null);
    } catch (failure) {
      setProblem(failureText(failure));
      // The quiz was closed, or has no time limit any more: the page shows that.
      if (ApiError.from(failure).status === 409) refreshQuiz(client, pageId);
    } finally {
      setStarting(false);
    }
  };
  return { isStarting, problem, start };
}

/** Notice that the page closes before the time of an attempt would be over. */
function EarlyEnd({ closesAt, limit }: { closesAt: string | null; limit: number }) {
  const { t, i18n } = useTranslation();
  const lastFull = closesAt && new Date(new Date(closesAt).getTime() - limit * 1000);
  const now = useNow((now) => (lastFull && lastFull > now ? lastFull.toISOString() : null));
  if (!closesAt || !lastFull || lastFull > now) return null;
  return <li>{t("quiz.timed.rules.closes", { ...momentOf(closesAt, now, i18n.language) })}</li>;
}
