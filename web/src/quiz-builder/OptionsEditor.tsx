import { type ReactNode, useState } from "react";
import { flushSync } from "react-dom";
import { useTranslation } from "../i18n/useTranslation";
import { WEIGHT_MAX, WEIGHT_MIN } from "../limits.generated";
import { IconButton } from "../ui/IconButton";
import { icon } from "../ui/icon";
import { IconClose } from "../ui/icons";
import { offerUndo } from "../ui/undo";
import { NumberField } from "./AnswerEditor";
import { type Choice, emptyDocument, isEmptyDocument, newChoice } from "./model";
import { numberText } from "./numbers";
import classes from "./OptionsEditor.module.css";
import { Parts, type ProblemAt, TextField } from "./parts";
import { RichField } from "./RichField";
import { FULL_WEIGHT, isWeighted, MOST_PARTIAL, marked, weighed, weightOf } from "./weights";

const IconFeedback = icon(
  <path d="M5 4h10a1.5 1.5 0 0 1 1.5 1.5v6A1.5 1.5 0 0 1 15 13h-4.5L7 16.2V13H5a1.5 1.5 0 0 1-1.5-1.5v-6A1.5 1.5 0 0 1 5 4ZM7 7.3h6M7 9.8h3.5" />,
);

interface OptionsEditorProps {
  /** Name of the group of radio buttons. */
  name: string;
  isSingle: boolean;
  options: Choice[];
  onChange: (options: Choice[]) => void;
  /** Changes the options as they are at that time, for what is undone later. Without it, options have no feedback. */
  onEdit?: (change: (options: Choice[]) => Choice[]) => void;
  problemAt: ProblemAt;
}

/** Edits options, which of them are right, their weights and their feedback. */
export function OptionsEditor({ name, isSingle, options, onChange, onEdit, problemAt }: OptionsEditorProps) {
  const { t } = useTranslation();
  /** The option whose feedback was just added, so its field takes the focus. */
  const [writing, setWriting] = useState<string | null>(null);
  /** How often the removed feedback of an option came back: its field then has to start again with it. */
  const [returns, setReturns] = useState<Readonly<Record<string, number>>>({});
  const hasWeights = isWeighted(options);
  const mark = (option: Choice, correct: boolean) =>
    onChange(marked(options, option.id, { correct, isSingle }));
  const removeFeedback = (option: Choice, number: number) => {
    const put = (feedback: unknown) => (now: Choice[]) =>
      now.map((one) => (one.id === option.id ? withFeedback(one, feedback) : one));
    flushSync(() => onChange(put(null)(options)));
    document.querySelector<HTMLElement>(`[data-add-feedback="${option.id}"]`)?.focus();
    if (!hasText(option.feedback)) return;
    offerUndo(t("quizBuilder.feedback.removed", { number }), () => {
      // What was written since is newer.
      onEdit?.((now) =>
        now.some((one) => one.id === option.id && hasText(one.feedback)) ? now : put(option.feedback)(now),
      );
      setReturns((known) => ({ ...known, [option.id]: (known[option.id] ?? 0) + 1 }));
    });
  };
  return (
    <Parts
      parts={options}
      label={t("quizBuilder.options.label")}
      contentOf={({ content }) => content}
      isEmpty={({ content, feedback, weight }) => isEmptyDocument(content) && !hasText(feedback) && !weight}
      onChange={onChange}
      make={(text) => ({ ...newChoice(text), ...(hasWeights && { weight: 0 }) })}
      addLabel={t("quizBuilder.options.add")}
      problem={problemAt("")}
      below={(option, index, change) =>
        onEdit &&
        Boolean(option.feedback) && (
          <div className={classes.feedback}>
            <RichField
              key={returns[option.id] ?? 0}
              autoFocus={option.id === writing}
              label={t("quizBuilder.feedback.label", { number: index + 1 })}
              isLabelSeen
              value={option.feedback}
              onChange={(feedback) => change({ ...option, feedback })}
              problem={problemAt(`[${index}].feedback`)}
            />
            <IconButton
              className={classes.remove}
              aria-label={t("quizBuilder.feedback.remove", { number: index + 1 })}
              onClick={() => removeFeedback(option, index + 1)}
            >
              <IconClose size={18} />
            </IconButton>
          </div>
        )
      }
    >
      {(option, index, { change, isNew, room, addBelow, addTexts }) => (
        <>
          <input
            type={isSingle ? "radio" : "checkbox"}
            name={`right-${name}`}
            className={classes.right}
            checked={option.correct}
            aria-label={t("quizBuilder.options.right", { number: index + 1 })}
            title={t("quizBuilder.options.right", { number: index + 1 })}
            onChange={(event) => mark(option, event.currentTarget.checked)}
          />
          <div className={classes.option} data-weighted={hasWeights || undefined}>
            <RichField
              autoFocus={isNew}
              onEnter={addBelow}
              onMark={() => mark(option, isSingle || !option.correct)}
              maxLines={room}
              onLines={addTexts}
              label={t("quizBuilder.options.option", { number: index + 1 })}
              value={option.content}
              onChange={(content) => change({ ...option, content })}
              problem={problemAt(`[${index}].content`)}
            />
            {hasWeights && (
              <WeightField
                option={option}
                number={index + 1}
                isSingle={isSingle}
                onChange={change}
                problem={problemAt(`[${index}].weight`)}
              />
            )}
            {onEdit && !option.feedback && (
              <IconButton
                data-add-feedback={option.id}
                className={classes.add}
                aria-label={t("quizBuilder.feedback.add", { number: index + 1 })}
                title={t("quizBuilder.feedback.add", { number: index + 1 })}
                onClick={() => {
                  setWriting(option.id);
                  change({ ...option, feedback: emptyDocument() });
                }}
              >
                <IconFeedback size={18} />
              </IconButton>
            )}
          </div>
        </>
      )}
    </Parts>
  );
}

interface WeightFieldProps {
  option: Choice;
  /** Position from 1. */
  number: number;
  isSingle: boolean;
  onChange: (option: Choice) => void;
  problem: ReactNode;
}

/** Edits what an option is worth. The right option of a single choice is worth everything. */
function WeightField({ option, number, isSingle, onChange, problem }: WeightFieldProps) {
  const { t } = useTranslation();
  const weight = weightOf(option, isSingle);
  // An imported question may contradict itself: then the weight can be corrected.
  const isWhole = isSingle && option.correct && weight === FULL_WEIGHT;
  const shared = {
    label: t("quizBuilder.scoring.weight", { number }),
    isLabelHidden: true,
    suffix: "%",
    problem,
  };
  return (
    <div className={classes.weight}>
      {isWhole ? (
        <TextField {...shared} readOnly value={numberText(weight)} />
      ) : (
        <NumberField
          {...shared}
          value={weight}
          min={WEIGHT_MIN}
          max={isSingle && !option.correct ? MOST_PARTIAL : WEIGHT_MAX}
          onChange={(typed) => typed !== null && onChange(weighed(option, typed, isSingle))}
        />
      )}
    </div>
  );
}

function withFeedback({ feedback: _, ...option }: Choice, feedback: unknown): Choice {
  return feedback ? { ...option, feedback } : option;
}

const hasText = (feedback: unknown): boolean => Boolean(feedback) && !isEmptyDocument(feedback);
