import { useNow } from "../dates/useNow";
import { formatDateTime } from "../i18n/formatDateTime";
import { useTranslation } from "../i18n/useTranslation";
import type { ResultChangeShownFragment } from "./QuizState.generated";
import classes from "./ResultChanges.module.css";

interface Props {
  changes: readonly ResultChangeShownFragment[];
  /** Whether it says that the attempt is passed now, or no longer: where nothing else does. */
  tellsPassed?: boolean;
}

/** How the result of an attempt has changed since it was submitted, newest first. */
export function ResultChanges({ changes, tellsPassed = false }: Props) {
  const { t, i18n } = useTranslation();
  const now = useNow();
  const score = (score: number, maxScore: number) => t("quiz.resultChange.score", { score, maxScore });
  return changes.map((change) => {
    const { at, kind, passedBefore, passedAfter } = change;
    return (
      <p key={at} className={classes.change}>
        {t(`quiz.resultChange.${kind}`, {
          when: formatDateTime(at, now, i18n.language, t),
          before: score(change.scoreBefore, change.maxScoreBefore),
          after: score(change.scoreAfter, change.maxScoreAfter),
        })}
        {tellsPassed &&
          passedBefore !== passedAfter &&
          ` ${t(`quiz.resultChange.${passedAfter ? "passed" : "notPassed"}`)}`}
      </p>
    );
  });
}
