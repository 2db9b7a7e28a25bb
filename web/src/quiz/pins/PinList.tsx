import { useTranslation } from "../../i18n/useTranslation";
import type { AnswerFile } from "../files";
import classes from "./Pins.module.css";
import { commentId, type NumberedPin } from "./pins";
import { usePlaceName } from "./usePlaceName";

interface PinListProps {
  pins: readonly NumberedPin[];
  /** The text of the answer, for quotes. */
  text: string;
  files: readonly AnswerFile[];
  scope: string;
  active: number | null;
  /** Leads to the place of a comment. */
  onShow: (index: number) => void;
}

/** The comments on places of an answer, in the order of the places. */
export function PinList({ pins, text, files, scope, active, onShow }: PinListProps) {
  const { t } = useTranslation();
  const nameOf = usePlaceName(text, files);
  return (
    // biome-ignore lint/a11y/noRedundantRoles: a list without markers is none to Safari unless told so
    <ol role="list" className={classes.comments} aria-label={t("quiz.pins.title")}>
      {pins.map(({ pin, index, number }) => (
        <li
          key={index}
          id={commentId(scope, index)}
          tabIndex={-1}
          data-active={index === active || undefined}
        >
          <button
            type="button"
            className={classes.toPlace}
            aria-label={t("quiz.pins.toPlace", { number })}
            onClick={() => onShow(index)}
          >
            {number}
          </button>
          <div className={classes.said}>
            <p className={classes.quote}>{nameOf(pin)}</p>
            <p className={classes.comment}>{pin.comment}</p>
          </div>
        </li>
      ))}
    </ol>
  );
}
