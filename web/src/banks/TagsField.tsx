import { type KeyboardEvent, type Ref, useId, useImperativeHandle, useRef, useState } from "react";
import { countCharacters } from "../forms/rules";
import { useTranslation } from "../i18n/useTranslation";
import { IconClose } from "../ui/icons";
import { suggestedTags, TAG_LENGTH_MAX, TAGS_MAX, tagsOf } from "./filter";
import classes from "./TagsField.module.css";

/** The most suggestions that are shown. */
const SUGGESTED = 8;

export interface TagsFieldHandle {
  /** Adds what is typed, as leaving the field does. Returns whether nothing is left in the field; otherwise it shows why and takes the focus. */
  addTyped: () => boolean;
}

interface TagsFieldProps {
  ref?: Ref<TagsFieldHandle>;
  label: string;
  tags: readonly string[];
  /** The tags of the bank, for suggestions. */
  known: readonly string[];
  onAdd: (names: string[]) => void;
  onRemove: (name: string) => void;
  "data-autofocus"?: boolean;
}

/**
 * Shows tags and a field for adding more. Enter or a comma adds the selected suggestion or the typed text, leaving the field adds the typed
 * text, and Backspace in the empty field removes the last tag.
 */
export function TagsField({ ref, label, tags, known, onAdd, onRemove, ...rest }: TagsFieldProps) {
  const { t } = useTranslation();
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState("");
  const [isOpen, setOpen] = useState(false);
  const [at, setAt] = useState(-1);
  const [problem, setProblem] = useState<string | null>(null);

  const free = known.filter((name) => !tags.includes(name));
  const found = suggestedTags(free, typed, SUGGESTED);
  const [name, ...further] = tagsOf(typed);
  const isNew = name !== undefined && further.length === 0 && ![...known, ...tags].includes(name);
  const options = isNew ? [...found, name] : found;
  const isShown = isOpen && options.length > 0;
  const active = isShown && at >= 0 ? Math.min(at, options.length - 1) : -1;

  /** Adds the tags that are new, or shows why that is impossible. Returns whether it was possible. */
  const add = (names: readonly string[]): boolean => {
    const added = names.filter((one) => !tags.includes(one));
    const refusal = added.some((one) => countCharacters(one) > TAG_LENGTH_MAX)
      ? t("banks.tags.tooLong", { max: TAG_LENGTH_MAX })
      : tags.length + added.length > TAGS_MAX
        ? t("banks.tags.tooMany", { max: TAGS_MAX })
        : null;
    setProblem(refusal);
    if (refusal !== null) return false;
    setTyped("");
    setAt(-1);
    if (added.length > 0) onAdd(added);
    return true;
  };
  useImperativeHandle(ref, () => ({
    addTyped: () => {
      const isAdded = typed.trim() === "" || add(tagsOf(typed));
      if (!isAdded) input.current?.focus();
      return isAdded;
    },
  }));
  const remove = (name: string) => {
    setProblem(null);
    onRemove(name);
    input.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    const count = options.length;
    if (event.key === "ArrowDown" && count > 0) {
      setOpen(true);
      setAt((active + 1) % count);
    } else if (event.key === "ArrowUp" && count > 0) {
      setOpen(true);
      setAt(active <= 0 ? count - 1 : active - 1);
    } else if ((event.key === "Enter" && !event.ctrlKey && !event.metaKey) || event.key === ",") {
      const chosen = options[active];
      // In a form, Enter in the empty field submits it.
      if (chosen === undefined && typed.trim() === "") return;
      add(chosen === undefined ? tagsOf(typed) : [chosen]);
    } else if (event.key === "Backspace" && typed === "" && tags.length > 0) {
      const last = tags.at(-1);
      if (last !== undefined) remove(last);
    } else if (event.key === "Escape" && isShown) {
      setOpen(false);
      // A dialog around the field stays open.
      event.stopPropagation();
    } else return;
    event.preventDefault();
  };

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only hears that the focus has left the field
    <div
      className={classes.field}
      onBlur={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget)) {
          setOpen(false);
          setAt(-1);
          // Not when only the window loses the focus: then typing goes on later.
          if (typed.trim() !== "" && document.activeElement !== input.current) add(tagsOf(typed));
        }
      }}
    >
      <label className={classes.label} htmlFor={id}>
        {label}
      </label>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: a click beside the tags focuses the field, which keys reach anyway */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: likewise */}
      <div
        className={classes.box}
        onClick={(event) => event.target === event.currentTarget && input.current?.focus()}
      >
        {tags.length > 0 && (
          // biome-ignore lint/a11y/noRedundantRoles: a list without markers is none to Safari unless told so
          <ul role="list" className={classes.tags} aria-label={label}>
            {tags.map((one) => (
              <li key={one} className={classes.tag}>
                {one}
                <button
                  type="button"
                  aria-label={t("banks.tags.remove", { name: one })}
                  onClick={() => remove(one)}
                >
                  <IconClose size={12} />
                </button>
              </li>
            ))}
          </ul>
        )}
        <input
          {...rest}
          ref={input}
          id={id}
          type="text"
          role="combobox"
          className={classes.input}
          placeholder={t("banks.tags.add")}
          aria-expanded={isShown}
          aria-controls={isShown ? `${id}-list` : undefined}
          aria-autocomplete="list"
          aria-activedescendant={active >= 0 ? `${id}-${active}` : undefined}
          aria-describedby={`${id}-about`}
          aria-invalid={problem ? true : undefined}
          autoComplete="off"
          value={typed}
          onFocus={() => setOpen(true)}
          onClick={() => setOpen(true)}
          onChange={(event) => {
            setTyped(event.currentTarget.value);
            setOpen(true);
            setAt(-1);
            setProblem(null);
          }}
          onKeyDown={onKeyDown}
        />
      </div>
      {isShown && (
        <div
          id={`${id}-list`}
          role="listbox"
          aria-label={t("banks.tags.suggestions")}
          className={classes.list}
        >
          {options.map((name, index) => (
            // biome-ignore lint/a11y/useFocusableInteractive: the text field keeps the focus
            // biome-ignore lint/a11y/useKeyWithClickEvents: its keys are the text field's
            <div
              key={name}
              id={`${id}-${index}`}
              role="option"
              aria-selected={index === active}
              className={classes.option}
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => add([name])}
            >
              {isNew && index === options.length - 1 ? t("banks.tags.create", { name }) : name}
            </div>
          ))}
        </div>
      )}
      <p
        id={`${id}-about`}
        className={problem ? classes.problem : classes.hint}
        role={problem ? "alert" : undefined}
      >
        {problem ?? t("banks.tags.hint")}
      </p>
    </div>
  );
}
