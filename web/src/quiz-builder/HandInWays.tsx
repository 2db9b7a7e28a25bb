import { type ReactNode, useId, useState } from "react";
import { useTranslation } from "../i18n/useTranslation";
import { MAX_FILES_MAX, MAX_LINKS_MAX } from "../limits.generated";
import { Checkbox } from "../ui/Checkbox";
import { NumberField } from "./AnswerEditor";
import classes from "./AssignmentBuilder.module.css";
import { FileKindsField } from "./FileKindsField";
import type { HandInQuestion } from "./model";
import type { ProblemAt } from "./parts";
import { WordLimits } from "./WordLimits";

interface HandInWaysProps {
  question: HandInQuestion;
  onChange: (question: HandInQuestion) => void;
  problemAt: ProblemAt;
}

/** How many files or links a way begins with when it is switched on. */
const FILES = 5;
const LINKS = 1;

/** Edits what an assignment accepts: a text, files and links, each with its limits. */
export function HandInWays({ question, onChange, problemAt }: HandInWaysProps) {
  const { t } = useTranslation();
  const id = useId();
  const { takes_text, max_files, max_links, extensions } = question;
  /** The numbers to return to when a way that was switched off is switched on again. */
  const [last, setLast] = useState({ files: max_files || FILES, links: max_links || LINKS });
  const problem = problemAt("takes_text");
  const way = (name: "text" | "files" | "links", isOn: boolean, toggle: () => void, limits: ReactNode) => (
    <div className={classes.way} data-on={isOn || undefined}>
      <Checkbox
        label={t(`quizBuilder.handIn.ways.${name}`)}
        hint={t(`quizBuilder.handIn.wayHints.${name}`)}
        checked={isOn}
        onChange={toggle}
      />
      {isOn && <div className={classes.limits}>{limits}</div>}
    </div>
  );
  return (
    <fieldset
      className={classes.ways}
      aria-describedby={`${id}-problem`}
      data-problem={problem ? "" : undefined}
    >
      <legend>{t("quizBuilder.handIn.accepts")}</legend>
      {way(
        "text",
        takes_text,
        () => onChange({ ...question, takes_text: !takes_text }),
        <WordLimits
          min_words={question.min_words}
          max_words={question.max_words}
          onChange={(limits) => onChange({ ...question, ...limits })}
          problemAt={problemAt}
        />,
      )}
      {way(
        "files",
        max_files > 0,
        () => onChange({ ...question, max_files: max_files > 0 ? 0 : last.files }),
        <>
          <div className={classes.number}>
            <NumberField
              label={t("quizBuilder.files.maxFiles")}
              value={max_files}
              isWhole
              min={1}
              max={MAX_FILES_MAX}
              problem={problemAt("max_files")}
              onChange={(value) => {
                if (value === null) return;
                setLast({ ...last, files: value });
                onChange({ ...question, max_files: value });
              }}
            />
          </div>
          <FileKindsField
            extensions={extensions}
            onChange={(changed) => onChange({ ...question, extensions: changed })}
            problem={problemAt("extensions")}
          />
        </>,
      )}
      {way(
        "links",
        max_links > 0,
        () => onChange({ ...question, max_links: max_links > 0 ? 0 : last.links }),
        <div className={classes.number}>
          <NumberField
            label={t("quizBuilder.handIn.maxLinks")}
            value={max_links}
            isWhole
            min={1}
            max={MAX_LINKS_MAX}
            problem={problemAt("max_links")}
            onChange={(value) => {
              if (value === null) return;
              setLast({ ...last, links: value });
              onChange({ ...question, max_links: value });
            }}
          />
        </div>,
      )}
      <p id={`${id}-problem`} role="status" className={classes.problem}>
        {problem}
      </p>
    </fieldset>
  );
}
