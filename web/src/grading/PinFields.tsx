import type { KeyboardEvent } from "react";
import { useTranslation } from "../i18n/useTranslation";
import { PINNED_COMMENT_WRITE_COMMENT_MAX } from "../limits.generated";
import pinClasses from "../quiz/pins/Pins.module.css";
import { commentId, type NumberedPin, type Pin } from "../quiz/pins/pins";
import { IconButton } from "../ui/IconButton";
import { IconClose } from "../ui/icons";
import { TextArea } from "../ui/TextArea";
import classes from "./AnswerPins.module.css";

interface PinFieldsProps {
  pins: readonly NumberedPin[];
  nameOf: (pin: Pin) => string;
  scope: string;
  active: number | null;
  isBusy: boolean;
  onShow: (index: number) => void;
  /** A comment took the focus. */
  onActive: (index: number) => void;
  onWrite: (index: number, comment: string) => void;
  onRemove: (index: number) => void;
  /** Escape in a field; a comment without text is removed. */
  onLeave: (index: number) => void;
}

/** The comments on places of an answer, as fields, in the order of the places. */
export function PinFields(props: PinFieldsProps) {
  const { pins, nameOf, scope, active, isBusy, onShow, onActive, onWrite, onRemove, onLeave } = props;
  const { t } = useTranslation();
  return (
    // biome-ignore lint/a11y/noRedundantRoles: a list without markers is none to Safari unless told so
    <ol role="list" className={pinClasses.comments} aria-label={t("quiz.pins.title")}>
      {pins.map(({ pin, index, number }) => {
        const name = nameOf(pin);
        return (
          <li
            key={index}
            id={commentId(scope, index)}
            tabIndex={-1}
            data-active={index === active || undefined}
          >
            <button
              type="button"
              className={pinClasses.toPlace}
              aria-label={t("quiz.pins.toPlace", { number })}
              onClick={() => onShow(index)}
            >
              {number}
            </button>
            <div className={pinClasses.said}>
              <div className={classes.head}>
                <p className={pinClasses.quote}>{name}</p>
                <IconButton
                  aria-label={t("grading.pins.remove", { number })}
                  disabled={isBusy}
                  onClick={() => onRemove(index)}
                >
                  <IconClose size={18} />
                </IconButton>
              </div>
              <TextArea
                aria-label={t("grading.pins.field", { number, place: name })}
                rows={2}
                maxLength={PINNED_COMMENT_WRITE_COMMENT_MAX}
                readOnly={isBusy}
                value={pin.comment}
                onFocus={() => onActive(index)}
                onChange={(event) => onWrite(index, event.currentTarget.value)}
                onKeyDown={(event: KeyboardEvent) => {
                  if (event.key !== "Escape" || event.nativeEvent.isComposing) return;
                  event.preventDefault();
                  event.stopPropagation();
                  onLeave(index);
                }}
              />
            </div>
          </li>
        );
      })}
    </ol>
  );
}
