import { type ReactNode, type SubmitEvent, useEffect, useRef, useState } from "react";
import { preciseMoment } from "../i18n/preciseMoment";
import { useTranslation } from "../i18n/useTranslation";
import { Button } from "../ui/Button";
import { useOnline } from "../ui/useOnline";
import { VisuallyHidden } from "../ui/VisuallyHidden";
import { AnswerField } from "./AnswerField";
import classes from "./AnswerForm.module.css";
import { isAnswered, isPartlyAnswered, lacksUnit } from "./answers";
import type { Unsent } from "./fields/FileUpload";
import { Hints } from "./Hints";
import type { Question, QuizPageState } from "./model";
import { QuestionFrame } from "./QuestionFrame";
import { HowGraded } from "./RubricView";
import type { Mode, Taking as Work } from "./useTaking";
import { lengthProblem } from "./words";

export interface AnswerFormProps {
  page: QuizPageState;
  questions: readonly Question[];
  /** The answers, and what becomes of them. */
  work: Work;
  mode: Mode;
  /** Whether the answers can only be read. */
  isReadOnly: boolean;
  /** Shown in place of the button. */
  end?: ReactNode;
}

/** The questions with inputs for their answers, and the button that submits them. */
export function AnswerForm({ page, questions, work, mode, isReadOnly, end }: AnswerFormProps) {
  const { t } = useTranslation();
  const form = useRef<HTMLFormElement>(null);
  const [isAsking, setAsking] = useState(false);
  /** Whether the learner has tried to submit answers that cannot be submitted: an essay of a wrong length, or files without their upload. */
  const [isHeld, setHeld] = useState(false);
  /** The state of the uploads by question. */
  const [unsent, setUnsent] = useState<Readonly<Record<string, Unsent | null>>>({});
  const isLocked = work.isSending || work.isWaiting || isReadOnly;
  const open = questions.flatMap((question, index) =>
    isAnswered(question, work.answers[question.id])
      ? []
      : {
          id: question.id,
          number: index + 1,
          isPartly: isPartlyAnswered(question, work.answers[question.id]),
          lacksUnit: lacksUnit(question, work.answers[question.id]),
        },
  );
  const outside = questions.flatMap((question, index) =>
    question.__typename === "EssayQuestion" && lengthProblem(work.answers[question.id]?.content, question)
      ? { id: question.id, number: index + 1 }
      : [],
  );
  const uploading = (state: Unsent) =>
    questions.flatMap(({ id }, index) => (unsent[id] === state ? { id, number: index + 1 } : []));
  const running = uploading("running");
  const failed = uploading("failed");
  const isLast = mode === "take" && page.attemptsLeft === 1;
  const { times } = work;
  useEffect(() => {
    if (form.current && !isReadOnly) return times?.watch(form.current);
  }, [times, isReadOnly]);

  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const unreadable = form.current?.querySelector<HTMLElement>("[data-unreadable]");
    if (unreadable || outside.length > 0 || running.length > 0) {
      setHeld(true);
      (unreadable?.querySelector<HTMLElement>("[role=textbox]") ?? unreadable)?.focus();
      return;
    }
    // Unanswered questions may be an oversight: asks once before submitting.
    if (!isAsking && (open.length > 0 || isLast)) {
      setAsking(true);
      return;
    }
    setAsking(false);
    setHeld(false);
    work.submit();
  };

  return (
    <form
      ref={form}
      className={classes.form}
      onSubmit={submit}
      aria-label={t("quiz.form")}
      data-arrows
      data-answering
      noValidate
    >
      <h2 className={classes.title}>
        <VisuallyHidden>{t("quiz.form")}</VisuallyHidden>
      </h2>
      {work.changes && <Changed work={work} />}
      {questions.map((question, index) => (
        <QuestionFrame
          key={question.id}
          question={question}
          number={index + 1}
          count={questions.length}
          aside={t("quiz.points", { count: question.points })}
          note={
            work.changes?.changed.includes(question.id)
              ? t("quiz.changes.question")
              : work.changes?.added.includes(question.id)
                ? t("quiz.changes.newQuestion")
                : null
          }
        >
          <QuestionInput
            question={question}
            pageId={page.id}
            work={work}
            onAnswer={() => setAsking(false)}
            onUnsent={(state) => setUnsent((known) => ({ ...known, [question.id]: state }))}
            disabled={isLocked}
          />
        </QuestionFrame>
      ))}
      <footer className={classes.footer}>
        <div role="alert">
          {isHeld && (
            <>
              <Held text={t("quiz.essay.outside")} questions={outside} />
              <Held text={t("quiz.files.running")} questions={running} />
              <Held text={t("quiz.files.unsent")} questions={failed} />
            </>
          )}
          {isAsking && <Asking open={open} isLast={isLast} />}
          <Refusals refusals={work.refusals ?? {}} questions={questions} />
          {work.refusal && <p className={classes.refusal}>{work.refusal}</p>}
        </div>
        {work.isWaiting ? (
          <Waiting until={work.acceptedUntil ?? null} onResend={work.resend} />
        ) : end !== undefined ? (
          end
        ) : (
          <div className={classes.submit}>
            <Button type="submit" size="md" loading={work.isSending}>
              {isAsking
                ? t(open.length > 0 ? "quiz.submitAnyway" : "quiz.submitLast")
                : t(mode === "try" ? "quiz.tryOut.submit" : "quiz.submit")}
            </Button>
            <AnsweredCount
              answered={questions.length - open.length}
              count={questions.length}
              work={work}
              mode={mode}
            />
          </div>
        )}
      </footer>
    </form>
  );
}

interface QuestionInputProps {
  question: Question;
  pageId: string;
  work: Work;
  /** Called after the answer was changed. */
  onAnswer: () => void;
  /** Called with the state of the uploads. */
  onUnsent: (state: Unsent | null) => void;
  disabled: boolean;
}

/** What a learner sees below the prompt of a question: its hints and the input for the answer. */
export function QuestionInput({ question, pageId, work, onAnswer, onUnsent, disabled }: QuestionInputProps) {
  return (
    <>
      <Hints hints={question.hints} />
      {"rubric" in question && question.rubric && <HowGraded rubric={question.rubric} />}
      <div data-answer="">
        <AnswerField
          // The editor of a text shows another one only when it starts over; other fields keep the focus.
          key={question.__typename === "EssayQuestion" ? work.revisions?.[question.id] : undefined}
          question={question}
          pageId={pageId}
          answer={work.answers[question.id]}
          onAnswer={(answer) => {
            onAnswer();
            work.answer(question.id, answer);
          }}
          onUnsent={onUnsent}
          disabled={disabled}
        />
      </div>
    </>
  );
}

function AnsweredCount({
  answered,
  count,
  work,
  mode,
}: {
  answered: number;
  count: number;
  work: Work;
  mode: Mode;
}) {
  const { t } = useTranslation();
  return (
    <p className={classes.answered}>
      {t("quiz.answered", { answered, count })}
      {mode === "take" && work.isKept !== null && (
        <span className={work.isKept ? undefined : classes.warning}>
          {t(work.isKept ? "quiz.keptHere" : "quiz.notKept")}
        </span>
      )}
    </p>
  );
}

/** A question that is not fully answered. */
interface OpenQuestion {
  id: string;
  number: number;
  isPartly: boolean;
  /** Whether only the unit of the number is missing. */
  lacksUnit: boolean;
}

/** Links to the unanswered questions, and a warning before the last attempt. */
function Asking({ open, isLast }: { open: OpenQuestion[]; isLast: boolean }) {
  const { t } = useTranslation();
  const none = open.filter(({ isPartly }) => !isPartly);
  const partly = open.filter(({ isPartly, lacksUnit }) => isPartly && !lacksUnit);
  const withoutUnit = open.filter(({ lacksUnit }) => lacksUnit);
  return (
    <div className={classes.asking}>
      {none.length > 0 && (
        <p>
          {t("quiz.unanswered", { count: none.length })} <QuestionLinks questions={none} />
        </p>
      )}
      {partly.length > 0 && (
        <p>
          {t("quiz.partlyAnswered", { count: partly.length })} <QuestionLinks questions={partly} />
        </p>
      )}
      {withoutUnit.length > 0 && (
        <p>
          {t("quiz.units.choose")} <QuestionLinks questions={withoutUnit} />
        </p>
      )}
      {isLast && <p>{t("quiz.lastAttempt")}</p>}
    </div>
  );
}

/** Why answers cannot be submitted, with links to their questions; nothing without questions. */
function Held({ text, ...shown }: { text: string } & QuestionLinksProps) {
  return (
    shown.questions.length > 0 && (
      <p className={classes.refusal}>
        {text} <QuestionLinks {...shown} />
      </p>
    )
  );
}

/** Answers that the server has refused, by its reasons. */
export function Refusals({
  refusals,
  questions,
  onShow,
}: {
  refusals: Readonly<Record<string, string>>;
  questions: readonly Question[];
  onShow?: QuestionLinksProps["onShow"];
}) {
  const refused = questions.flatMap(({ id }, index) => {
    const reason = refusals[id];
    return reason ? { id, number: index + 1, reason } : [];
  });
  return [...new Set(refused.map(({ reason }) => reason))].map((reason) => (
    <Held
      key={reason}
      text={reason}
      questions={refused.filter((one) => one.reason === reason)}
      onShow={onShow}
    />
  ));
}

/** The elements of a question that take an answer. Its prompt and hints may have buttons too. */
const ANSWERING =
  "[data-answer] :is([role=application], input:not([hidden]), select, [role=textbox], button)";

interface QuestionLinksProps {
  questions: readonly Pick<OpenQuestion, "id" | "number">[];
  /** Shows a question of a form that shows one at a time. */
  onShow?: ((id: string) => void) | undefined;
}

function QuestionLinks({ questions, onShow }: QuestionLinksProps) {
  const { t } = useTranslation();
  return questions.map(({ id, number }, index) => (
    <span key={id}>
      {index > 0 && ", "}
      <a
        href={`#question-${id}`}
        onClick={(event) => {
          event.preventDefault();
          if (onShow) return onShow(id);
          const question = document.getElementById(`question-${id}`);
          question?.scrollIntoView({ block: "start" });
          const missing = question?.querySelector<HTMLElement>("[data-missing]");
          (missing ?? question?.querySelector<HTMLElement>(ANSWERING) ?? question)?.focus({
            preventScroll: true,
          });
        }}
      >
        {t("quiz.questionNumber", { number })}
      </a>
    </span>
  ));
}

/** A submission without an answer from the server. */
export function Waiting({ until, onResend }: { until: string | null; onResend: () => void }) {
  const { t, i18n } = useTranslation();
  const isOnline = useOnline();
  return (
    <div role="status" className={classes.waiting}>
      <p>
        {t(isOnline ? "quiz.waiting.noAnswer" : "quiz.waiting.offline")}
        {until && ` ${t("quiz.waiting.until", { when: preciseMoment(until, new Date(), i18n.language) })}`}
      </p>
      <Button type="button" variant="default" onClick={onResend}>
        {t("quiz.waiting.resend")}
      </Button>
    </div>
  );
}

/** Notice that the author changed the quiz during the attempt; the answers are kept. */
function Changed({ work }: { work: Work }) {
  const { t } = useTranslation();
  if (!work.changes) return null;
  const { changed, added, removed } = work.changes;
  return (
    <div role="status" className={classes.changes}>
      <h3>{t("quiz.changes.title")}</h3>
      <p>{t("quiz.changes.text")}</p>
      <ul>
        {changed.length > 0 && <li>{t("quiz.changes.changed", { count: changed.length })}</li>}
        {added.length > 0 && <li>{t("quiz.changes.added", { count: added.length })}</li>}
        {removed > 0 && <li>{t("quiz.changes.removed", { count: removed })}</li>}
      </ul>
    </div>
  );
}
