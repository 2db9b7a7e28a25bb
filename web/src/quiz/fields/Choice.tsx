import { Document } from "../../content/Document";
import { useTranslation } from "../../i18n/useTranslation";
import classes from "./Choice.module.css";
import type { FieldProps } from "./props";

type Props = FieldProps<"SingleChoiceQuestion"> | FieldProps<"MultipleChoiceQuestion">;

/** Options of which one or any number can be chosen. */
export function Choice({ question, answer, onAnswer, disabled, labelledBy }: Props) {
  const { t } = useTranslation();
  const isSingle = question.__typename === "SingleChoiceQuestion";
  const chosen = answer?.optionIds ?? [];
  const change = (id: string, isChosen: boolean) => {
    const others = isSingle ? [] : chosen.filter((one) => one !== id);
    onAnswer({ optionIds: isChosen ? [...others, id] : others });
  };
  const hint = `${question.id}-hint`;
  return (
    // biome-ignore lint/a11y/useAriaPropsSupportedByRole: either role takes a name
    <div role={isSingle ? "radiogroup" : "group"} aria-labelledby={labelledBy} aria-describedby={hint}>
      <div id={hint} className={classes.hint}>
        <p>{t(isSingle ? "quiz.hint.single" : "quiz.hint.multiple")}</p>
        {!isSingle && question.allOrNothing && <p>{t("quiz.hint.whole")}</p>}
      </div>
      <div className={classes.options}>
        {question.options.map(({ id, content }) => (
          <label key={id} className={classes.option}>
            <input
              type={isSingle ? "radio" : "checkbox"}
              name={question.id}
              checked={chosen.includes(id)}
              disabled={disabled}
              onChange={(event) => change(id, event.currentTarget.checked)}
            />
            <Document content={content} />
          </label>
        ))}
      </div>
    </div>
  );
}
