import type { ReactNode } from "react";
import { Document } from "../content/Document";
import { useTranslation } from "../i18n/useTranslation";
import { shortText } from "../quiz/shortText";
import { IconCheck } from "../ui/icons";
import { VisuallyHidden } from "../ui/VisuallyHidden";
import { type AuthorQuestion, type Blank, blanksIn, type Choice } from "./model";
import { numberText } from "./numbers";
import classes from "./QuestionView.module.css";

/** A question with its right answers, to be read. */
export function QuestionView({ question }: { question: AuthorQuestion }) {
  const { t } = useTranslation();
  return (
    <div className={classes.question}>
      {shortText(question.prompt) !== "" && <Document content={question.prompt} atOnce />}
      <RightAnswer question={question} />
      {question.explanation != null && (
        <Part label={t("quiz.explanation")}>
          <Document content={question.explanation} atOnce />
        </Part>
      )}
    </div>
  );
}

function RightAnswer({ question }: { question: AuthorQuestion }) {
  const { t } = useTranslation();
  switch (question.type) {
    case "single_choice":
    case "multiple_choice":
      return <Options options={question.options} />;
    case "short_text":
      return (
        <Part label={t("quizBuilder.accepted.legend")}>
          <Texts texts={[...question.accepted, ...(question.regex ? [question.regex] : [])]} />
        </Part>
      );
    case "numeric": {
      const { value, tolerance, tolerance_percent } = question;
      const deviation =
        tolerance_percent === null
          ? numberText(tolerance)
          : t("common.percent", { percent: tolerance_percent });
      return (
        <p>
          {value !== null && numberText(value)} ± {deviation}
        </p>
      );
    }
    case "matching":
      return (
        <ul className={classes.list}>
          {question.pairs.map(({ id, left, right }) => (
            <li key={id} className={classes.pair}>
              <Document content={left} atOnce />
              <Document content={right} atOnce />
            </li>
          ))}
        </ul>
      );
    case "ordering":
      return (
        <ol>
          {question.items.map(({ id, content }) => (
            <li key={id}>
              <Document content={content} atOnce />
            </li>
          ))}
        </ol>
      );
    case "fill_blank":
      return <FilledText text={question.text} blanks={question.blanks} />;
    case "essay":
    case "file_upload":
    case "hand_in":
      return <p className={classes.dim}>{t("quizBuilder.source.byPerson")}</p>;
    case "draw":
      return null;
  }
}

function Options({ options }: { options: readonly Choice[] }) {
  const { t } = useTranslation();
  return (
    <ul className={classes.list}>
      {options.map(({ id, content, correct }) => (
        <li key={id} className={classes.option} data-right={correct || undefined}>
          {correct ? <IconCheck size={18} /> : <span />}
          <div>
            <Document content={content} atOnce />
            {correct && <VisuallyHidden>{t("quiz.verdict.right")}</VisuallyHidden>}
          </div>
        </li>
      ))}
    </ul>
  );
}

function FilledText({ text, blanks }: { text: unknown; blanks: readonly Blank[] }) {
  const { t } = useTranslation();
  const inOrder = blanksIn(text).flatMap((id) => blanks.find((blank) => blank.id === id) ?? []);
  return (
    <>
      <p>{shortText(text, Number.MAX_SAFE_INTEGER)}</p>
      <ol>
        {inOrder.map((blank) => (
          <li key={blank.id}>
            {"options" in blank ? <Options options={blank.options} /> : <Texts texts={blank.accepted} />}
          </li>
        ))}
      </ol>
      {inOrder.length < blanks.length && <p className={classes.dim}>{t("quizBuilder.lacks.blankInText")}</p>}
    </>
  );
}

function Texts({ texts }: { texts: readonly string[] }) {
  return <p>{texts.join(" · ")}</p>;
}

function Part({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <p className={classes.label}>{label}</p>
      {children}
    </div>
  );
}
