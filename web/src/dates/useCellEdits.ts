import { useApolloClient } from "@apollo/client/react";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "../i18n/useTranslation";
import { showToast, toastFailure } from "../ui/toasts";
import { type Column, changePart, dateOf, fieldOf, type Part, valuesBefore } from "./parts";
import { changesOf, type Filled, spread } from "./paste";
import { reasonOf } from "./reasonOf";
import { isShownAs, parseTyped, sentOf, typedOf } from "./typed";
import type { SetDates } from "./useSetDates";
import type { Undo } from "./useUndo";

/** The text of a cell that is not saved: being typed, on its way, or refused. */
interface Draft {
  text: string;
  /** The text of the stored date; null when it is not known. */
  stored: string | null;
  /** Why it was not saved; null while it is typed or on its way. */
  problem: string | null;
  /** The fields of the part when the cell was opened; while an earlier save waits for its answer, the fields that it will store. */
  read?: object | Promise<object>;
}

export const cellKey = ({ id }: Pick<Part, "id">, column: Column) => `${id} ${column}`;

function changed(drafts: ReadonlyMap<string, Draft>, key: string, draft: Draft | null) {
  const next = new Map(drafts);
  if (draft) next.set(key, draft);
  else next.delete(key);
  return next;
}

/** The edits of the cells: a changed text is saved when its cell is left, and stays in it with the reason when it is refused. */
export function useCellEdits(zone: string, dates: SetDates, undo: Undo) {
  const { t, i18n } = useTranslation();
  const client = useApolloClient();
  const [editing, setEditing] = useState<string | null>(null);
  const [drafts, setDrafts] = useState<ReadonlyMap<string, Draft>>(new Map());
  const put = (key: string, draft: Draft | null) => setDrafts((before) => changed(before, key, draft));
  /** The last saves that wait for an answer, by the key of their cell: what they will store, and their drafts. */
  const saving = useRef(new Map<string, { saved: Promise<object>; sent: Draft }>());
  // A refusal that arrives after the table was left is told in a toast.
  const isShown = useRef(true);
  useEffect(() => {
    isShown.current = true;
    return () => {
      isShown.current = false;
    };
  }, []);
  const storedText = (part: Part, column: Column) => typedOf(dateOf(part, column), zone, i18n.language);

  return {
    editing,
    drafts,
    isUnsaved: [...drafts].some(
      ([key, { text, stored, problem }]) => (key === editing || problem !== null) && text.trim() !== stored,
    ),
    storedText,
    /** Opens a cell with its text, or with the digit that was typed on it. */
    open: (part: Part, column: Column, text?: string) => {
      const key = cellKey(part, column);
      const stored = storedText(part, column);
      const read = saving.current.get(key)?.saved ?? part.item;
      put(key, { text: text ?? drafts.get(key)?.text ?? stored, stored, problem: null, read });
      setEditing(key);
    },
    type: (part: Part, column: Column, text: string) => {
      const key = cellKey(part, column);
      put(key, { text, stored: storedText(part, column), problem: null, read: drafts.get(key)?.read });
    },
    cancel: (part: Part, column: Column) => {
      const key = cellKey(part, column);
      put(key, saving.current.get(key)?.sent ?? null);
      setEditing(null);
    },
    /** Saves a text. Returns whether its cell may close: not if it is unreadable. */
    save: (part: Part, column: Column, text: string): boolean => {
      const key = cellKey(part, column);
      const field = fieldOf(part, column);
      const typed = text.trim();
      const stored = storedText(part, column);
      const close = (draft: Draft | null) => {
        put(key, draft);
        setEditing(null);
        return true;
      };
      // While a save waits for its answer, the cell will have another date: the stored one is typed to get it back.
      const pending = saving.current.get(key);
      if (field === null) return close(null);
      if (typed === (pending?.sent.text ?? stored)) return close(pending?.sent ?? null);
      const value = typed === "" ? null : parseTyped(typed, new Date());
      if (typed !== "" && value === null) {
        put(key, { text, stored, problem: t("dates.field.unreadable") });
        return false;
      }
      const own = dateOf(part, column);
      const isOwn = typed === stored || (value !== null && isShownAs(value, own, zone));
      if (isOwn && !pending) return close(null);
      const changes = { [field]: isOwn ? own : value && sentOf(value, zone) };
      const sent: Draft = { text: typed, stored, problem: null };
      put(key, sent);
      // The cell may have been opened again meanwhile: what is typed there now stays.
      const settle = (draft: Draft | null) =>
        setDrafts((before) => (before.get(key) === sent ? changed(before, key, draft) : before));
      setEditing((now) => (now === key ? null : now));
      const earlier = Promise.resolve(pending?.saved ?? drafts.get(key)?.read ?? part.item);
      // A refusal of the earlier save has been reported. This text is saved nevertheless.
      const read = earlier.catch(() => part.item);
      const saved = read.then((read) => changePart(client, part, changes, read, zone));
      saving.current.set(key, { saved, sent });
      const done = Promise.all([read, saved])
        .finally(() => {
          if (saving.current.get(key)?.sent === sent) saving.current.delete(key);
        })
        .then(
          ([read, saved]) => {
            settle(null);
            const before = valuesBefore(read, changes);
            undo.offer(
              () => changePart(client, part, before, saved),
              value === null ? t("dates.table.cleared") : undefined,
            );
          },
          (error: unknown) => {
            settle({ text: typed, stored, problem: reasonOf(error) });
            if (!isShown.current) toastFailure(error);
          },
        );
      undo.follow(done);
      return true;
    },
    /**
     * Fills the cells of the rows from a column on with a pasted text: all readable dates, or none. What is unreadable or refused stays in its
     * cell with the reason.
     */
    paste: async (text: string, rows: readonly Part[], from: Column) => {
      const now = new Date();
      const { filled, unreadable, left } = spread(text, rows, from, now);
      const drafted =
        (problem: string | null) =>
        (cell: Filled): readonly [string, Draft] => [
          cellKey(cell.part, cell.column),
          { text: cell.text, stored: storedText(cell.part, cell.column), problem },
        ];
      const sent = new Map(filled.map(drafted(null)));
      setDrafts(
        (before) => new Map([...before, ...sent, ...unreadable.map(drafted(t("dates.field.unreadable")))]),
      );
      // A cell may have been opened again meanwhile: what is typed there now stays.
      const settle = (problemOf: (part: Part, column: Column) => string | null) =>
        setDrafts((before) => {
          const next = new Map(before);
          for (const { part, column } of filled) {
            const key = cellKey(part, column);
            const draft = sent.get(key);
            if (before.get(key) !== draft || !draft) continue;
            const problem = problemOf(part, column);
            if (problem === null) next.delete(key);
            else next.set(key, { ...draft, problem });
          }
          return next;
        });
      const notPlaced = left > 0 && t("dates.table.pastedLeft", { count: left });
      const changed = changesOf(filled, now, zone);
      if (changed.length === 0) {
        settle(() => null);
        if (notPlaced) showToast({ kind: "failure", title: t("errors.toastFailure"), text: notPlaced });
        return;
      }
      try {
        const told = [t("dates.table.pasted", { count: changed.length }), notPlaced].filter(Boolean);
        await dates.apply(changed, told.join(" "));
        settle(() => null);
      } catch (error) {
        const refusals = dates.refusals(error, changed);
        const other = refusals.length > 0 ? t("dates.table.notPasted") : reasonOf(error);
        settle((part, column) => {
          const here = refusals.find(
            (one) => one.part.id === part.id && (one.field === null || one.field === fieldOf(part, column)),
          );
          return here?.text ?? other;
        });
        if (!isShown.current) toastFailure(error);
      }
    },
    discard: () => {
      setDrafts(new Map());
      setEditing(null);
    },
    typed: () => Object.fromEntries([...drafts].map(([key, { text }]) => [key, text])),
    restore: (values: Record<string, unknown>) =>
      setDrafts(
        new Map(
          Object.entries(values).map(([key, text]) => [
            key,
            { text: String(text), stored: null, problem: t("dates.table.kept") },
          ]),
        ),
      ),
  };
}

export type CellEdits = ReturnType<typeof useCellEdits>;
