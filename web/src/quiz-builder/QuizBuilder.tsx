import { useEffect, useEffectEvent, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { useTranslation } from "../i18n/useTranslation";
import { QUESTIONS_MAX } from "../limits.generated";
import { Quiz } from "../quiz/QuizPart";
import { QuizPageDocument } from "../quiz/QuizState.generated";
import { Button, ButtonLink } from "../ui/Button";
import { moveItem } from "../ui/sorting/moveItem";
import { Sortable } from "../ui/sorting/Sortable";
import { offerUndo } from "../ui/undo";
import { mayLeave } from "../ui/unsaved";
import { AddQuestions, type Pasting } from "./AddQuestions";
import { missingParts } from "./completeness";
import { DrawEditor } from "./DrawEditor";
import { hasDraws, isDraw, isTooSmall, totalPoints } from "./draws";
import {
  type AuthorQuestion,
  type AuthorQuiz,
  copyOf,
  type Kind,
  MAX_DRAWN,
  newQuestion,
  questionCount,
  readQuiz,
} from "./model";
import { OpenQuestion } from "./OpenQuestion";
import { problemsOf } from "./problems";
import { QuestionEditor } from "./QuestionEditor";
import { QuestionHeader } from "./QuestionHeader";
import classes from "./QuizBuilder.module.css";
import { locationOf, type Refusal } from "./refusal";
import { SaveToBankDialog } from "./SaveToBankDialog";
import { Settings } from "./Settings";
import { SourceBar } from "./SourceBar";
import { type BankVersion, updatedFrom } from "./source";
import { TryOut } from "./TryOut";
import { useBanks } from "./useBanks";

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
  /** Whether the page is shown as learners see it. */
  isPreview: boolean;
}

/** Edits the questions and settings of a quiz page. */
export function QuizBuilder(props: QuizBuilderProps & { courseId: string }) {
  const { courseId, pageId, revision, onChange, onSave, isSaved, refusal, isPreview } = props;
  const { t } = useTranslation();
  const quiz = readQuiz(props.quiz);
  const [openId, setOpenId] = useState<string | null>(null);
  /** Id of a new question that was not left yet; its problems are not shown. */
  const [newId, setNewId] = useState<string | null>(null);
  const [pasting, setPasting] = useState<Pasting | null>(null);
  /** The questions to save in a bank. */
  const [saving, setSaving] = useState<readonly AuthorQuestion[] | null>(null);
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
  const banks = useBanks(questions);
  const missing = missingParts(quiz, banks.countOf);
  const isShort = missing.some(({ lack }) => lack === "bankTooSmall");
  const saveHeld = useEffectEvent(onSave);
  // A bank may get its questions elsewhere: then nothing is typed here that would save what was held back.
  const wasShort = useRef(false);
  useEffect(() => {
    if (wasShort.current && !isShort) saveHeld();
    wasShort.current = isShort;
  }, [isShort]);
  const own = questions.filter((question) => !isDraw(question));
  const refused = locationOf(refusal);
  const missingAt = (index: number) => missing.filter(({ question }) => question === index);
  const isQuiet = (question: AuthorQuestion) => question.id === newId;
  const problemAt = (question: AuthorQuestion, index: number) =>
    problemsOf(
      isQuiet(question) ? [] : missingAt(index),
      refused?.question === index ? refusal : null,
      (lack) => t(`quizBuilder.lacks.${lack}`),
    );
  const change = (next: AuthorQuestion[]) => onChange({ ...quiz, questions: next });
  /** Changes the questions as they are at that time. */
  const edit = (how: (question: AuthorQuestion) => AuthorQuestion) =>
    onChange((current) => {
      const now = readQuiz(current);
      return { ...now, questions: now.questions.map(how) };
    });
  const replace = (changed: AuthorQuestion) =>
    change(questions.map((one) => (one.id === changed.id ? changed : one)));
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
    if (questionCount(questions) >= QUESTIONS_MAX || !(await mayClose())) return;
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
  const update = (question: AuthorQuestion, index: number, newer: BankVersion) => {
    // The button that was pressed is gone then.
    flushSync(() => replace(updatedFrom(question, newer)));
    focusHeader(root.current, index);
    offerUndo(t("quizBuilder.source.updated", { number: index + 1 }), () =>
      edit((one) => (one.id === question.id ? question : one)),
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
        note={hasDraws(quiz) ? t("quizBuilder.tryOut.drawn") : null}
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
            {t("quiz.questions", { count: questionCount(questions) })}
            {"\u00a0· "}
            {t("quiz.points", { count: totalPoints(questions) })}
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
                onNext={() =>
                  void add(isDraw(question) ? "single_choice" : (question.type as Kind), index + 1)
                }
                onDuplicate={() => {
                  const copy = copyOf(question);
                  change([...questions.slice(0, index + 1), copy, ...questions.slice(index + 1)]);
                  open(copy.id);
                }}
                onSaveToBank={isDraw(question) ? null : () => setSaving([question])}
                onRemove={() => remove(question, index)}
              >
                {isDraw(question) ? (
                  <DrawEditor
                    draw={question}
                    banks={banks}
                    most={Math.min(MAX_DRAWN, QUESTIONS_MAX - questionCount(questions) + question.count)}
                    isTooSmall={isTooSmall(questions, question, banks.countOf)}
                    onChange={replace}
                    problemAt={problemAt(question, index)}
                  />
                ) : (
                  <>
                    <Newer
                      question={question}
                      newer={banks.originOf(question)?.newer ?? null}
                      onUpdate={(newer) => update(question, index, newer)}
                    />
                    <QuestionEditor
                      // The fields of another version start over.
                      key={question.source?.version}
                      question={question}
                      isNew={question.id === newId}
                      pageId={pageId}
                      onEdit={(change) => edit((one) => (one.id === question.id ? change(one) : one))}
                      onChange={replace}
                      onQuestions={(text) => setPasting({ text, into: question.id })}
                      problemAt={problemAt(question, index)}
                    />
                  </>
                )}
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
              banks={banks.banks}
              origin={banks.originOf(question)}
              onToggle={() => void toggle(question.id)}
            />
          )}
        </Sortable>
      )}
      <AddQuestions
        pageId={pageId}
        questions={questions}
        onAdd={(kind) => void add(kind)}
        onAdded={(next, added) => {
          change(next);
          // After the dialog has given the focus back to the prompt, which may be gone.
          const first = next.findIndex(({ id }) => id === added);
          setTimeout(() => focusHeader(root.current, first), 0);
        }}
        pasting={pasting}
        onPasting={setPasting}
      />
      {own.length > 0 && (
        <Button variant="subtle" className={classes.toBank} onClick={() => setSaving(own)}>
          {t("quizBuilder.toBank.all")}
        </Button>
      )}
      <Settings quiz={quiz} onChange={onChange} />
      {saving && (
        <SaveToBankDialog
          pageId={pageId}
          questions={saving}
          onClose={() => setSaving(null)}
          onSaved={(sources) =>
            edit((one) => {
              const source = one.source ? undefined : sources.get(one.id);
              return source ? { ...one, source } : one;
            })
          }
        />
      )}
    </div>
  );
}

interface NewerProps {
  question: AuthorQuestion;
  newer: BankVersion | null;
  onUpdate: (newer: BankVersion) => void;
}

/** Offers the newer version of the question that this one was copied from. */
function Newer({ question, newer, onUpdate }: NewerProps) {
  return newer && <SourceBar question={question} newer={newer} onUpdate={() => onUpdate(newer)} />;
}

/** Focuses the first field with a problem in an open question, else its header. */
function focusProblem(root: HTMLElement | null, index: number) {
  const header = root?.querySelectorAll<HTMLElement>("[data-header]")[index];
  const field = header
    ?.closest("li")
    ?.querySelector<HTMLElement>("[data-problem] :is([role=textbox], button), [aria-invalid=true]");
  (field ?? header)?.scrollIntoView({ block: "center" });
  (field ?? header)?.focus({ preventScroll: true });
}

function focusHeader(root: HTMLElement | null, index: number) {
  root?.querySelectorAll<HTMLElement>("[data-header]")[index]?.focus();
}
