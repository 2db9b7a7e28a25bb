import { type KeyboardEvent, type ReactNode, useId, useLayoutEffect, useRef, useState } from "react";
import { useTranslation } from "../i18n/useTranslation";
import { Marked } from "../search/Marked";
import { IconSearch } from "../ui/icons";
import { VisuallyHidden } from "../ui/VisuallyHidden";
import { marked } from "./matching";
import classes from "./Palette.module.css";
import { type Choice, useChoices } from "./useChoices";

/** Called once the palette is loaded, on every screen. */
export { watchFoundPlaces } from "../search/foundPlaces";

interface Props {
  /** The text typed while this code was loading. */
  typedAhead: string;
  onClose: () => void;
}

/** The command palette: finds courses, lessons, pages and actions. A combobox in a modal dialog; the focus stays in its field. */
export function Palette({ typedAhead, onClose }: Props) {
  const { t } = useTranslation();
  const dialog = useRef<HTMLDialogElement>(null);
  const listId = useId();
  const [typed, setTyped] = useState(typedAhead);
  const [at, setAt] = useState(0);
  useLayoutEffect(() => {
    const shown = dialog.current;
    shown?.showModal();
    // A dialog selects the text of the field it focuses; the caret moves to the end, so that typing continues.
    const field = shown?.querySelector("input");
    field?.setSelectionRange(field.value.length, field.value.length);
    return () => shown?.close();
  }, []);

  const { groups, all, total, shown, failed, waiting } = useChoices(typed);
  const choices = groups.flatMap((group) => group.choices);
  const hasResults = choices.length > 0;
  if (all) choices.push(all);
  const active = Math.min(at, choices.length - 1);

  // Closes first, so that the dialog restores the focus before the navigation.
  const choose = (choice: Choice) => {
    onClose();
    choice.run();
  };
  const onKey = (event: KeyboardEvent) => {
    const last = choices.length - 1;
    const to = {
      ArrowDown: active === last ? 0 : active + 1,
      ArrowUp: active === 0 ? last : active - 1,
      PageDown: Math.min(active + 6, last),
      PageUp: Math.max(active - 6, 0),
    }[event.key];
    const chosen = choices[active];
    if (to !== undefined) setAt(to);
    else if (event.key === "Enter" && !event.nativeEvent.isComposing && chosen) {
      if ((event.ctrlKey || event.metaKey) && chosen.href) window.open(chosen.href, "_blank", "noopener");
      else choose(chosen);
    } else return;
    event.preventDefault();
  };

  const option = (choice: Choice) => {
    const place = choices.indexOf(choice);
    return (
      <Option
        key={choice.key}
        id={`${listId}-${place}`}
        choice={choice}
        typed={typed}
        active={place === active}
        onPoint={() => setAt(place)}
        onChoose={() => choose(choice)}
      />
    );
  };
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the click outside is an extra; the keyboard has Escape.
    <dialog
      ref={dialog}
      className={classes.dialog}
      aria-label={t("shell.search")}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={(event) => event.target === dialog.current && onClose()}
    >
      <div className={classes.inside}>
        <div className={classes.field}>
          <IconSearch />
          <input
            className={classes.input}
            role="combobox"
            aria-label={t("palette.placeholder")}
            placeholder={t("palette.placeholder")}
            aria-expanded="true"
            aria-controls={listId}
            aria-autocomplete="list"
            aria-activedescendant={choices.length > 0 ? `${listId}-${active}` : undefined}
            autoComplete="off"
            autoCorrect="off"
            spellCheck={false}
            maxLength={255}
            value={typed}
            onChange={(event) => {
              setTyped(event.currentTarget.value);
              setAt(0);
            }}
            onKeyDown={onKey}
          />
        </div>
        <div
          className={classes.list}
          id={listId}
          role="listbox"
          aria-label={t("palette.results")}
          data-waiting={waiting || undefined}
        >
          {groups.map((group) => (
            <Group key={group.title} title={group.title}>
              {group.choices.map(option)}
            </Group>
          ))}
          {all && <div className={classes.all}>{option(all)}</div>}
        </div>
        {!hasResults && !waiting && !failed && (
          <div className={classes.nothing}>
            <p className={classes.nothingTitle}>{t("palette.nothing")}</p>
            <p>{t("palette.nothingText")}</p>
          </div>
        )}
        <footer className={classes.footer}>
          <p className={classes.note} role="status">
            {failed ? (
              t("palette.unreachable")
            ) : total > shown ? (
              t("palette.more", { count: total, shown })
            ) : (
              <VisuallyHidden>{t("palette.count", { count: choices.length })}</VisuallyHidden>
            )}
          </p>
          <p className={classes.keys} aria-hidden="true">
            <kbd>↑</kbd>
            <kbd>↓</kbd> {t("palette.keys.move")} <kbd>Enter</kbd> {t("palette.keys.open")} <kbd>Esc</kbd>{" "}
            {t("palette.keys.close")}
          </p>
        </footer>
      </div>
    </dialog>
  );
}

function Group({ title, children }: { title: string; children: ReactNode[] }) {
  const id = useId();
  if (children.length === 0) return null;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a group of a list box, not of a form
    <div role="group" aria-labelledby={id}>
      <p className={classes.group} id={id} role="presentation">
        {title}
      </p>
      {children}
    </div>
  );
}

interface OptionProps {
  id: string;
  choice: Choice;
  typed: string;
  active: boolean;
  onPoint: () => void;
  onChoose: () => void;
}

function Option({ id, choice, typed, active, onPoint, onChoose }: OptionProps) {
  const row = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (active) row.current?.scrollIntoView({ block: "nearest" });
  }, [active]);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the focus stays in the field, whose keys choose
    // biome-ignore lint/a11y/useFocusableInteractive: named to the field by aria-activedescendant
    <div
      ref={row}
      id={id}
      role="option"
      aria-selected={active}
      className={classes.option}
      onPointerMove={() => !active && onPoint()}
      onClick={onChoose}
    >
      <span className={classes.icon}>{choice.icon}</span>
      <span className={classes.title}>
        {marked(choice.title, typed).map((part, place) =>
          // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text
          place % 2 === 1 ? <mark key={place}>{part}</mark> : part,
        )}
      </span>
      {choice.place && <span className={classes.place}>{choice.place}</span>}
      {choice.snippet && (
        <span className={classes.snippet}>
          <Marked parts={choice.snippet} />
        </span>
      )}
    </div>
  );
}
