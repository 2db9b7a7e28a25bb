import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { useTranslation } from "../i18n/useTranslation";
import { QUESTIONS_MAX } from "../limits.generated";
import { Quiz } from "../quiz/QuizPart";
import { QuizPageDocument } from "../quiz/QuizState.generated";
import { shortText } from "../quiz/shortText";
import { Button, ButtonLink } from "../ui/Button";
import { IconChevron } from "../ui/icons";
import { moveItem } from "../ui/sorting/moveItem";
import { Sortable } from "../ui/sorting/Sortable";
import { offerUndo } from "../ui/undo";
import { mayLeave } from "../ui/unsaved";
import { CopyDialog } from "./CopyDialog";
import { missingParts } from "./completeness";
import {
  type AuthorQuestion,
  type AuthorQuiz,
  copyOf,
  KINDS,
  type Kind,
  newQuestion,
  readQuiz,
  withPasted,
} from "./model";
import { PasteDialog } from "./PasteDialog";
import { problemsOf } from "./problems";
import { QuestionEditor } from "./QuestionEditor";
import classes from "./QuizBuilder.module.css";
import { locationOf, type Refusal } from "./refusal";
import { Settings } from "./Settings";
import { TryOut } from "./TryOut";

export interface QuizBuilderProps {
  pageId: string;
  /** The author's quiz, as it was read or last passed to `onChange`. */
  quiz: unknown;
  /** The question to open at its first problem, by its index; a new object each time. */
  wanted: { question: number } | null;
  /** Rises when the quiz is replaced from outside, such as by a restored version; the fields then start over. */
  revision: number;
  /** Takes the new quiz, or a function of the quiz at that time. */
  onChange: (change: AuthorQuiz | ((quiz: unknown) => AuthorQuiz)) => void;
  /** Saves now; called when a field loses the focus. */
  onSave: () => void;
  /** Whether everything is on the server. */
  isSaved: boolean;
  /** The server's refusal of the last save. */
  refusal: Refusal | null;
  /** The server refuses incomplete saves of a published quiz. */
  isPublished: boolean;
  /** Whether the page is shown as learners see it. */
  isPreview: boolean;
}

/** Edits the questions and settings of a quiz page. */
export function QuizBuilder(props: QuizBuilderProps & { courseId: string }) {
  const { courseId, pageId, revision, onChange, onSave, isSaved, refusal, isPublished, isPreview } = props;
  const { t } = useTranslation();
  const quiz = readQuiz(props.quiz);
  const [openId, setOpenId] = useState<string | null>(null);
  /** Id of a new question that was not left yet; its problems are not shown. */
  const [newId, setNewId] = useState<string | null>(null);
  const [isCopying, setCopying] = useState(false);
  /** The text to begin with, and the question whose prompt it was pasted into. */
  const [pasting, setPasting] = useState<{ text: string; into: string | null } | null>(null);
  const [isTrying, setTrying] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  const showWanted = useEffectEvent((question: number) => {
    const id = questions[question]?.id;
    if (!id) return;
    flushSync(() => {
      setTrying(false);
      setOpenId(id);
      setNewId(null);
    });
    focusProblem(root.current, question);
  });
  // After the dialog that leads here, which gives the focus back when it closes.
  useEffect(() => {
    if (!props.wanted) return;
    const { question } = props.wanted;
    const timer = setTimeout(() => showWanted(question), 0);
    return () => clearTimeout(timer);
  }, [props.wanted]);

  const { questions } = quiz;
  const missing = missingParts(quiz);
  const refused = locationOf(refusal);
  const missingAt = (index: number) => missing.filter(({ question }) => question === index);
  const isQuiet = (question: AuthorQuestion) => question.id === newId;
  const change = (next: AuthorQuestion[]) => onChange({ ...quiz, questions: next });
  const open = (id: string | null) => {
    setOpenId(id);
    if (id !== newId) setNewId(null);
  };
  /** Asks before the open question closes with a number in it that cannot be saved. */
  const mayClose = async () => {
    const opened = root.current?.querySelector("[data-open-question]");
    return !opened || mayLeave(opened);
  };
  const toggle = async (id: string) => {
    if (await mayClose()) open(id === openId ? null : id);
  };
  const add = async (type: Kind, at = questions.length) => {
    if (questions.length >= QUESTIONS_MAX || !(await mayClose())) return;
    const question = newQuestion(type);
    change([...questions.slice(0, at), question, ...questions.slice(at)]);
    setOpenId(question.id);
    setNewId(question.id);
  };
  const remove = (question: AuthorQuestion, index: number) => {
    flushSync(() => change(questions.filter(({ id }) => id !== question.id)));
    focusHeader(root.current, Math.min(index, questions.length - 2));
    offerUndo(t("quizBuilder.removed", { number: index + 1 }), () =>
      // Undo applies to the quiz as it is then, which may have changed since the deletion.
      onChange((current) => {
        const quiz = readQuiz(current);
        const { questions } = quiz;
        return {
          ...quiz,
          questions: [...questions.slice(0, index), question, ...questions.slice(index)],
        };
      }),
    );
  };

  const stopTrying = () => {
    flushSync(() => setTrying(false));
    root.current?.querySelector<HTMLElement>("[data-try]")?.focus();
  };
  if (isTrying || isPreview) {
    return (
      <TryOut
        pageId={pageId}
        of="quiz"
        query={QuizPageDocument}
        // A try-out stores no draft, so it needs no user.
        show={(page) => <Quiz key={page.version} page={page} userId="" mode="try" />}
        isSaved={isSaved}
        onClose={isPreview ? null : stopTrying}
      />
    );
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only hears that the focus has left one of its fields
    <div ref={root} className={classes.builder} onBlur={onSave}>
      <div className={classes.head}>
        <h2>{t("quizBuilder.title")}</h2>
        {questions.length > 0 && (
          <p className={classes.facts}>
            {t("quiz.questions", { count: questions.length })}
            {"\u00a0· "}
            {t("quiz.points", { count: sum(questions) })}
          </p>
        )}
        <ButtonLink
          variant="subtle"
          to="/edit-course/$courseId"
          params={{ courseId }}
          search={{ tab: "students", view: "analysis", part: pageId }}
        >
          {t("quizBuilder.analysis")}
        </ButtonLink>
        <Button
          variant="default"
          data-try
          disabled={questions.length === 0}
          onClick={() => {
            onSave();
            setTrying(true);
          }}
        >
          {t("quizBuilder.tryOut.open")}
        </Button>
      </div>
      {isPublished && missing.length > 0 && (
        <p role="status" className={classes.warning}>
          {t("quizBuilder.publishedIncomplete")}
        </p>
      )}
      {questions.length === 0 ? (
        <p className={classes.empty}>{t("quizBuilder.empty")}</p>
      ) : (
        <Sortable
          key={revision}
          items={questions}
          idOf={({ id }) => id}
          nameOf={(_, index) => t("quizBuilder.question", { number: index + 1 })}
          label={t("quizBuilder.title")}
          className={classes.questions}
          onMove={(from, to) => change([...moveItem(questions, from, to)])}
          below={(question, index) =>
            question.id === openId && (
              <OpenQuestion
                refusal={refused?.question === index ? (refusal?.message ?? null) : null}
                onNext={() => void add(question.type as Kind, index + 1)}
                onDuplicate={() => {
                  const copy = copyOf(question);
                  change([...questions.slice(0, index + 1), copy, ...questions.slice(index + 1)]);
                  open(copy.id);
                }}
                onRemove={() => remove(question, index)}
              >
                <QuestionEditor
                  question={question}
                  isNew={question.id === newId}
                  pageId={pageId}
                  onEdit={(change) =>
                    onChange((current) => {
                      const quiz = readQuiz(current);
                      const edited = quiz.questions.map((one) =>
                        one.id === question.id ? change(one) : one,
                      );
                      return { ...quiz, questions: edited };
                    })
                  }
                  onChange={(changed) =>
                    change(questions.map((one) => (one.id === changed.id ? changed : one)))
                  }
                  onQuestions={(text) => setPasting({ text, into: question.id })}
                  problemAt={problemsOf(
                    isQuiet(question) ? [] : missingAt(index),
                    refused?.question === index ? refusal : null,
                    (lack) => t(`quizBuilder.lacks.${lack}`),
                  )}
                />
              </OpenQuestion>
            )
          }
        >
          {(question, index) => (
            <QuestionHeader
              question={question}
              number={index + 1}
              isOpen={question.id === openId}
              isIncomplete={missingAt(index).length > 0 && !isQuiet(question)}
              onToggle={() => void toggle(question.id)}
            />
          )}
        </Sortable>
      )}
      <fieldset className={classes.add} disabled={questions.length >= QUESTIONS_MAX}>
        <legend>{t("quizBuilder.add")}</legend>
        {KINDS.map((kind) => (
          <button key={kind} type="button" onClick={() => void add(kind)}>
            {t(`quizBuilder.kinds.${kind}`)}
          </button>
        ))}
        <button type="button" className={classes.copy} onClick={() => setPasting({ text: "", into: null })}>
          {t("quizBuilder.paste.open")}
        </button>
        <button type="button" className={classes.copy} onClick={() => setCopying(true)}>
          {t("quizBuilder.copy.open")}
        </button>
      </fieldset>
      <Settings quiz={quiz} onChange={onChange} />
      {pasting && (
        <PasteDialog
          subject={pageId}
          initialText={pasting.text}
          onClose={() => setPasting(null)}
          onAdd={(added) => {
            setPasting(null);
            const next = withPasted(questions, added, pasting.into);
            change(next);
            // After the dialog has given the focus back to the prompt, which may be gone.
            const first = next.findIndex(({ id }) => id === added[0]?.id);
            setTimeout(() => focusHeader(root.current, first), 0);
          }}
        />
      )}
      {isCopying && (
        <CopyDialog
          pageId={pageId}
          onClose={() => setCopying(false)}
          onCopy={(copies) => {
            setCopying(false);
            change([...questions, ...copies].slice(0, QUESTIONS_MAX));
          }}
        />
      )}
    </div>
  );
}

interface QuestionHeaderProps {
  question: AuthorQuestion;
  /** Position from 1. */
  number: number;
  isOpen: boolean;
  isIncomplete: boolean;
  onToggle: () => void;
}

/** The summary line of a question, which expands it. */
function QuestionHeader({ question, number, isOpen, isIncomplete, onToggle }: QuestionHeaderProps) {
  const { t } = useTranslation();
  const words =
    shortText(question.prompt, 90) || (question.type === "fill_blank" ? shortText(question.text, 90) : "");
  return (
    <h3 className={classes.header}>
      <button type="button" data-header aria-expanded={isOpen} onClick={onToggle}>
        <IconChevron size={16} className={classes.chevron} />
        <span className={classes.number}>{number}.</span>
        <span className={classes.words}>
          {words || <span className={classes.untitled}>{t("quizBuilder.untitled", { number })}</span>}
          <span className={classes.kind}>
            {t(`quizBuilder.kinds.${question.type}`)}
            {"\u00a0· "}
            {t("quiz.points", { count: question.points })}
            {isIncomplete && <span className={classes.lacking}>{t("quizBuilder.incomplete")}</span>}
          </span>
        </span>
      </button>
    </h3>
  );
}

interface OpenQuestionProps {
  /** The server's message about the question. */
  refusal: string | null;
  /** Adds a question below. */
  onNext: () => void;
  onDuplicate: () => void;
  onRemove: () => void;
  children: ReactNode;
}

function OpenQuestion({ refusal, onNext, onDuplicate, onRemove, children }: OpenQuestionProps) {
  const { t } = useTranslation();
  return (
    <div
      className={classes.body}
      data-open-question
      // Before the field, in which Ctrl+Enter means something else.
      onKeyDownCapture={(event) => {
        if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey) || !event.shiftKey) return;
        event.preventDefault();
        event.stopPropagation();
        if (!event.repeat) onNext();
      }}
    >
      {refusal && (
        <p role="alert" className={classes.refusal}>
          {refusal}
        </p>
      )}
      {children}
      <div className={classes.actions}>
        <button type="button" onClick={onDuplicate}>
          {t("quizBuilder.duplicate")}
        </button>
        <button type="button" className={classes.removing} onClick={onRemove}>
          {t("quizBuilder.removeQuestion")}
        </button>
      </div>
    </div>
  );
}

function sum(questions: readonly AuthorQuestion[]): number {
  const parts = questions.reduce((total, { points }) => total + Math.round(points * 10_000), 0);
  return parts / 10_000;
}

/** Focuses the first field with a problem in an open question, else its header. */
function focusProblem(root: HTMLElement | null, index: number) {
  const header = root?.querySelectorAll<HTMLElement>("[data-header]")[index];
  const field = header
    ?.closest("li")
    ?.querySelector<HTMLElement>("[data-problem] [role=textbox], [aria-invalid=true]");
  (field ?? header)?.scrollIntoView({ block: "center" });
  (field ?? header)?.focus({ preventScroll: true });
}

function focusHeader(root: HTMLElement | null, index: number) {
  root?.querySelectorAll<HTMLElement>("[data-header]")[index]?.focus();
}
