import { useMutation } from "@apollo/client/react";
import { Link } from "@tanstack/react-router";
import { type SubmitEvent, useEffect, useRef, useState } from "react";
import { ApiError } from "../api/apiError";
import type { QuizAnswerInput } from "../api/schema.generated";
import { pageTitle } from "../course/pageTitle";
import { useLeaveGuard } from "../forms/useLeaveGuard";
import { momentOf } from "../i18n/formatDateTime";
import { useTranslation } from "../i18n/useTranslation";
import { AnswerField } from "../quiz/AnswerField";
import { fromGiven, toInput } from "../quiz/answers";
import { Hints } from "../quiz/Hints";
import type { Answer } from "../quiz/model";
import { QuestionFrame } from "../quiz/QuestionFrame";
import { CheckedDetails, CheckedVerdict } from "../quiz/stepwise/Checked";
import { focusProblem, ignoreRepeatedEnter, useReturnedFocus } from "../quiz/stepwise/checkButton";
import { HOLD_TEXTS, type Hold, heldOnce } from "../quiz/stepwise/holds";
import { Button } from "../ui/Button";
import { failureText } from "../ui/toasts";
import { mayLeave } from "../ui/unsaved";
import { useOnline } from "../ui/useOnline";
import { VisuallyHidden } from "../ui/VisuallyHidden";
import { AnswerPracticeDocument } from "./Practice.generated";
import classes from "./PracticeCard.module.css";
import { type Card, hasTyped, type Practised } from "./session";

interface Props {
  card: Card;
  /** Whether the question takes the focus. */
  takesFocus: boolean;
  /** From 1. */
  number: number;
  count: number;
  practised: Practised | undefined;
  onPractised: (practised: Practised) => void;
  onNext: () => void;
  /** Called when the user does not want to be asked again. */
  onStop: () => Promise<void>;
}

/** Asks a practice question, checks the answer and shows the result. */
export function PracticeCard({
  card,
  takesFocus,
  number,
  count,
  practised,
  onPractised,
  onNext,
  onStop,
}: Props) {
  const { t, i18n } = useTranslation();
  const isOnline = useOnline();
  const { question, page } = card;
  const form = useRef<HTMLFormElement>(null);
  const action = useRef<HTMLButtonElement>(null);
  const [answer, setAnswer] = useState<Answer>({});
  const [hold, setHold] = useState<Hold | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const [send, { loading: isSending }] = useMutation(AnswerPracticeDocument, { fetchPolicy: "no-cache" });
  const [now] = useState(() => new Date());
  useLeaveGuard({
    name: "practice",
    subject: `${card.id} ${card.reviews}`,
    element: form,
    isUnsaved: !practised && hasTyped(answer),
    discard: () => setAnswer({}),
    values: () => ({ answer }),
    restore: (kept) => setAnswer(kept.answer as Answer),
  });

  useEffect(() => {
    if (!takesFocus) return;
    form.current?.scrollIntoView({ block: "nearest" });
    form.current?.querySelector<HTMLElement>("section")?.focus({ preventScroll: true });
  }, [takesFocus]);
  const isPractised = practised !== undefined;
  const [isStopping, setStopping] = useState(false);
  const isBusy = isSending || isStopping;
  const returnFocus = useReturnedFocus(action, isSending);

  /** Sends an answer; without one, the user does not remember. */
  const answerWith = (given: QuizAnswerInput | null) => {
    setFailure(null);
    setHold(null);
    returnFocus();
    send({ variables: { input: { cardId: card.id, reviews: card.reviews, answer: given } } }).then(
      ({ data }) => {
        const done = data?.answerPractice;
        if (!done) return;
        // Another window may have sent another answer before.
        const counted = done.answer ? fromGiven(done.answer) : {};
        setAnswer(counted);
        onPractised({ answer: counted, result: done.result, dueAt: done.dueAt });
      },
      (error) =>
        setFailure(
          ApiError.from(error).isUnreachable
            ? t(isOnline ? "quiz.stepwise.noAnswer" : "practice.offline")
            : failureText(error),
        ),
    );
  };
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (isBusy) return;
    if (practised) {
      onNext();
      return;
    }
    const isUnreadable = form.current?.querySelector("[data-unreadable]") != null;
    const reason = heldOnce(hold, { question, answer, unsent: null, isUnreadable });
    setHold(reason);
    if (reason !== null) {
      focusProblem(form.current);
      return;
    }
    answerWith(toInput([question], { [question.id]: answer })[0] ?? null);
  };
  /** Leaves the question, after asking if text would be lost. */
  const leave = async (go: () => void | Promise<void>) => {
    if (isBusy || (form.current && !(await mayLeave(form.current)))) return;
    await go();
  };
  const stop = async () => {
    setStopping(true);
    await onStop();
    setStopping(false);
  };

  const button = t("quiz.stepwise.check");
  const problem = failure ?? (hold && t(HOLD_TEXTS[hold], { button }));
  const days = practised ? momentOf(practised.dueAt, now, i18n.language).daysAhead : 0;
  return (
    <form
      ref={form}
      className={classes.form}
      onSubmit={submit}
      onKeyDown={ignoreRepeatedEnter}
      aria-label={t("practice.question")}
      data-arrows
      noValidate
    >
      <h2 className={classes.heading}>
        <VisuallyHidden>{t("practice.question")}</VisuallyHidden>
      </h2>
      <p className={classes.source}>
        <Link to="/view-page/$pageId" params={{ pageId: page.id }}>
          {`${page.course.title} › ${pageTitle(page, t)}`}
        </Link>
      </p>
      <QuestionFrame question={question} number={number} count={count} aside={null}>
        <Hints hints={question.hints} />
        <div data-answer="">
          <AnswerField
            question={question}
            pageId={page.id}
            answer={practised?.answer ?? answer}
            onAnswer={(given) => {
              setHold(null);
              setAnswer(given);
            }}
            onUnsent={() => undefined}
            disabled={isBusy || isPractised}
          />
        </div>
      </QuestionFrame>
      <div className={classes.bar}>
        <Button
          ref={action}
          type="submit"
          size="md"
          className={classes.action}
          loading={isSending}
          // The second click of a double click must not leave the result at once.
          onClick={(event) => event.detail > 1 && event.preventDefault()}
        >
          {practised ? t(number === count ? "practice.finish" : "quiz.stepwise.next") : button}
        </Button>
        <div role="status" className={classes.status}>
          {practised && (
            <>
              <CheckedVerdict result={practised.result} />
              <span className={classes.again}>
                {days <= 1 ? t("practice.tomorrow") : t("practice.again", { count: days })}
              </span>
            </>
          )}
          {isSending && <VisuallyHidden>{t("quiz.stepwise.checking")}</VisuallyHidden>}
        </div>
        {!practised && (
          <Button
            variant="default"
            disabled={isBusy}
            onClick={(event) => event.detail < 2 && void leave(() => answerWith(null))}
          >
            {t("practice.forgotten")}
          </Button>
        )}
      </div>
      <div className={classes.other}>
        {!practised && (
          <Button
            variant="subtle"
            disabled={isBusy}
            onClick={(event) => event.detail < 2 && void leave(onNext)}
          >
            {t("practice.skip")}
          </Button>
        )}
        <Button
          variant="subtle"
          loading={isStopping}
          disabled={isSending}
          onClick={(event) => event.detail < 2 && void leave(stop)}
        >
          {t("practice.stop")}
        </Button>
      </div>
      <div role="alert">{problem && <p className={classes.problem}>{problem}</p>}</div>
      {practised && (
        <CheckedDetails question={question} result={practised.result} answer={practised.answer} />
      )}
    </form>
  );
}
