import { Link } from "@tanstack/react-router";
import { useEffect, useId, useRef } from "react";
import { Document } from "../content/Document";
import { isFilledDocument } from "../content/filled";
import { useNow } from "../dates/useNow";
import { LoadFailure } from "../errors/LoadFailure";
import { formatDateTime } from "../i18n/formatDateTime";
import { useTranslation } from "../i18n/useTranslation";
import { boundsText } from "../quiz/fields/essayBounds";
import { Button } from "../ui/Button";
import { IconChevron } from "../ui/icons";
import { TextSkeleton } from "../ui/Skeletons";
import { useMediaQuery } from "../ui/useMediaQuery";
import { VisuallyHidden } from "../ui/VisuallyHidden";
import classes from "./AnswerPanel.module.css";
import { AnswerPins } from "./AnswerPins";
import { AssessForm } from "./AssessForm";
import { AssessmentFacts } from "./AssessmentFacts";
import type { ClaimNextAnswerMutationVariables } from "./Grading.generated";
import { focusCurrent } from "./MarksForm";
import { placeOf } from "./placeOf";
import type { OpenAnswer } from "./queue";
import { useAssessment } from "./useAssessment";
import { useOpenAnswer } from "./useOpenAnswer";
import type { GradingQueue } from "./useQueue";

interface Props {
  attemptId: string;
  questionId: string;
  /** The answer, if the server has just assigned it. */
  given: OpenAnswer | null;
  /** The queue from which the next answer is taken; null in the list of graded answers. */
  next: ClaimNextAnswerMutationVariables["input"] | null;
  nameOf: (answer: OpenAnswer) => string;
  /** Whether the page of an answer is an assignment. */
  isAssignment: (answer: OpenAnswer) => boolean;
  grading: GradingQueue;
  /** The element into which the form is rendered; null until it is mounted. */
  side: HTMLElement | null;
  /** Opens the answer that the server assigned; null if none is waiting. */
  onNext: (answer: OpenAnswer | null) => void;
  /** Opens another answer of the list. */
  onMove: (by: 1 | -1) => boolean;
  onClose: () => void;
}

/** An open answer: the question, the note for graders, what the learner wrote or attached, and the points. */
export function AnswerPanel(props: Props) {
  const { attemptId, questionId, given, nameOf, onMove, onClose } = props;
  const { t } = useTranslation();
  const { answer, error, reload, put } = useOpenAnswer(attemptId, questionId, given);
  return (
    <>
      <div className={classes.bar}>
        <Button variant="subtle" size="compact" className={classes.back} onClick={onClose}>
          <IconChevron size={16} className={classes.backArrow} />
          {t("grading.back")}
        </Button>
        <span className={classes.moves}>
          <Button variant="default" size="compact" title="K" onClick={() => onMove(-1)}>
            {t("grading.previous")}
          </Button>
          <Button variant="default" size="compact" title="J" onClick={() => onMove(1)}>
            {t("grading.following")}
          </Button>
        </span>
      </div>
      {error !== undefined && (
        <LoadFailure error={error} retry={reload} heading="h2" notFound={t("grading.gone")} />
      )}
      {answer ? (
        <Loaded
          {...props}
          answer={answer}
          isAssignment={props.isAssignment(answer)}
          name={nameOf(answer)}
          onChanged={put}
        />
      ) : (
        error === undefined && <TextSkeleton lines={8} />
      )}
    </>
  );
}

interface LoadedProps extends Omit<Props, "given" | "nameOf" | "isAssignment" | "onClose"> {
  answer: OpenAnswer;
  isAssignment: boolean;
  name: string;
  onChanged: (answer: OpenAnswer) => void;
}

function Loaded({ answer, isAssignment, name, side, ...options }: LoadedProps) {
  const { t, i18n } = useTranslation();
  const now = useNow();
  const id = useId();
  const region = useRef<HTMLElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const assessment = useAssessment({ answer, ...options });
  // On a touch screen the keyboard would cover the answer.
  const isTouch = useMediaQuery("(pointer: coarse)");
  // biome-ignore lint/correctness/useExhaustiveDependencies: an answer takes the focus once, when it is opened
  useEffect(() => {
    const points = side?.querySelector<HTMLInputElement>("[data-points]");
    if (isTouch || !points) heading.current?.focus({ preventScroll: true });
    else if (!focusCurrent(side)) {
      points.focus({ preventScroll: true });
      points.select();
    }
    region.current?.scrollIntoView({ block: "start" });
  }, []);
  const bounds = boundsText(answer, t);
  return (
    <article
      ref={region}
      className={classes.answer}
      aria-labelledby={`${id}-name`}
      onKeyDown={(event) => void assessment.onSaveKey(event)}
    >
      <header className={classes.head}>
        <h2 id={`${id}-name`} ref={heading} tabIndex={-1}>
          {name}
        </h2>
        <p className={classes.facts}>
          <span>{placeOf(answer, isAssignment, t)}</span>
          <span>
            {t(isAssignment ? "grading.versionAt" : "quiz.attemptAt", {
              number: answer.attemptNo,
              when: formatDateTime(answer.submittedAt, now, i18n.language, t),
            })}
          </span>
          {answer.penaltyPercent > 0 && (
            <span className={classes.late}>{t("grading.late", { percent: answer.penaltyPercent })}</span>
          )}
          <span>{answer.isReturned ? t("grading.return.was") : t(`grading.is.${answer.state}`)}</span>
        </p>
        {answer.openedBy && (
          <p className={classes.opened} role="status">
            {t("grading.alsoOpen", { name: answer.openedBy.fullName || t("grading.somebody") })}
          </p>
        )}
      </header>
      <AssessForm
        answer={answer}
        name={name}
        assessment={assessment}
        hasNext={options.next !== null}
        mayReturn={isAssignment}
        side={side}
      />
      {isAssignment && (
        <p className={classes.toTask}>
          <Link to="/view-page/$pageId" params={{ pageId: answer.pageId }} target="_blank">
            {t("grading.toTask")}
            <VisuallyHidden>{` (${t("quiz.files.newTab")})`}</VisuallyHidden>
          </Link>
        </p>
      )}
      {isFilledDocument(answer.prompt) && (
        <section className={classes.prompt} aria-label={t("grading.prompt")}>
          <Document content={answer.prompt} />
        </section>
      )}
      {isFilledDocument(answer.guide) && (
        <details className={classes.guide} open>
          <summary>{t("grading.guide")}</summary>
          <Document content={answer.guide} />
        </details>
      )}
      <AnswerPins
        answer={answer}
        pins={assessment.values.pins}
        isBusy={assessment.form.isBusy}
        onChange={assessment.changePins}
        facts={
          <p className={classes.words}>
            {answer.content != null && (
              <>
                {t("quiz.essay.words", { count: answer.words })}
                {bounds && ` · ${bounds}`}
              </>
            )}
            {answer.content != null && answer.files.length > 0 && " · "}
            {answer.files.length > 0 && (
              <>
                {t("grading.files", { count: answer.files.length })}
                <span className={classes.fileKey}>
                  {" · "}
                  <kbd>F</kbd> {t("grading.openFile")}
                </span>
              </>
            )}
          </p>
        }
      />
      {answer.history.length > 0 && (
        <details className={classes.history}>
          <summary>{t("grading.history", { count: answer.history.length })}</summary>
          <ol>
            {answer.history.map((one) => (
              <li key={one.version}>
                <AssessmentFacts assessment={one} answer={answer} />
              </li>
            ))}
          </ol>
        </details>
      )}
    </article>
  );
}
