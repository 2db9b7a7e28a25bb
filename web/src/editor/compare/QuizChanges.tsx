import { type ReactNode, useState } from "react";
import { QuestionView } from "../../banks/QuestionView";
import { BlanksContext } from "../../content/blanks";
import { isNode, plainText } from "../../content/model";
import { useTranslation } from "../../i18n/useTranslation";
import { type AuthorQuestion, blanksIn } from "../../quiz-builder/model";
import { Frame } from "./BlockChanges";
import type { QuizChanges as Changes, QuestionChange } from "./diffQuiz";
import { FieldChanges } from "./FieldChanges";
import styles from "./PageDiff.module.css";

/** What has changed in a quiz. */
export function QuizChanges({ changes }: { changes: Changes }) {
  const { t } = useTranslation();
  return (
    <>
      <h3 className={styles.section}>{t("compare.quiz")}</h3>
      {changes.settings.length > 0 && (
        <Frame kind="changed" label={t("compare.quizSettings")}>
          <FieldChanges fields={changes.settings} />
        </Frame>
      )}
      {groupsOf(changes.questions).map((group) =>
        Array.isArray(group) ? (
          <UnchangedQuestions key={group[0]?.id} questions={group} />
        ) : (
          <Question key={`${group.kind} ${group.id}`} change={group} />
        ),
      )}
    </>
  );
}

/** Consecutive questions without changes are one group. */
function groupsOf(questions: QuestionChange[]): (QuestionChange | QuestionChange[])[] {
  const groups: (QuestionChange | QuestionChange[])[] = [];
  for (const question of questions) {
    const last = groups.at(-1);
    if (question.kind !== "same" || question.isMoved) groups.push(question);
    else if (Array.isArray(last)) last.push(question);
    else groups.push([question]);
  }
  return groups;
}

function Question({ change }: { change: QuestionChange }) {
  const { t } = useTranslation();
  const { kind, isMoved, before, after, question, fields } = change;
  const label = [
    t("compare.question", { number: after ?? before }),
    ...(kind === "same" ? [] : [t(`compare.questions.${kind}`)]),
    ...(isMoved ? [t("compare.questions.moved"), t("compare.wasQuestion", { number: before })] : []),
  ].join(", ");
  const hasPrompt = fields.some(({ name }) => name === "prompt" || name === "blankText");
  return (
    <Frame kind={kind === "same" ? "moved" : kind} label={label}>
      {kind === "changed" ? (
        <NumberedBlanks question={question}>
          {!hasPrompt && <p className={styles.prompt}>{promptOf(question)}</p>}
          <FieldChanges fields={fields} />
        </NumberedBlanks>
      ) : (
        <QuestionView question={question} />
      )}
    </Frame>
  );
}

/** The first line that says which question it is. */
function promptOf(question: AuthorQuestion): string {
  const document = question.type === "fill_blank" ? question.text : question.prompt;
  return isNode(document) ? plainText(document) : "";
}

/** Shows the blanks of a text by their numbers. */
function NumberedBlanks({ question, children }: { question: AuthorQuestion; children: ReactNode }) {
  const inText = question.type === "fill_blank" ? blanksIn(question.text) : [];
  const draw = (id: string) => <span className={styles.blank}>{inText.indexOf(id) + 1 || "×"}</span>;
  return <BlanksContext value={draw}>{children}</BlanksContext>;
}

function UnchangedQuestions({ questions }: { questions: QuestionChange[] }) {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  if (!open)
    return (
      <button type="button" className={styles.folded} onClick={() => setOpen(true)}>
        {t("compare.unchangedQuestions", { count: questions.length })}
      </button>
    );
  return questions.map(({ id, question, after }) => (
    <section key={id} className={styles.question}>
      <h4 className={styles.label}>{t("compare.question", { number: after })}</h4>
      <QuestionView question={question} />
    </section>
  ));
}
