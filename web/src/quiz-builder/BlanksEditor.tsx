import { useRef } from "react";
import { useTranslation } from "../i18n/useTranslation";
import { AcceptedList } from "./AcceptedList";
import { type Blank, type BlanksQuestion, blanksIn, newChoice } from "./model";
import { OptionsEditor } from "./OptionsEditor";
import type { ProblemAt } from "./parts";
import classes from "./QuestionEditor.module.css";
import { RichField } from "./RichField";

interface BlanksEditorProps {
  question: BlanksQuestion;
  onChange: (question: BlanksQuestion) => void;
  problemAt: ProblemAt;
}

/** Edits a text with blanks and the answers of each blank. The text determines which blanks exist. */
export function BlanksEditor({ question, onChange, problemAt }: BlanksEditorProps) {
  const { t } = useTranslation();
  // A deleted blank that comes back, such as by undo, gets its answers back.
  const known = useRef(new Map<string, Blank>());
  for (const blank of question.blanks) known.current.set(blank.id, blank);
  const changeText = (text: unknown) => {
    const blanks = [...new Set(blanksIn(text))].map(
      (id): Blank => known.current.get(id) ?? { id, accepted: [""] },
    );
    onChange({ ...question, text, blanks });
  };
  const change = (changed: Blank) =>
    onChange({
      ...question,
      blanks: question.blanks.map((blank) => (blank.id === changed.id ? changed : blank)),
    });
  return (
    <>
      <RichField
        label={t("quizBuilder.blanks.text")}
        isLabelSeen
        hasBlanks
        onBlank={(id, text) => known.current.set(id, { id, accepted: [text] })}
        value={question.text}
        onChange={changeText}
        problem={problemAt("text")}
      />
      {question.blanks.map((blank, index) => {
        const isChosen = "options" in blank;
        return (
          <fieldset key={blank.id} className={classes.blank}>
            <legend>{t("quiz.blank", { number: index + 1 })}</legend>
            <div className={classes.ways}>
              {(["write", "choose"] as const).map((way) => (
                <label key={way}>
                  <input
                    type="radio"
                    name={`way-${blank.id}`}
                    checked={isChosen === (way === "choose")}
                    onChange={() => change(switched(blank))}
                  />
                  {t(`quizBuilder.blanks.${way}`)}
                </label>
              ))}
            </div>
            {"options" in blank ? (
              <OptionsEditor
                name={blank.id}
                isSingle={false}
                options={blank.options}
                onChange={(options) => change({ id: blank.id, options })}
                problemAt={(at) => problemAt(`blanks[${index}].options${at}`)}
              />
            ) : (
              <AcceptedList
                accepted={blank.accepted}
                onChange={(accepted) => change({ id: blank.id, accepted })}
                problem={problemAt(`blanks[${index}].accepted`)}
              />
            )}
          </fieldset>
        );
      })}
    </>
  );
}

/** Converts a blank between accepted texts and options: accepted texts become right options, and right options their text. */
function switched(blank: Blank): Blank {
  if ("options" in blank) return { id: blank.id, accepted: [""] };
  const written = blank.accepted.filter((text) => text.trim() !== "");
  const right = written.map((text) => ({
    ...newChoice("", true),
    content: { type: "doc", content: [{ type: "paragraph", content: [{ type: "text", text }] }] },
  }));
  return { id: blank.id, options: [...(right.length > 0 ? right : [newChoice("", true)]), newChoice()] };
}
