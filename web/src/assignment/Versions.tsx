import { useNow } from "../dates/useNow";
import { formatDateTime } from "../i18n/formatDateTime";
import { useTranslation } from "../i18n/useTranslation";
import { HandedIn } from "../quiz/HandedIn";
import { MarksView } from "../quiz/RubricView";
import { IconChevron } from "../ui/icons";
import { IconReturn } from "../ui/laterIcons";
import { IconClock } from "../ui/timeIcons";
import { versionText } from "./draftText";
import type { AssignmentPage, Version } from "./model";
import classes from "./Versions.module.css";
import { stateOf } from "./versionState";

/** The versions that were handed in, the newest first. */
export function Versions({ page }: { page: AssignmentPage }) {
  const { t } = useTranslation();
  if (page.attempts.length === 0) return null;
  return (
    <section className={classes.versions} aria-labelledby="versions">
      <h2 id="versions" className={classes.heading}>
        {t("assignment.versions")}
      </h2>
      {page.attempts.toReversed().map((attempt, at) => (
        <VersionItem key={attempt.id} attempt={attempt} isNewest={at === 0} />
      ))}
    </section>
  );
}

function VersionItem({ attempt, isNewest }: { attempt: Version; isNewest: boolean }) {
  const { t, i18n } = useTranslation();
  const now = useNow();
  const [result] = attempt.results;
  return (
    <details className={classes.version} open={isNewest}>
      <summary>
        <IconChevron size={16} className={classes.chevron} />
        <span className={classes.number}>{t("assignment.version", { number: attempt.attemptNo })}</span>
        <time className={classes.at} dateTime={attempt.submittedAt}>
          {formatDateTime(attempt.submittedAt, now, i18n.language, t)}
        </time>
        <StateTag attempt={attempt} />
      </summary>
      <div className={classes.body}>
        <HandedIn answer={versionText(attempt)} pins={result?.pins ?? []} />
        {result && result.marks.length > 0 && <MarksView marks={result.marks} />}
        {/* The comment of work that goes back to its learner stands above, where it asks for something. */}
        {result?.comment && !(isNewest && attempt.isReturned) && (
          <div className={classes.comment}>
            <h3>{t("quiz.essay.comment")}</h3>
            <p>{result.comment}</p>
          </div>
        )}
      </div>
    </details>
  );
}

/** The state of a version in a few words. */
function StateTag({ attempt }: { attempt: Version }) {
  const { t } = useTranslation();
  const state = stateOf(attempt);
  return (
    <span className={classes.state} data-state={state}>
      {state === "waiting" && <IconClock size={16} />}
      {state === "returned" && <IconReturn size={16} />}
      {state === "waiting" || state === "returned"
        ? t(`assignment.state.${state}.tag`)
        : t("quiz.pointsOf", { points: attempt.score, count: attempt.maxScore })}
    </span>
  );
}
