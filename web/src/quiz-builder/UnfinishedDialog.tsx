import { useTranslation } from "../i18n/useTranslation";
import { Dialog } from "../ui/Dialog";
import classes from "./CopyDialog.module.css";
import type { MissingPart } from "./completeness";

interface UnfinishedDialogProps {
  missing: readonly MissingPart[];
  /** Opens a question by its index. */
  onShow: (question: number) => void;
  onClose: () => void;
}

/** Everything that a quiz lacks before it can be published; each question leads to its place. */
export function UnfinishedDialog({ missing, onShow, onClose }: UnfinishedDialogProps) {
  const { t } = useTranslation();
  const questions = [...new Set(missing.map(({ question }) => question))];
  const lacks = (question: number | null) => [
    ...new Set(
      missing.filter((part) => part.question === question).map(({ lack }) => t(`quizBuilder.lacks.${lack}`)),
    ),
  ];
  return (
    <Dialog open onClose={onClose} title={t("quizBuilder.unfinished.title")}>
      <p>{t("quizBuilder.unfinished.text")}</p>
      <ul className={classes.unfinished}>
        {questions.map((question) => (
          <li key={question}>
            {question === null ? (
              lacks(null).join(". ")
            ) : (
              <button
                type="button"
                onClick={() => {
                  onClose();
                  onShow(question);
                }}
              >
                <b>{t("quizBuilder.unfinished.question", { number: question + 1 })}</b>
                {lacks(question).join(". ")}
              </button>
            )}
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
