import { type SubmitEvent, useEffect, useRef, useState } from "react";
import { useTranslation } from "../../i18n/useTranslation";
import { Button } from "../../ui/Button";
import { useOnline } from "../../ui/useOnline";
import { VisuallyHidden } from "../../ui/VisuallyHidden";
import { type AnswerFormProps, QuestionInput, Refusals, Waiting } from "../AnswerForm";
import type { Unsent } from "../fields/FileUpload";
import type { Question } from "../model";
import { QuestionFrame } from "../QuestionFrame";
import { CheckedDetails, CheckedVerdict } from "./Checked";
import { focusProblem, ignoreRepeatedEnter, useReturnedFocus } from "./checkButton";
import { isOpen, NO_CHECKS, nextOpen } from "./checks";
import { HOLD_TEXTS, type Hold, heldOnce, unsendable } from "./holds";
import classes from "./StepForm.module.css";
import { StepList } from "./StepList";
import { useTries } from "./useTries";

interface StepFormProps extends AnswerFormProps {
  /** Whether the attempt has just started here, so that the focus goes to the first question. */
  takesFocus?: boolean;
}

/** A quiz that is checked question by question. Staff who try it check too, and nothing is stored. */
export default function StepForm(props: StepFormProps) {
  return props.mode === "try" ? <Tried {...props} /> : <Steps {...props} />;
}

function Tried(props: StepFormProps) {
  const { page, questions, work } = props;
  const steps = useTries(page, questions, work.answers);
  return <Steps {...props} work={{ ...work, steps }} />;
}

/** The questions one by one: answer, check, see, go on. */
function Steps(props: StepFormProps) {
  const { page, questions, work, mode, isReadOnly, end, takesFocus = false } = props;
  const { t } = useTranslation();
  const isOnline = useOnline();
  const form = useRef<HTMLFormElement>(null);
  const action = useRef<HTMLButtonElement>(null);
  const { checks = NO_CHECKS, check = () => undefined } = work.steps ?? {};
  const isChecked = (question: Question) => question.id in checks.results;
  const [index, setIndex] = useState(() =>
    Math.max(
      0,
      questions.findIndex((question) => !isChecked(question)),
    ),
  );
  const [hold, setHold] = useState<Hold | null>(null);
  const [isAsking, setAsking] = useState(false);
  const [unsent, setUnsent] = useState<Readonly<Record<string, Unsent | null>>>({});
  const question = questions[index];
  const result = question && checks.results[question.id];
  const isRunning = question !== undefined && checks.running === question.id;
  const left = questions.filter((one) => !isChecked(one));
  const isLocked = work.isSending || work.isWaiting || isReadOnly;
  const { times } = work;

  useEffect(() => {
    if (form.current && !isReadOnly) return times?.watch(form.current);
  }, [times, isReadOnly]);
  const showStep = (at: number) => {
    // The result of a check is shown where it was asked for.
    if (checks.running !== null) return;
    setIndex(at);
    setHold(null);
    setAsking(false);
    setWanted(true);
  };
  /** Whether the shown question takes the focus. */
  const [isWanted, setWanted] = useState(takesFocus);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another question takes the focus too
  useEffect(() => {
    if (!isWanted) return;
    const shown = form.current?.querySelector<HTMLElement>("[data-current] section");
    form.current?.scrollIntoView({ block: "nearest" });
    shown?.focus({ preventScroll: true });
    setWanted(false);
  }, [isWanted, index]);
  const returnFocus = useReturnedFocus(action, isRunning);
  if (!question) return null;

  const next = nextOpen(questions, index, (one) => !isChecked(one));
  const isManual = question.__typename === "EssayQuestion" || question.__typename === "FileUploadQuestion";
  const button = t(isManual ? "quiz.stepwise.give" : "quiz.stepwise.check");

  const inputOf = (at: number) => form.current?.querySelectorAll("[data-question]")[at];
  const givenTo = (one: Question, at: number) => ({
    question: one,
    answer: work.answers[one.id],
    unsent: unsent[one.id],
    isUnreadable: inputOf(at)?.querySelector("[data-unreadable]") != null,
  });
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (isLocked || isRunning) return;
    if (result) {
      if (next === null) finish();
      else showStep(next);
      return;
    }
    const reason = heldOnce(hold, givenTo(question, index));
    setHold(reason);
    if (reason !== null) {
      focusProblem(inputOf(index));
      return;
    }
    returnFocus();
    check(question.id);
  };

  const finish = () => {
    // Finishing would lose what cannot be sent yet.
    const unsendables = questions.map((one, at) => (isChecked(one) ? null : unsendable(givenTo(one, at))));
    const lost = unsendables.findIndex((reason) => reason !== null);
    if (lost >= 0) {
      if (lost === index) focusProblem(inputOf(lost));
      else showStep(lost);
      setHold(unsendables[lost] ?? null);
      return;
    }
    const isLast = mode === "take" && page.attemptsLeft === 1;
    if (!isAsking && (left.length > 0 || isLast)) {
      setAsking(true);
      return;
    }
    setAsking(false);
    work.submit();
  };

  const failure = checks.failure?.questionId === question.id ? checks.failure : null;
  const problem = failure
    ? (failure.reason ?? t(isOnline ? "quiz.stepwise.noAnswer" : "quiz.stepwise.offline"))
    : hold && t(HOLD_TEXTS[hold], { button });
  return (
    <form
      ref={form}
      className={classes.form}
      onSubmit={submit}
      onKeyDown={ignoreRepeatedEnter}
      aria-label={t("quiz.form")}
      data-arrows
      data-answering
      noValidate
    >
      <h2 className={classes.title}>
        <VisuallyHidden>{t("quiz.form")}</VisuallyHidden>
      </h2>
      <StepList
        questions={questions}
        current={index}
        results={checks.results}
        isDisabled={isRunning}
        onShow={showStep}
      />
      {questions.map((one, at) => (
        <div key={one.id} hidden={at !== index} data-question="" data-current={at === index || undefined}>
          <QuestionFrame
            question={one}
            number={at + 1}
            count={questions.length}
            aside={t("quiz.points", { count: one.points })}
          >
            <QuestionInput
              question={one}
              pageId={page.id}
              work={work}
              onAnswer={() => {
                setHold(null);
                setAsking(false);
              }}
              onUnsent={(state) => setUnsent((known) => ({ ...known, [one.id]: state }))}
              disabled={isLocked || !isOpen(checks, one.id)}
            />
          </QuestionFrame>
        </div>
      ))}
      {end === undefined && !work.isWaiting && (
        <div className={classes.bar}>
          <Button
            ref={action}
            type="submit"
            size="md"
            className={classes.action}
            disabled={work.isSending}
            loading={isRunning}
            // The second click of a double click must not confirm the warning that the first one shows.
            onClick={(event) => event.detail > 1 && event.preventDefault()}
          >
            {result ? t(next === null ? "quiz.stepwise.finish" : "quiz.stepwise.next") : button}
          </Button>
          <div role="status" className={classes.status}>
            {result && <CheckedVerdict result={result} />}
            {isRunning && <VisuallyHidden>{t("quiz.stepwise.checking")}</VisuallyHidden>}
          </div>
          {!result && (
            <>
              {next !== null && (
                <Button variant="subtle" disabled={isRunning || isLocked} onClick={() => showStep(next)}>
                  {t("quiz.stepwise.skip")}
                </Button>
              )}
              <p className={classes.fixed}>
                {t(isManual ? "quiz.stepwise.givenHint" : "quiz.stepwise.fixedHint")}
              </p>
            </>
          )}
        </div>
      )}
      <div role="alert">{problem && <p className={classes.problem}>{problem}</p>}</div>
      {result && (
        <CheckedDetails
          key={question.id}
          page={page}
          question={question}
          result={result}
          answer={work.answers[question.id] ?? {}}
        />
      )}
      <footer className={classes.footer}>
        <div role="alert">
          {isAsking && (
            <div className={classes.asking}>
              {left.length > 0 && (
                <p>
                  {t("quiz.stepwise.left", { count: left.length })} {t("quiz.stepwise.leftAnswered")}
                </p>
              )}
              {mode === "take" && page.attemptsLeft === 1 && <p>{t("quiz.stepwise.last")}</p>}
            </div>
          )}
          <Refusals
            refusals={work.refusals ?? {}}
            questions={questions}
            onShow={(id) => showStep(questions.findIndex((one) => one.id === id))}
          />
          {work.refusal && <p className={classes.problem}>{work.refusal}</p>}
        </div>
        {work.isWaiting ? (
          <Waiting until={work.acceptedUntil ?? null} onResend={work.resend} />
        ) : end !== undefined ? (
          end
        ) : (
          <div className={classes.finish}>
            {(isAsking || !result || next !== null) && (
              <Button
                variant={isAsking ? "filled" : "default"}
                loading={work.isSending}
                disabled={isRunning}
                onClick={(event) => event.detail < 2 && finish()}
              >
                {t(isAsking ? "quiz.stepwise.finishAnyway" : "quiz.stepwise.finish")}
              </Button>
            )}
            {isAsking && (
              <Button variant="subtle" onClick={() => setAsking(false)}>
                {t("quiz.stepwise.back")}
              </Button>
            )}
            <p className={classes.count}>
              {t("quiz.stepwise.checkedCount", {
                checked: questions.length - left.length,
                count: questions.length,
              })}
            </p>
          </div>
        )}
      </footer>
    </form>
  );
}
