import { Button } from "@mantine/core";
import { type ReactNode, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { useTranslation } from "react-i18next";
import { addWords } from "../i18n";
import { quiz as quizWords } from "../i18n/ru/quiz";
import { quizBuilder } from "../i18n/ru/quizBuilder";
import { moved } from "../quiz/sorting/moved";
import { Sortable } from "../quiz/sorting/Sortable";
import { wordsOf } from "../quiz/words";
import { IconChevron } from "../ui/icons";
import { showToast } from "../ui/toasts";
import { CopyDialog } from "./CopyDialog";
import { type Lacking, lacksOf } from "./lacks";
import {
  type AuthorQuestion,
  type AuthorQuiz,
  copyOf,
  KINDS,
  type Kind,
  MAX_QUESTIONS,
  newQuestion,
  readQuiz,
} from "./model";
import type { ProblemAt } from "./parts";
import { QuestionEditor } from "./QuestionEditor";
import classes from "./QuizBuilder.module.css";
import { placeOf, type Refusal } from "./refusal";
import { Settings } from "./Settings";
import { TryOut } from "./TryOut";

addWords({ quiz: quizWords, quizBuilder });

interface QuizBuilderProps {
  pageId: string;
  /** The author's document, as it was read or last handed to `onChange`. */
  quiz: unknown;
  /** Raised when the quiz was replaced from outside, as by another version: the fields begin anew. */
  revision: number;
  onChange: (quiz: AuthorQuiz) => void;
  /** Save now: the focus has left. */
  onSave: () => void;
  /** Everything is on the server. */
  isSaved: boolean;
  /** What the server would not take of the last save. */
  refusal: Refusal | null;
  /** A published quiz has to be complete at every save. */
  isPublished: boolean;
  /** The frame shows the page as learners see it. */
  isPreview: boolean;
}

/** The questions of a quiz page and its settings. What becomes of a change is the frame's to say. */
export function QuizBuilder(props: QuizBuilderProps) {
  const { pageId, revision, onChange, onSave, isSaved, refusal, isPublished, isPreview } = props;
  const { t } = useTranslation();
  const quiz = readQuiz(props.quiz);
  const [openId, setOpenId] = useState<string | null>(null);
  /** Just made and not left yet: nobody has to be told that it is empty. */
  const [newId, setNewId] = useState<string | null>(null);
  const [isCopying, setCopying] = useState(false);
  const [isTrying, setTrying] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  // What undoes a deletion is pressed later, when the quiz may be another.
  const now = useRef({ quiz, onChange });
  now.current = { quiz, onChange };

  const { questions } = quiz;
  const lacks = lacksOf(quiz);
  const refused = placeOf(refusal);
  const lacksAt = (index: number) => lacks.filter(({ question }) => question === index);
  const isQuiet = (question: AuthorQuestion) => question.id === newId && !isPublished;
  const change = (next: AuthorQuestion[]) => onChange({ ...quiz, questions: next });
  const open = (id: string | null) => {
    setOpenId(id);
    if (id !== newId) setNewId(null);
  };
  const add = (type: Kind) => {
    const question = newQuestion(type);
    change([...questions, question]);
    setOpenId(question.id);
    setNewId(question.id);
  };
  const remove = (question: AuthorQuestion, index: number) => {
    flushSync(() => change(questions.filter(({ id }) => id !== question.id)));
    focusHeader(root.current, Math.min(index, questions.length - 2));
    showToast({
      kind: "success",
      title: t("quizBuilder.removed", { number: index + 1 }),
      text: "",
      action: {
        label: t("ui.undo"),
        run: () => {
          const { quiz, onChange } = now.current;
          const restored = [...quiz.questions.slice(0, index), question, ...quiz.questions.slice(index)];
          onChange({ ...quiz, questions: restored });
        },
      },
    });
  };

  const stopTrying = () => {
    flushSync(() => setTrying(false));
    root.current?.querySelector<HTMLElement>("[data-try]")?.focus();
  };
  if (isTrying || isPreview) {
    return <TryOut pageId={pageId} isSaved={isSaved} onClose={isPreview ? null : stopTrying} />;
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
      {isPublished && lacks.length > 0 && (
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
          onMove={(from, to) => change([...moved(questions, from, to)])}
          below={(question, index) =>
            question.id === openId && (
              <OpenQuestion
                refusal={refused?.question === index ? (refusal?.message ?? null) : null}
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
                  onChange={(changed) =>
                    change(questions.map((one) => (one.id === changed.id ? changed : one)))
                  }
                  problemAt={problemsOf(
                    lacksAt(index),
                    isQuiet(question),
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
              isLacking={lacksAt(index).length > 0 && !isQuiet(question)}
              onToggle={() => open(question.id === openId ? null : question.id)}
            />
          )}
        </Sortable>
      )}
      <fieldset className={classes.add} disabled={questions.length >= MAX_QUESTIONS}>
        <legend>{t("quizBuilder.add")}</legend>
        {KINDS.map((kind) => (
          <button key={kind} type="button" onClick={() => add(kind)}>
            {t(`quizBuilder.kinds.${kind}`)}
          </button>
        ))}
        <button type="button" className={classes.copy} onClick={() => setCopying(true)}>
          {t("quizBuilder.copy.open")}
        </button>
      </fieldset>
      <Settings quiz={quiz} onChange={onChange} />
      {isCopying && (
        <CopyDialog
          pageId={pageId}
          onClose={() => setCopying(false)}
          onCopy={(copies) => {
            setCopying(false);
            change([...questions, ...copies].slice(0, MAX_QUESTIONS));
          }}
        />
      )}
    </div>
  );
}

interface QuestionHeaderProps {
  question: AuthorQuestion;
  /** From 1. */
  number: number;
  isOpen: boolean;
  isLacking: boolean;
  onToggle: () => void;
}

/** A question in a line, which opens it. */
function QuestionHeader({ question, number, isOpen, isLacking, onToggle }: QuestionHeaderProps) {
  const { t } = useTranslation();
  const words =
    wordsOf(question.prompt, 90) || (question.type === "fill_blank" ? wordsOf(question.text, 90) : "");
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
            {isLacking && <span className={classes.lacking}>{t("quizBuilder.incomplete")}</span>}
          </span>
        </span>
      </button>
    </h3>
  );
}

interface OpenQuestionProps {
  /** What the server said of it. */
  refusal: string | null;
  onDuplicate: () => void;
  onRemove: () => void;
  children: ReactNode;
}

function OpenQuestion({ refusal, onDuplicate, onRemove, children }: OpenQuestionProps) {
  const { t } = useTranslation();
  return (
    <div className={classes.body}>
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

/** What to say at a place of a question: what it lacks, or what the server said of it. */
function problemsOf(
  found: readonly Lacking[],
  isQuiet: boolean,
  refusal: Refusal | null,
  words: (lack: Lacking["lack"]) => string,
): ProblemAt {
  const refusedAt = placeOf(refusal)?.at;
  return (at) => {
    const lacking = isQuiet ? undefined : found.find((one) => one.at === at);
    if (lacking) return words(lacking.lack);
    return refusal && refusedAt === at ? refusal.message : null;
  };
}

function sum(questions: readonly AuthorQuestion[]): number {
  const parts = questions.reduce((total, { points }) => total + Math.round(points * 10_000), 0);
  return parts / 10_000;
}

function focusHeader(root: HTMLElement | null, index: number) {
  root?.querySelectorAll<HTMLElement>("[data-header]")[index]?.focus();
}
