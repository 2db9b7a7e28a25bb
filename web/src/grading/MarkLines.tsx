import { useTranslation } from "../i18n/useTranslation";
import type { Rubric } from "../quiz/rubric";
import classes from "./AnswerPanel.module.css";
import { choicesOf } from "./marks";

interface Props {
  rubric: Rubric | null;
  marks: readonly { criterionId: string; levelId: string | null; comment: string | null }[];
  /** The number of comments on places of the answer. */
  pins: number;
}

/** The chosen levels of an assessment, a line each, and how many comments it has on places of the answer. */
export function MarkLines({ rubric, marks, pins }: Props) {
  const { t } = useTranslation();
  const lines = (rubric?.criteria ?? []).flatMap(({ id, name, levels }, index) => {
    const choice = choicesOf(rubric, marks)[index];
    const level = levels.find((one) => one.id === choice?.levelId);
    return level
      ? {
          id,
          text: t("grading.rubric.line", {
            criterion: name || t("quiz.rubric.criterion", { number: index + 1 }),
            level: level.name,
            points: level.points,
          }),
          comment: choice?.comment ?? "",
        }
      : [];
  });
  return (
    <>
      {lines.length > 0 && (
        <ul className={classes.marks}>
          {lines.map(({ id, text, comment }) => (
            <li key={id}>
              {text}
              {comment && <span className={classes.comment}>{` — ${comment}`}</span>}
            </li>
          ))}
        </ul>
      )}
      {pins > 0 && <p className={classes.who}>{t("grading.pins.count", { count: pins })}</p>}
    </>
  );
}
