import { useId } from "react";
import { useTranslation } from "../../i18n/useTranslation";
import { AnswerFiles } from "../AnswerFiles";
import { type AnswerFile, displayOf } from "../files";
import { PinList } from "./PinList";
import { PinnedPicture } from "./PinnedPicture";
import { PinnedText } from "./PinnedText";
import classes from "./Pins.module.css";
import { numbered, type Pin } from "./pins";
import { textOf } from "./places";
import { usePinFocus } from "./usePinFocus";

interface PinnedAnswerProps {
  /** The text of the answer; null without one. */
  content: unknown;
  files: readonly AnswerFile[];
  pins: readonly Pin[];
  /** Names the list of files. */
  label: string;
}

/** A graded answer with the comments on its places: the text or the pictures, and the comments beside or below them. */
export function PinnedAnswer({ content, files, pins, label }: PinnedAnswerProps) {
  const { t } = useTranslation();
  const scope = useId();
  const { active, openComment, showPlace } = usePinFocus(scope);
  const shown = numbered(
    pins,
    files.map(({ id }) => id),
  );
  return (
    <div className={classes.box}>
      <div className={classes.columns}>
        <div className={classes.answer}>
          {content != null && (
            <PinnedText content={content} pins={shown} scope={scope} active={active} onOpen={openComment} />
          )}
          {files.length > 0 && (
            <AnswerFiles
              files={files}
              label={label}
              picture={(file) =>
                displayOf(file) === "image" && pins.some(({ fileId }) => fileId === file.id) ? (
                  <PinnedPicture
                    file={file}
                    pins={shown}
                    scope={scope}
                    active={active}
                    onOpen={openComment}
                  />
                ) : null
              }
            />
          )}
        </div>
        <section className={classes.beside} aria-label={t("quiz.pins.title")}>
          <PinList
            pins={shown}
            text={textOf(content)}
            files={files}
            scope={scope}
            active={active}
            onShow={showPlace}
          />
        </section>
      </div>
    </div>
  );
}
