import { useQuery } from "@apollo/client/react";
import {
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import { createPortal } from "react-dom";
import { float } from "../editor/toolbar/float";
import menu from "../editor/toolbar/menu.module.css";
import { useTranslation } from "../i18n/useTranslation";
import { VisuallyHidden } from "../ui/VisuallyHidden";
import { CommentersDocument } from "./Comments.generated";
import classes from "./Composer.module.css";
import { findPeople, type Mentioned, mentionAt } from "./mentions";

/** So many people are listed; further letters find the others. */
const SHOWN = 8;

interface Options {
  courseId: string;
  text: string;
  /** The people that were chosen for the text. */
  mentioned: readonly Mentioned[];
  /** Where the cursor stands; null without the focus. */
  cursor: number | null;
  field: RefObject<HTMLTextAreaElement | null>;
  /** Takes a person in place of the text from one offset to another. */
  onChoose: (person: Mentioned, from: number, to: number) => void;
}

/**
 * The list of people beside a typed @. The field keeps the focus; the arrows and Enter choose. Returns the properties of the field, a
 * function for its keys, which tells whether the list has used a key, and the list itself.
 */
export function useMentions({ courseId, text, mentioned, cursor, field, onChoose }: Options) {
  const { t } = useTranslation();
  const id = useId();
  const [chosen, setChosen] = useState(0);
  /** The mention whose list was closed by Escape. */
  const [closed, setClosed] = useState<number | null>(null);
  const match = cursor === null ? null : mentionAt(text, cursor);
  const { data, error, loading } = useQuery(CommentersDocument, {
    variables: { courseId },
    skip: !match,
    fetchPolicy: "cache-and-network",
  });
  const people = (data?.course.commenters ?? []).map(({ id, fullName, email }) => ({
    id,
    name: fullName || email,
    email,
  }));
  const found = match ? findPeople(people, match.query).slice(0, SHOWN) : [];
  const isChosen = mentioned.some(({ name }) => match?.query.startsWith(name));
  const isOpen =
    match !== null && match.from !== closed && !isChosen && (found.length > 0 || match.query.length < 3);
  if (!match && closed !== null) setClosed(null);
  const at = Math.min(chosen, found.length - 1);
  const [lastQuery, setLastQuery] = useState(match?.query);
  if (lastQuery !== match?.query) {
    setLastQuery(match?.query);
    setChosen(0);
  }
  const choose = (index: number) => {
    const person = found[index];
    if (!match || !person || cursor === null) return;
    onChoose({ id: person.id, name: person.name }, match.from, cursor);
  };

  const onKeyDown = (event: KeyboardEvent): boolean => {
    if (!isOpen || event.nativeEvent.isComposing || event.ctrlKey || event.metaKey) return false;
    if (event.key === "Escape") setClosed(match.from);
    else if (found.length === 0) return false;
    else if (event.key === "ArrowDown") setChosen((at + 1) % found.length);
    else if (event.key === "ArrowUp") setChosen((at - 1 + found.length) % found.length);
    else if (event.key === "Enter" || event.key === "Tab") choose(at);
    else return false;
    event.preventDefault();
    event.stopPropagation();
    return true;
  };
  const isShown = isOpen && found.length > 0;
  const none = t(error ? "comments.mention.failed" : loading ? "common.loading" : "comments.mention.none");
  return {
    field: {
      "aria-autocomplete": "list",
      "aria-controls": isShown ? id : undefined,
      "aria-activedescendant": isShown ? `${id}-${at}` : undefined,
    } as const,
    onKeyDown,
    list: (
      <>
        <div role="status">
          {isOpen && (
            <VisuallyHidden>
              {found.length > 0 ? t("comments.mention.found", { count: found.length }) : none}
            </VisuallyHidden>
          )}
        </div>
        {isOpen && (
          <Floating field={field} label={t("comments.mention.label")}>
            <div id={id} role="listbox" tabIndex={-1} aria-label={t("comments.mention.label")}>
              {found.map((person, index) => (
                // biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus
                // biome-ignore lint/a11y/useKeyWithClickEvents: its keys are the field's
                <div
                  key={person.id}
                  id={`${id}-${index}`}
                  role="option"
                  aria-selected={index === at}
                  className={menu.option}
                  onMouseDown={(event) => event.preventDefault()}
                  onClick={() => choose(index)}
                >
                  <span className={classes.person}>
                    <span>{person.name}</span>
                    {person.email !== person.name && <span className={classes.email}>{person.email}</span>}
                  </span>
                </div>
              ))}
            </div>
            {found.length === 0 && (
              <p className={menu.none} aria-hidden="true">
                {none}
              </p>
            )}
          </Floating>
        )}
      </>
    ),
  };
}

function Floating({
  field,
  label,
  children,
}: Pick<Options, "field"> & { label: string; children: ReactNode }) {
  const list = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    if (field.current && list.current) return float(field.current, list.current);
  }, [field]);
  return createPortal(
    <section ref={list} className={menu.menu} aria-label={label}>
      {children}
    </section>,
    document.body,
  );
}
