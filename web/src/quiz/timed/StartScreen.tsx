import { CombinedGraphQLErrors } from "@apollo/client/errors";
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
import { checkRule, checksEach, tellsOfDraws } from "../startsAttempt";
import { Terms } from "../Terms";
import { StartAttemptDocument } from "./Timed.generated";
import classes from "./Timed.module.css";

interface StartScreenProps {
  page: QuizPageState;
  /** Called before the attempt is shown. */
  onStarted: () => void;
  /** Shows the last attempt; undefined without one. */
  onResults: (() => void) | undefined;
}

/** What stands in place of the questions until the learner starts the attempt. */
export function StartScreen({ page, onStarted, onResults }: StartScreenProps) {
  const { t } = useTranslation();
  const isOnline = useOnline();
  const id = useId();
  const { isStarting, problem, start } = useStart(page.id, onStarted);
  const isClosed = page.timeline.state === "CLOSED";
  const isOutOfAttempts = page.attemptsLeft === 0;
  const canStart = !isClosed && !isOutOfAttempts;
  const limit = page.quiz?.timeLimitSeconds ?? null;
  const isDrawn = tellsOfDraws(page);
  const isEach = checksEach(page.quiz);
  return (
    <section className={classes.start} tabIndex={-1} aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>
        {t(isEach ? "quiz.checked.title" : limit === null ? "quiz.drawn.title" : "quiz.timed.title")}
      </h2>
      <Terms page={page} mode="take" />
      {canStart && (
        <ul className={classes.rules}>
          {isEach && <li>{t(checkRule(page.quiz))}</li>}
          {isDrawn && <li>{t("quiz.drawn.rules.draw")}</li>}
          {limit !== null && <li>{t("quiz.timed.rules.clock")}</li>}
          <li>{t("quiz.timed.rules.saving")}</li>
          {(limit !== null || !page.timeline.closesAt) && (
            <li>
              {t(
                limit !== null
                  ? "quiz.timed.rules.end"
                  : isEach
                    ? "quiz.checked.rules.end"
                    : "quiz.drawn.rules.end",
              )}
            </li>
          )}
          <EarlyEnd closesAt={page.timeline.closesAt} limit={limit} />
        </ul>
      )}
      {isOutOfAttempts && !isClosed && !page.isCompleted && <p>{t("quiz.askTeacher")}</p>}
      <div role="alert">
        {problem && (
          <p className={classes.failure}>
            {problem.isConflict && isDrawn
              ? t("quiz.drawn.cannotStart", { reason: problem.text })
              : problem.text}
          </p>
        )}
      </div>
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

/** Why nothing was started. */
interface Problem {
  text: string;
  /** Whether the quiz is not as this screen believes, or its banks have too few questions. */
  isConflict: boolean;
}

/** Starting, which may be repeated: the server starts one attempt. */
function useStart(pageId: string, onStarted: () => void) {
  const client = useApolloClient();
  const [isStarting, setStarting] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
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
      const error = data?.startAttempt.error ?? null;
      setProblem(error === null ? null : { text: error, isConflict: false });
    } catch (failure) {
      setProblem({ text: failureText(failure), isConflict: isConflict(failure) });
      // The quiz was closed, or its attempts are not started any more: the page shows that.
      if (ApiError.from(failure).status === 409) refreshQuiz(client, pageId);
    } finally {
      setStarting(false);
    }
  };
  return { isStarting, problem, start };
}

/** Whether the server refuses the start although the page is open to the learner. */
function isConflict(failure: unknown): boolean {
  return CombinedGraphQLErrors.is(failure) && failure.errors[0]?.extensions?.code === "CONFLICT";
}

/** Notice that the page closes before the time of an attempt would be over; without a limit, whenever it closes. */
function EarlyEnd({ closesAt, limit }: { closesAt: string | null; limit: number | null }) {
  const { t, i18n } = useTranslation();
  const lastFull = closesAt && limit !== null ? new Date(new Date(closesAt).getTime() - limit * 1000) : null;
  const now = useNow((now) => (lastFull && lastFull > now ? lastFull.toISOString() : null));
  if (!closesAt || (lastFull && lastFull > now)) return null;
  const when = momentOf(closesAt, now, i18n.language);
  return <li>{t(limit === null ? "quiz.drawn.rules.closes" : "quiz.timed.rules.closes", { ...when })}</li>;
}
