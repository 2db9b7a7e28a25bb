import { useRef, useState } from "react";
import { useLeaveQuestion } from "../forms/useLeaveGuard";
import { useTranslation } from "../i18n/useTranslation";
import { REGEX_MAX } from "../limits.generated";
import { Checkbox } from "../ui/Checkbox";
import { Select } from "../ui/Select";
import { AcceptedList } from "./AcceptedList";
import { BlanksEditor } from "./BlanksEditor";
import { ChoiceEditor } from "./ChoiceEditor";
import { EssayEditor } from "./EssayEditor";
import { FileUploadEditor } from "./FileUploadEditor";
import { FormulaEditor } from "./FormulaEditor";
import { HotspotEditor } from "./hotspot/HotspotEditor";
import {
  type AuthorQuestion,
  type FormulaQuestion,
  type NumericQuestion,
  newItem,
  newPair,
  type TextQuestion,
} from "./model";
import { numberText, readDecimal } from "./numbers";
import { Parts, type ProblemAt, TextField } from "./parts";
import classes from "./QuestionEditor.module.css";
import { RichField } from "./RichField";
import { UnitsEditor } from "./UnitsEditor";

export interface AnswerEditorProps<Q extends AuthorQuestion = AuthorQuestion> {
  question: Q;
  onChange: (question: Q) => void;
  /** Changes the question as it is at that time, for what is undone later. */
  onEdit: (change: (question: AuthorQuestion) => AuthorQuestion) => void;
  problemAt: ProblemAt;
}

/** Edits the right answer of a question, by its type. */
export function AnswerEditor({ question, onChange, onEdit, problemAt }: AnswerEditorProps) {
  const { t } = useTranslation();
  switch (question.type) {
    case "single_choice":
    case "multiple_choice":
      return <ChoiceEditor question={question} onChange={onChange} onEdit={onEdit} problemAt={problemAt} />;
    case "short_text":
      return <TextEditor question={question} onChange={onChange} problemAt={problemAt} />;
    case "numeric":
      return <NumericEditor question={question} onChange={onChange} problemAt={problemAt} />;
    case "formula":
      return <FormulaEditor question={question} onChange={onChange} problemAt={problemAt} />;
    case "matching":
      return (
        <fieldset className={classes.group}>
          <legend>{t("quizBuilder.pairs.legend")}</legend>
          <Parts
            parts={question.pairs}
            label={t("quizBuilder.pairs.legend")}
            contentOf={({ left }) => left}
            onChange={(pairs) => onChange({ ...question, pairs })}
            make={newPair}
            addLabel={t("quizBuilder.pairs.add")}
            problem={problemAt("pairs")}
          >
            {(pair, index, { change, isNew, addBelow }) => (
              <div className={classes.pair}>
                <RichField
                  autoFocus={isNew}
                  label={t("quizBuilder.pairs.left", { number: index + 1 })}
                  value={pair.left}
                  onChange={(left) => change({ ...pair, left })}
                  problem={problemAt(`pairs[${index}].left`)}
                />
                <RichField
                  onEnter={addBelow}
                  label={t("quizBuilder.pairs.right", { number: index + 1 })}
                  value={pair.right}
                  onChange={(right) => change({ ...pair, right })}
                  problem={problemAt(`pairs[${index}].right`)}
                />
              </div>
            )}
          </Parts>
        </fieldset>
      );
    case "ordering":
      return (
        <fieldset className={classes.group}>
          <legend>{t("quizBuilder.items.legend")}</legend>
          <p className={classes.hint}>{t("quizBuilder.items.hint")}</p>
          <Parts
            parts={question.items}
            label={t("quizBuilder.items.legend")}
            contentOf={({ content }) => content}
            onChange={(items) => onChange({ ...question, items })}
            make={newItem}
            addLabel={t("quizBuilder.items.add")}
            problem={problemAt("items")}
          >
            {(item, index, { change, isNew, room, addBelow, addTexts }) => (
              <RichField
                autoFocus={isNew}
                onEnter={addBelow}
                maxLines={room}
                onLines={addTexts}
                label={t("quizBuilder.items.item", { number: index + 1 })}
                value={item.content}
                onChange={(content) => change({ ...item, content })}
                problem={problemAt(`items[${index}].content`)}
              />
            )}
          </Parts>
        </fieldset>
      );
    case "hotspot":
      return <HotspotEditor question={question} onChange={onChange} onEdit={onEdit} problemAt={problemAt} />;
    case "essay":
      return <EssayEditor question={question} onChange={onChange} problemAt={problemAt} />;
    case "file_upload":
      return <FileUploadEditor question={question} onChange={onChange} problemAt={problemAt} />;
    case "fill_blank":
      return <BlanksEditor question={question} onChange={onChange} problemAt={problemAt} />;
  }
}

function TextEditor({ question, onChange, problemAt }: Omit<AnswerEditorProps<TextQuestion>, "onEdit">) {
  const { t } = useTranslation();
  return (
    <fieldset className={classes.group}>
      <legend>{t("quizBuilder.accepted.legend")}</legend>
      <p className={classes.hint}>{t("quizBuilder.accepted.hint")}</p>
      <AcceptedList
        accepted={question.accepted}
        onChange={(accepted) => onChange({ ...question, accepted })}
        problem={problemAt("accepted")}
      />
      <Checkbox
        label={t("quizBuilder.accepted.caseSensitive")}
        checked={question.case_sensitive}
        onChange={(event) => onChange({ ...question, case_sensitive: event.currentTarget.checked })}
      />
      <details className={classes.more} open={question.regex !== null || undefined}>
        <summary>{t("quizBuilder.accepted.more")}</summary>
        <TextField
          label={t("quizBuilder.accepted.regex")}
          hint={t("quizBuilder.accepted.regexHint")}
          className={classes.mono}
          value={question.regex ?? ""}
          maxLength={REGEX_MAX}
          spellCheck={false}
          problem={problemAt("regex")}
          onChange={(event) => onChange({ ...question, regex: event.currentTarget.value || null })}
        />
      </details>
    </fieldset>
  );
}

function NumericEditor({
  question,
  onChange,
  problemAt,
}: Omit<AnswerEditorProps<NumericQuestion>, "onEdit">) {
  const { t } = useTranslation();
  return (
    <>
      <div className={classes.numbers}>
        <NumberField
          label={t("quizBuilder.numeric.value")}
          value={question.value}
          isOptional
          problem={problemAt("value")}
          onChange={(value) => onChange({ ...question, value })}
        />
        <ToleranceFields question={question} onChange={onChange} problemAt={problemAt} />
      </div>
      <UnitsEditor
        units={question.units ?? []}
        onChange={(units) => onChange({ ...question, units })}
        problemAt={problemAt}
      />
    </>
  );
}

/** The allowed deviation of a number, in its units or in percent. */
export function ToleranceFields<Q extends NumericQuestion | FormulaQuestion>({
  question,
  onChange,
  problemAt,
}: Omit<AnswerEditorProps<Q>, "onEdit">) {
  const { t } = useTranslation();
  const isPercent = question.tolerance_percent !== null;
  return (
    <>
      <NumberField
        label={t("quizBuilder.numeric.tolerance")}
        value={question.tolerance_percent ?? question.tolerance}
        min={0}
        problem={problemAt(isPercent ? "tolerance_percent" : "tolerance")}
        onChange={(value) =>
          onChange(
            isPercent
              ? { ...question, tolerance_percent: value ?? 0 }
              : { ...question, tolerance: value ?? 0 },
          )
        }
      />
      <Select
        label={t("quizBuilder.numeric.unit")}
        value={isPercent ? "percent" : "absolute"}
        onChange={(event) =>
          onChange(
            event.currentTarget.value === "percent"
              ? { ...question, tolerance_percent: question.tolerance, tolerance: 0 }
              : { ...question, tolerance: question.tolerance_percent ?? 0, tolerance_percent: null },
          )
        }
        options={(["absolute", "percent"] as const).map((unit) => ({
          value: unit,
          label: t(`quizBuilder.numeric.${unit}`),
        }))}
      />
    </>
  );
}

interface NumberFieldProps {
  label: string;
  value: number | null;
  onChange: (value: number | null) => void;
  /** Whether an empty field is valid; otherwise it gives `null`, whose problem is shown elsewhere. */
  isOptional?: boolean;
  min?: number;
  max?: number;
  isWhole?: boolean;
  problem?: React.ReactNode;
  hint?: string;
  /** Whether the label is only for screen readers. */
  isLabelHidden?: boolean;
  /** Shown behind the number. */
  suffix?: string;
}

/** A field for a decimal number. Invalid text stays in the field with a message and does not reach `onChange`. */
export function NumberField(props: NumberFieldProps) {
  const { label, value, onChange, isOptional = false, min, max, isWhole = false, problem, hint } = props;
  const { isLabelHidden = false, suffix } = props;
  const { t } = useTranslation();
  const [typed, setTyped] = useState<string | null>(null);
  const text = typed ?? (value === null ? "" : numberText(value));
  const read = readDecimal(text);
  const isOutside =
    read !== null &&
    ((min !== undefined && read < min) ||
      (max !== undefined && read > max) ||
      (isWhole && !Number.isInteger(read)));
  const isWrong = (read === null && !(text.trim() === "" && isOptional)) || isOutside;
  const bounds =
    max === undefined
      ? t("quizBuilder.numberFrom", { min })
      : t(isWhole ? "quizBuilder.numberBetween" : "quizBuilder.numberWithin", {
          min,
          max: numberText(max),
        });
  const kept =
    value === null
      ? t("quizBuilder.numberNotKept")
      : t("quizBuilder.numberKept", { value: numberText(value) });
  const isUnsaved = typed !== null && isWrong;
  const field = useRef<HTMLInputElement>(null);
  useLeaveQuestion({ element: field, isUnsaved, discard: () => setTyped(null) });
  return (
    <TextField
      ref={field}
      label={label}
      isLabelHidden={isLabelHidden}
      suffix={suffix}
      inputMode="decimal"
      value={text}
      maxLength={40}
      hint={hint}
      problem={isUnsaved ? `${isOutside ? bounds : t("quizBuilder.numberUnreadable")} ${kept}` : problem}
      onChange={(event) => {
        const next = event.currentTarget.value;
        setTyped(next);
        const number = readDecimal(next);
        const fits =
          number !== null &&
          (min === undefined || number >= min) &&
          (max === undefined || number <= max) &&
          (!isWhole || Number.isInteger(number));
        if (fits) onChange(number);
        else if (next.trim() === "" && isOptional) onChange(null);
      }}
      onBlur={() => {
        if (!isWrong) setTyped(null);
      }}
    />
  );
}
