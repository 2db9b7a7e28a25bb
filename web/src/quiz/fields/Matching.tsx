import { DragDropProvider, useDraggable, useDroppable } from "@dnd-kit/react";
import { type KeyboardEvent, type ReactNode, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { Document } from "../../content/Document";
import { useTranslation } from "../../i18n/useTranslation";
import { IconButton } from "../../ui/IconButton";
import { IconClose } from "../../ui/icons";
import { plugins, sensors } from "../../ui/sorting/dragging";
import { VisuallyHidden } from "../../ui/VisuallyHidden";
import type { Part } from "../model";
import { shortText } from "../shortText";
import choice from "./Choice.module.css";
import classes from "./Matching.module.css";
import { paired, unpaired } from "./pairing";
import type { FieldProps } from "./props";

/** The side that was pressed first and waits for the other one. */
type Held = { side: "left" | "right"; id: string } | null;

/**
 * Pairs to match: a card is dragged to its slot, or the card and the slot are pressed in either order. Pressing works the same with a
 * mouse, a touch screen, the keyboard and a screen reader.
 */
export function Matching({ question, answer, onAnswer, disabled }: FieldProps<"MatchingQuestion">) {
  const { t } = useTranslation();
  const root = useRef<HTMLDivElement>(null);
  const [held, setHeld] = useState<Held>(null);
  const [announcement, announce] = useState("");
  const pairs = answer?.pairs ?? {};
  const used = new Set(Object.values(pairs));
  const pool = question.right.filter(({ id }) => !used.has(id));
  const rights = new Map<string, Part>(question.right.map((part) => [part.id, part]));
  const nameOf = (parts: readonly Part[], id: string) => {
    const index = parts.findIndex((part) => part.id === id);
    return shortText(parts[index]?.content) || t("quiz.itemNumber", { number: index + 1 });
  };
  const focus = (selector: string) => root.current?.querySelector<HTMLElement>(selector)?.focus();

  const put = (leftId: string, rightId: string) => {
    flushSync(() => {
      onAnswer({ pairs: paired(pairs, leftId, rightId) });
      setHeld(null);
    });
    announce(
      t("quiz.match.put", { left: nameOf(question.left, leftId), right: nameOf(question.right, rightId) }),
    );
  };
  const takeOut = (leftId: string) => {
    flushSync(() => onAnswer({ pairs: unpaired(pairs, leftId) }));
    announce(t("quiz.match.takenOut", { left: nameOf(question.left, leftId) }));
    focus(`[data-left="${leftId}"]`);
  };
  const pressLeft = (leftId: string) => {
    if (held?.side === "right") {
      put(leftId, held.id);
      focus(`[data-left="${leftId}"]`);
      return;
    }
    if (held?.id === leftId || pool.length === 0) return setHeld(null);
    flushSync(() => setHeld({ side: "left", id: leftId }));
    announce(t("quiz.match.chooseRight", { left: nameOf(question.left, leftId) }));
    focus("[data-right]");
  };
  const pressRight = (rightId: string) => {
    if (held?.side === "left") {
      const leftId = held.id;
      put(leftId, rightId);
      focus(`[data-left="${leftId}"]`);
      return;
    }
    if (held?.id === rightId) return setHeld(null);
    flushSync(() => setHeld({ side: "right", id: rightId }));
    announce(t("quiz.match.chooseLeft", { right: nameOf(question.right, rightId) }));
    focus("[data-left][data-empty]");
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Escape" || !held) return;
    event.stopPropagation();
    const { side, id } = held;
    setHeld(null);
    announce(t("quiz.match.letGo"));
    focus(`[data-${side}="${id}"]`);
  };

  return (
    <DragDropProvider
      sensors={sensors}
      plugins={plugins}
      onDragStart={() => setHeld(null)}
      onDragEnd={({ operation: { source, target }, canceled }) => {
        if (!canceled && source && target) put(idIn(target.id), idIn(source.id));
      }}
    >
      <p className={choice.hint}>{t("quiz.hint.matching")}</p>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: Escape lets go of what is held, wherever in here the focus is */}
      <div ref={root} className={classes.matching} data-held={held?.side} onKeyDown={onKeyDown}>
        {/* biome-ignore lint/a11y/noRedundantRoles: a list without markers is none to Safari unless told so */}
        <ul role="list" className={classes.rows}>
          {question.left.map(({ id, content }) => {
            const right = rights.get(pairs[id] ?? "");
            return (
              <li key={id} className={classes.row}>
                <div className={classes.left}>
                  <Document content={content} />
                </div>
                <Place
                  id={`${question.id}:${id}`}
                  leftId={id}
                  name={nameOf(question.left, id)}
                  right={right}
                  rightName={right ? nameOf(question.right, right.id) : null}
                  rightKey={right ? `${question.id}:${right.id}` : ""}
                  isHeld={held?.side === "left" && held.id === id}
                  disabled={disabled}
                  onPress={() => pressLeft(id)}
                  onTakeOut={() => takeOut(id)}
                />
              </li>
            );
          })}
        </ul>
        {pool.length > 0 && (
          // biome-ignore lint/a11y/useSemanticElements: a fieldset would need a legend that is seen
          <div role="group" aria-label={t("quiz.match.pool")} className={classes.pool}>
            {pool.map(({ id, content }) => (
              <Card
                key={id}
                id={`${question.id}:${id}`}
                rightId={id}
                name={nameOf(question.right, id)}
                content={content}
                isHeld={held?.side === "right" && held.id === id}
                disabled={disabled}
                onPress={() => pressRight(id)}
              />
            ))}
          </div>
        )}
      </div>
      <VisuallyHidden>
        <span role="status">{announcement}</span>
      </VisuallyHidden>
    </DragDropProvider>
  );
}

/** Ids for the drag-and-drop library; they include the question, because copies of a question on one page have the same part ids. */
function idIn(key: string | number): string {
  return String(key).split(":").at(-1) ?? "";
}

interface PlaceProps {
  id: string;
  leftId: string;
  name: string;
  right: Part | undefined;
  rightName: string | null;
  rightKey: string;
  isHeld: boolean;
  disabled: boolean;
  onPress: () => void;
  onTakeOut: () => void;
}

function Place(props: PlaceProps) {
  const { id, leftId, name, right, rightName, rightKey, isHeld, disabled, onPress, onTakeOut } = props;
  const { t } = useTranslation();
  const { ref, isDropTarget } = useDroppable({ id, disabled });
  const label = rightName
    ? t("quiz.match.placeFull", { left: name, right: rightName })
    : t("quiz.match.place", { left: name });
  const cover = (
    <button
      type="button"
      className={classes.cover}
      data-left={leftId}
      data-empty={right ? undefined : ""}
      aria-pressed={isHeld}
      aria-label={label}
      disabled={disabled}
      onClick={onPress}
    />
  );
  return (
    <div
      ref={ref}
      className={classes.place}
      data-target={isDropTarget || undefined}
      data-held={isHeld || undefined}
    >
      {right ? (
        <InPlace key={right.id} id={rightKey} content={right.content} disabled={disabled}>
          {cover}
        </InPlace>
      ) : (
        <>
          <span className={classes.empty} aria-hidden="true">
            {t("quiz.match.empty")}
          </span>
          {cover}
        </>
      )}
      {right && !disabled && (
        <IconButton
          className={classes.takeOut}
          aria-label={t("quiz.match.takeOut", { left: name, right: rightName ?? "" })}
          onClick={onTakeOut}
        >
          <IconClose size={16} />
        </IconButton>
      )}
    </div>
  );
}

interface InPlaceProps {
  id: string;
  content: unknown;
  disabled: boolean;
  children: ReactNode;
}

/** A matched card, which can be dragged to another slot. */
function InPlace({ id, content, disabled, children }: InPlaceProps) {
  const { ref, isDragging } = useDraggable({ id, disabled });
  return (
    <div ref={ref} className={classes.inPlace} data-dragging={isDragging || undefined}>
      <Document content={content} />
      {children}
    </div>
  );
}

interface CardProps {
  id: string;
  rightId: string;
  name: string;
  content: unknown;
  isHeld: boolean;
  disabled: boolean;
  onPress: () => void;
}

function Card({ id, rightId, name, content, isHeld, disabled, onPress }: CardProps) {
  const { ref, isDragging } = useDraggable({ id, disabled });
  return (
    <div
      ref={ref}
      className={classes.card}
      data-dragging={isDragging || undefined}
      data-held={isHeld || undefined}
    >
      <Document content={content} />
      <button
        type="button"
        className={classes.cover}
        data-right={rightId}
        aria-pressed={isHeld}
        aria-label={name}
        disabled={disabled}
        onClick={onPress}
      />
    </div>
  );
}
