import { type ReactNode, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { useTranslation } from "../i18n/useTranslation";
import { EXTENSIONS_MAX } from "../limits.generated";
import { Button } from "../ui/Button";
import { IconCheck, IconClose } from "../ui/icons";
import classes from "./FileKindsField.module.css";
import { FILE_KIND_NAMES, hasKind, readExtensions, toggleKind, withExtensions } from "./fileKinds";
import { TextField } from "./parts";

interface FileKindsFieldProps {
  extensions: readonly string[];
  onChange: (extensions: string[]) => void;
  /** What the server says about the list. */
  problem: ReactNode;
}

/** Edits the accepted kinds of files: groups to switch on and off, the list of extensions, and a field for further ones. */
export function FileKindsField({ extensions, onChange, problem }: FileKindsFieldProps) {
  const { t } = useTranslation();
  const field = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLUListElement>(null);
  const [typed, setTyped] = useState("");
  const [refusal, setRefusal] = useState<string | null>(null);
  const change = (next: string[] | null) => {
    setRefusal(next ? null : t("quizBuilder.files.tooMany", { most: EXTENSIONS_MAX }));
    if (next) onChange(next);
    return next !== null;
  };
  const addTyped = () => {
    const { read, unreadable } = readExtensions(typed);
    if (read.length === 0 && unreadable.length === 0) return setTyped("");
    if (!change(withExtensions(extensions, read))) return;
    setTyped(unreadable.join(" "));
    if (unreadable.length > 0) setRefusal(t("quizBuilder.files.unreadable", { list: unreadable.join(", ") }));
  };
  const remove = (at: number) => {
    flushSync(() => change(extensions.filter((_, one) => one !== at)));
    const buttons = list.current?.querySelectorAll("button");
    (buttons?.[Math.min(at, buttons.length - 1)] ?? field.current)?.focus();
  };
  return (
    <fieldset className={classes.kinds}>
      <legend>{t("quizBuilder.files.kinds")}</legend>
      <div className={classes.row}>
        {FILE_KIND_NAMES.map((kind) => {
          const isOn = hasKind(extensions, kind);
          return (
            <button
              key={kind}
              type="button"
              className={classes.kind}
              aria-pressed={isOn}
              onClick={() => change(toggleKind(extensions, kind))}
            >
              {isOn && <IconCheck size={16} />}
              {t(`quizBuilder.files.groups.${kind}`)}
            </button>
          );
        })}
      </div>
      {extensions.length === 0 ? (
        <p className={classes.any}>{t("quizBuilder.files.any")}</p>
      ) : (
        // biome-ignore lint/a11y/noRedundantRoles: a list without markers is none to Safari unless told so
        <ul ref={list} role="list" className={classes.row} aria-label={t("quizBuilder.files.accepted")}>
          {extensions.map((extension, at) => (
            <li key={extension}>
              <button
                type="button"
                className={classes.extension}
                aria-label={t("quizBuilder.remove", { name: `.${extension}` })}
                onClick={() => remove(at)}
              >
                .{extension}
                <IconClose size={14} />
              </button>
            </li>
          ))}
        </ul>
      )}
      <div className={classes.own}>
        <TextField
          ref={field}
          label={t("quizBuilder.files.own")}
          hint={t("quizBuilder.files.ownHint")}
          value={typed}
          maxLength={400}
          spellCheck={false}
          autoCapitalize="none"
          problem={refusal ?? problem}
          onChange={(event) => {
            setTyped(event.currentTarget.value);
            setRefusal(null);
          }}
          onBlur={addTyped}
          onKeyDown={(event) => {
            if (event.key !== "Enter" || event.nativeEvent.isComposing) return;
            event.preventDefault();
            addTyped();
          }}
        />
        <Button variant="default" onClick={addTyped}>
          {t("quizBuilder.files.add")}
        </Button>
      </div>
    </fieldset>
  );
}
