import { type ReactNode, useRef } from "react";
import { flushSync } from "react-dom";
import { useTranslation } from "../i18n/useTranslation";
import { ACCEPTED_MAX } from "../limits.generated";
import { IconButton } from "../ui/IconButton";
import { IconClose } from "../ui/icons";
import { MAX_ACCEPTED } from "./model";
import { AddButton } from "./parts";
import partClasses from "./parts.module.css";
import classes from "./QuestionEditor.module.css";

interface AcceptedListProps {
  accepted: readonly string[];
  onChange: (accepted: string[]) => void;
  problem: ReactNode;
}

/** The accepted answers of a question or blank. Enter moves to the next field. */
export function AcceptedList({ accepted, onChange, problem }: AcceptedListProps) {
  const { t } = useTranslation();
  const list = useRef<HTMLDivElement>(null);
  const shown = accepted.length > 0 ? accepted : [""];
  const add = () => {
    if (shown.length >= ACCEPTED_MAX) return;
    flushSync(() => onChange([...shown, ""]));
    const inputs = list.current?.querySelectorAll("input");
    inputs?.[inputs.length - 1]?.focus();
  };
  return (
    <div ref={list} className={classes.accepted}>
      {shown.map((text, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: texts have no ids
        <div key={index} className={classes.acceptedRow}>
          <input
            type="text"
            className={partClasses.input}
            aria-label={t("quizBuilder.accepted.item", { number: index + 1 })}
            aria-invalid={problem ? true : undefined}
            value={text}
            maxLength={MAX_ACCEPTED}
            autoComplete="off"
            spellCheck={false}
            onChange={(event) =>
              onChange(shown.map((one, at) => (at === index ? event.currentTarget.value : one)))
            }
            onKeyDown={(event) => {
              if (event.key !== "Enter" || event.nativeEvent.isComposing) return;
              event.preventDefault();
              add();
            }}
          />
          {shown.length > 1 && (
            <IconButton
              className={partClasses.remove}
              aria-label={t("quizBuilder.remove", {
                name: text || t("quizBuilder.accepted.item", { number: index + 1 }),
              })}
              onClick={() => onChange(shown.filter((_, at) => at !== index))}
            >
              <IconClose size={18} />
            </IconButton>
          )}
        </div>
      ))}
      {problem && <p className={partClasses.problem}>{problem}</p>}
      <AddButton disabled={shown.length >= ACCEPTED_MAX} onClick={add}>
        {t("quizBuilder.accepted.add")}
      </AddButton>
    </div>
  );
}
