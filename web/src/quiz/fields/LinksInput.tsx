import { useId, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { useTranslation } from "../../i18n/useTranslation";
import { Button } from "../../ui/Button";
import { IconButton } from "../../ui/IconButton";
import { IconClose, IconPlus } from "../../ui/icons";
import { completedLink, isLink, LINK_MAX, pastedLinks } from "../links";
import classes from "./LinksInput.module.css";

interface LinksInputProps {
  links: readonly string[];
  /** The most addresses. */
  most: number;
  onChange: (links: string[]) => void;
  disabled: boolean;
  /** Id of the element that labels the group. */
  labelledBy: string;
}

/** The addresses of an answer, one to a field. Several pasted ones fill several fields. */
export function LinksInput({ links, most, onChange, disabled, labelledBy }: LinksInputProps) {
  const { t } = useTranslation();
  const id = useId();
  const root = useRef<HTMLFieldSetElement>(null);
  /** The fields that were left: an address is wrong only then. */
  const [left, setLeft] = useState<ReadonlySet<number>>(new Set());
  /** Pasted addresses for which there was no field. */
  const [over, setOver] = useState<readonly string[]>([]);
  const lost = over.filter((one) => !links.includes(one));
  // There is always a field to type in.
  const shown = links.length > 0 ? links : [""];
  const focusField = (at: number) => root.current?.querySelectorAll("input")[at]?.focus();
  const replace = (at: number, text: string) =>
    onChange(shown.map((one, index) => (index === at ? text : one)));
  const add = (after: number) => {
    if (shown.length >= most) return;
    flushSync(() => onChange([...shown.slice(0, after + 1), "", ...shown.slice(after + 1)]));
    setLeft(new Set());
    focusField(after + 1);
  };
  const remove = (at: number) => {
    flushSync(() => onChange(shown.filter((_, index) => index !== at)));
    setLeft(new Set());
    focusField(Math.min(at, Math.max(0, shown.length - 2)));
  };
  return (
    <fieldset
      ref={root}
      className={classes.links}
      aria-labelledby={labelledBy}
      aria-describedby={`${id}-rules`}
    >
      {shown.map((link, at) => {
        const isWrong = link.trim() !== "" && !isLink(link.trim());
        const isTold = isWrong && left.has(at);
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: a field has no identity but its place
          <div key={at} className={classes.row}>
            <div className={classes.field}>
              <input
                type="url"
                inputMode="url"
                className={classes.input}
                aria-label={t("quiz.links.label", { number: at + 1 })}
                aria-invalid={isTold || undefined}
                aria-describedby={`${id}-problem-${at}`}
                data-unreadable={isWrong || undefined}
                placeholder="https://"
                value={link}
                maxLength={LINK_MAX}
                disabled={disabled}
                autoComplete="off"
                autoCapitalize="none"
                spellCheck={false}
                onChange={(event) => replace(at, event.currentTarget.value)}
                onPaste={(event) => {
                  const several = pastedLinks(event.clipboardData.getData("text/plain"));
                  if (!several || link.trim() !== "") return;
                  event.preventDefault();
                  const room = Math.max(1, most - shown.length + 1);
                  const filled = [...shown.slice(0, at), ...several.slice(0, room), ...shown.slice(at + 1)];
                  flushSync(() => {
                    onChange(filled);
                    setOver([...new Set([...lost, ...several.slice(room)])]);
                  });
                  focusField(Math.min(at + several.length, filled.length) - 1);
                }}
                onBlur={() => {
                  const completed = completedLink(link);
                  if (completed !== link) replace(at, completed);
                  setLeft((known) => new Set(known).add(at));
                }}
                onKeyDown={(event) => {
                  if (event.key !== "Enter" || event.nativeEvent.isComposing) return;
                  if (event.ctrlKey || event.metaKey) return;
                  // Enter goes on to the next address; it does not hand in the work.
                  event.preventDefault();
                  if (at + 1 < shown.length) focusField(at + 1);
                  else if (link.trim() !== "") add(at);
                }}
              />
              <p id={`${id}-problem-${at}`} role="status" className={classes.problem}>
                {isTold && t("quiz.links.wrong")}
              </p>
            </div>
            {(shown.length > 1 || link !== "") && (
              <IconButton
                disabled={disabled}
                aria-label={t("quiz.links.remove", { number: at + 1 })}
                onClick={() => remove(at)}
              >
                <IconClose size={18} />
              </IconButton>
            )}
          </div>
        );
      })}
      {shown.length < most && (
        <Button
          variant="subtle"
          size="compact"
          className={classes.add}
          icon={<IconPlus size={18} />}
          disabled={disabled}
          onClick={() => add(shown.length - 1)}
        >
          {t("quiz.links.add")}
        </Button>
      )}
      {lost.length > 0 && (
        <div role="alert" className={classes.over}>
          <p>{t("quiz.links.over")}</p>
          <IconButton
            aria-label={t("quiz.links.hideOver")}
            onClick={() => {
              flushSync(() => setOver([]));
              focusField(shown.length - 1);
            }}
          >
            <IconClose size={18} />
          </IconButton>
          <ul>
            {lost.map((one) => (
              <li key={one}>{one}</li>
            ))}
          </ul>
        </div>
      )}
      <p id={`${id}-rules`} className={classes.rules}>
        {t("quiz.links.upTo", { count: most })}
      </p>
    </fieldset>
  );
}
