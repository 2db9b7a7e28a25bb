import { useMemo } from "react";
import { BlanksContext } from "../../content/blanks";
import { Document } from "../../content/Document";
import { useTranslation } from "../../i18n/useTranslation";
import { TYPED_BLANK_TEXT_MAX } from "../../limits.generated";
import type { Filling, QuestionOf } from "../model";
import { shortText } from "../shortText";
import classes from "./FillBlank.module.css";
import type { FieldProps } from "./props";

/** A text with blanks, each a text field or a list of options. */
export function FillBlank({ question, answer, onAnswer, disabled }: FieldProps<"FillBlankQuestion">) {
  const blanks = answer?.blanks;
  const draw = useMemo(() => {
    const places = new Map(question.blanks.map((blank, index) => [blank.id, { blank, number: index + 1 }]));
    return (id: string) => {
      const found = places.get(id);
      if (!found) return null;
      return (
        <Gap
          blank={found.blank}
          number={found.number}
          filling={blanks?.[id]}
          disabled={disabled}
          onFill={(filling) => {
            const { [id]: _, ...others } = blanks ?? {};
            onAnswer({ blanks: filling ? { ...others, [id]: filling } : others });
          }}
        />
      );
    };
  }, [question, blanks, disabled, onAnswer]);
  return (
    <div className={classes.text}>
      <BlanksContext value={draw}>
        <Document content={question.text} atOnce />
      </BlanksContext>
    </div>
  );
}

interface GapProps {
  blank: QuestionOf<"FillBlankQuestion">["blanks"][number];
  number: number;
  filling: Filling | undefined;
  disabled: boolean;
  onFill: (filling: Filling | null) => void;
}

function Gap({ blank, number, filling, disabled, onFill }: GapProps) {
  const { t } = useTranslation();
  const label = t("quiz.blank", { number });
  if (blank.options) {
    return (
      <select
        className={classes.gap}
        aria-label={label}
        value={filling && "optionId" in filling ? filling.optionId : ""}
        disabled={disabled}
        onChange={({ currentTarget: { value } }) => onFill(value ? { optionId: value } : null)}
      >
        <option value="">{t("quiz.chooseOption")}</option>
        {blank.options.map(({ id, content }, index) => (
          <option key={id} value={id}>
            {shortText(content, 120) || t("quiz.itemNumber", { number: index + 1 })}
          </option>
        ))}
      </select>
    );
  }
  const text = filling && "text" in filling ? filling.text : "";
  return (
    <input
      type="text"
      className={classes.gap}
      aria-label={label}
      value={text}
      // Grows with the typed text, so that its width does not reveal the length of the answer.
      style={{ width: `${Math.min(Math.max(text.length + 3, 10), 34)}ch` }}
      maxLength={TYPED_BLANK_TEXT_MAX}
      disabled={disabled}
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
      onChange={(event) => onFill({ text: event.currentTarget.value })}
    />
  );
}
