import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { useTranslation } from "../i18n/useTranslation";
import { AnswerFiles } from "../quiz/AnswerFiles";
import { AnswerLinks } from "../quiz/AnswerLinks";
import { type AnswerFile, displayOf } from "../quiz/files";
import { PinnedPicture } from "../quiz/pins/PinnedPicture";
import { PinnedText } from "../quiz/pins/PinnedText";
import pinClasses from "../quiz/pins/Pins.module.css";
import { numbered, type Pin, pinAt, pinOn, rounded } from "../quiz/pins/pins";
import { placeAfterKey, type TextPlace, textOf, unitsOf } from "../quiz/pins/places";
import { quoteOf } from "../quiz/pins/selection";
import { usePinFocus } from "../quiz/pins/usePinFocus";
import { usePlaceName } from "../quiz/pins/usePlaceName";
import { Button } from "../ui/Button";
import { VisuallyHidden } from "../ui/VisuallyHidden";
import classes from "./AnswerPins.module.css";
import { PinFields } from "./PinFields";
import { PINS_MAX } from "./pinInput";
import type { OpenAnswer } from "./queue";
import { useSelectedPlace } from "./useSelectedPlace";
import { useUndo } from "./useUndo";

interface Props {
  answer: Pick<OpenAnswer, "content" | "files" | "links">;
  pins: readonly Pin[];
  isBusy: boolean;
  onChange: (change: (pins: readonly Pin[]) => Pin[]) => void;
  /** Facts about the answer, shown below it. */
  facts: ReactNode;
}

/**
 * What a learner wrote or attached, with comments on its places. A place is selected text, text that is chosen by arrow keys, or a point
 * of a picture. The key of the button with `data-comment` is C (see GradingTab): it comments on what is selected, begins the choice by
 * keys, or marks a place of the first picture.
 */
export function AnswerPins({ answer: { content, files, links }, pins, isBusy, onChange, facts }: Props) {
  const { t } = useTranslation();
  const scope = useId();
  const offerUndo = useUndo();
  const text = textOf(content);
  const nameOf = usePlaceName(text, files);
  const focus = usePinFocus(scope);
  const written = useRef<HTMLDivElement>(null);
  const root = useRef<HTMLDivElement>(null);
  const focusButton = () => root.current?.querySelector<HTMLElement>("[data-comment]")?.focus();
  const selected = useSelectedPlace(written);
  /** The place that arrow keys have chosen; null outside of that choice. */
  const [chosen, setChosen] = useState<TextPlace | null>(null);
  const fileIds = files.map(({ id }) => id);
  const shown = numbered(pins, fileIds);
  const pictures = files.filter((file) => displayOf(file) === "image");
  const isFull = pins.length >= PINS_MAX;

  const add = (pin: Pin) => {
    if (isFull || isBusy) return;
    flushSync(() => {
      setChosen(null);
      onChange((pins) => [...pins, pin]);
    });
    getSelection()?.removeAllRanges();
    focus.openComment(pins.length);
  };
  const change = (index: number, over: Partial<Pin>) =>
    onChange((pins) => pins.map((pin, at) => (at === index ? { ...pin, ...over } : pin)));
  const without = (index: number) => (pins: readonly Pin[]) => pins.filter((_, at) => at !== index);
  const remove = (index: number) => {
    const removed = pins[index];
    flushSync(() => onChange(without(index)));
    focus.setActive(null);
    focusButton();
    if (!removed?.comment.trim()) return;
    offerUndo(t("grading.pins.removed"), () =>
      onChange((pins) => (pins.length < PINS_MAX ? [...pins, removed] : [...pins])),
    );
  };
  const begin = () => {
    if (selected) return add(pinAt(selected.place));
    const first = unitsOf(content, "sentence")[0];
    if (!first) return;
    flushSync(() => setChosen(first));
    written.current?.focus({ preventScroll: true });
    written.current?.querySelector("[data-chosen]")?.scrollIntoView({ block: "nearest" });
  };
  const addTo = (fileId: string) => {
    add(pinOn(fileId, { x: 50, y: 50 }));
    // The arrow keys move the point before its comment is written.
    focus.showPlace(pins.length);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (!chosen || event.ctrlKey || event.metaKey || event.altKey || event.nativeEvent.isComposing) return;
    if (event.key === "Enter") {
      event.preventDefault();
      add(pinAt(chosen));
      return;
    }
    if (event.key === "Escape") {
      event.preventDefault();
      event.stopPropagation();
      setChosen(null);
      focusButton();
      return;
    }
    const next = placeAfterKey(content, chosen, event.key, event.shiftKey);
    if (!next) return;
    event.preventDefault();
    flushSync(() => setChosen(next));
    written.current?.querySelector("[data-chosen]")?.scrollIntoView({ block: "nearest" });
  };
  /** The button that comments on the text, or on a picture; the first one has the key. */
  const commentButton = (picture: AnswerFile | null) => {
    const hasKey = picture === null || (content == null && picture.id === pictures[0]?.id);
    return (
      <Button
        variant="subtle"
        size="compact"
        data-comment={hasKey ? "" : undefined}
        disabled={isFull || isBusy}
        // The button must not take the selection away before it is used.
        onPointerDown={(event) => event.preventDefault()}
        onClick={picture ? () => addTo(picture.id) : begin}
      >
        {t(picture ? "grading.pins.toPicture" : "grading.pins.toPlace")}
        {hasKey && <kbd className={classes.key}>C</kbd>}
      </Button>
    );
  };
  return (
    <div ref={root} className={pinClasses.box}>
      <div className={pins.length > 0 ? pinClasses.columns : undefined}>
        <div className={pinClasses.answer}>
          <section className={classes.text} aria-label={t("grading.answer")}>
            {content != null && (
              // biome-ignore lint/a11y/noStaticElementInteractions: its keys work only after the button below was pressed
              <div
                ref={written}
                tabIndex={-1}
                className={classes.written}
                onKeyDown={onKeyDown}
                onBlur={() => setChosen(null)}
              >
                <PinnedText
                  content={content}
                  pins={shown}
                  scope={scope}
                  active={focus.active}
                  onOpen={focus.openComment}
                  chosen={chosen}
                />
                {selected && !isFull && (
                  <Button
                    size="compact"
                    className={classes.float}
                    style={{ left: selected.left, top: selected.top }}
                    // The button must not take the selection away before it is used.
                    onPointerDown={(event) => event.preventDefault()}
                    onClick={() => add(pinAt(selected.place))}
                  >
                    {t("grading.pins.add")}
                  </Button>
                )}
              </div>
            )}
            {files.length > 0 && (
              <AnswerFiles
                isLarge
                files={files}
                label={t("grading.answer")}
                picture={(file) =>
                  displayOf(file) === "image" && (
                    <PinnedPicture
                      file={file}
                      pins={shown}
                      scope={scope}
                      active={focus.active}
                      onOpen={focus.openComment}
                      onPlace={isFull || isBusy ? undefined : (point) => add(pinOn(file.id, point))}
                      onMove={(index, point) => change(index, rounded(point))}
                      tools={commentButton(file)}
                    />
                  )
                }
              />
            )}
            {links.length > 0 && <AnswerLinks links={links} />}
          </section>
          <div className={classes.below}>
            {facts}
            {content != null && commentButton(null)}
          </div>
          {isFull && <p className={classes.hint}>{t("grading.pins.full", { count: PINS_MAX })}</p>}
          {/* Not atomic: the instruction is read once, and then only the chosen text. */}
          <div role="status" aria-atomic="false">
            {chosen && (
              <>
                <p className={classes.hint}>{t("grading.pins.choosing")}</p>
                <VisuallyHidden>{quoteOf(text, chosen)}</VisuallyHidden>
              </>
            )}
          </div>
        </div>
        {pins.length > 0 && (
          <section aria-label={t("quiz.pins.title")}>
            <PinFields
              pins={shown}
              nameOf={nameOf}
              scope={scope}
              active={focus.active}
              isBusy={isBusy}
              onShow={focus.showPlace}
              onActive={focus.setActive}
              onWrite={(index, comment) => change(index, { comment })}
              onRemove={remove}
              onLeave={(index) => (pins[index]?.comment.trim() ? focusButton() : remove(index))}
            />
          </section>
        )}
      </div>
    </div>
  );
}
