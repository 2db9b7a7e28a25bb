import { useApolloClient } from "@apollo/client/react";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "../i18n/useTranslation";
import { showToast, toastFailure } from "../ui/toasts";
import { type Column, changePart, dateOf, fieldOf, type Part, valuesBefore } from "./parts";
import { changesOf, type Filled, spread } from "./paste";
import { reasonOf } from "./reasonOf";
import { applyAll, undoAll } from "./shifts";
import { toastSaved } from "./toastSaved";
import { parseTyped, sentOf, typedOf } from "./typed";

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
export function useCellEdits(zone: string) {
  const { t, i18n } = useTranslation();
  const client = useApolloClient();
  const [editing, setEditing] = useState<string | null>(null);
  const [drafts, setDrafts] = useState<ReadonlyMap<string, Draft>>(new Map());
  const put = (key: string, draft: Draft | null) => setDrafts((before) => changed(before, key, draft));
  /** The saves that wait for an answer, by the key of their cell. */
  const saving = useRef(new Map<string, Promise<object>>());
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
      const read = saving.current.get(key) ?? part.item;
      put(key, { text: text ?? drafts.get(key)?.text ?? stored, stored, problem: null, read });
      setEditing(key);
    },
    type: (part: Part, column: Column, text: string) => {
      const key = cellKey(part, column);
      put(key, { text, stored: storedText(part, column), problem: null, read: drafts.get(key)?.read });
    },
    cancel: (part: Part, column: Column) => {
      put(cellKey(part, column), null);
      setEditing(null);
    },
    /** Saves a text. Returns whether its cell may close: not if it is unreadable. */
    save: (part: Part, column: Column, text: string): boolean => {
      const key = cellKey(part, column);
      const field = fieldOf(part, column);
      const typed = text.trim();
      const stored = storedText(part, column);
      if (field === null || typed === stored) {
        put(key, null);
        setEditing(null);
        return true;
      }
      const value = typed === "" ? null : parseTyped(typed, new Date());
      if (typed !== "" && value === null) {
        put(key, { text, stored, problem: t("dates.field.unreadable") });
        return false;
      }
      const changes = { [field]: value && sentOf(value, zone) };
      const before = valuesBefore(part.item, changes);
      const sent: Draft = { text: typed, stored, problem: null };
      put(key, sent);
      // The cell may have been opened again meanwhile: what is typed there now stays.
      const settle = (draft: Draft | null) =>
        setDrafts((before) => (before.get(key) === sent ? changed(before, key, draft) : before));
      setEditing((now) => (now === key ? null : now));
      const read = Promise.resolve(drafts.get(key)?.read ?? part.item);
      // A refusal of the earlier save has been reported. This text is saved nevertheless.
      const saved = read.catch(() => part.item).then((read) => changePart(client, part, changes, read));
      saving.current.set(key, saved);
      saved
        .finally(() => {
          if (saving.current.get(key) === saved) saving.current.delete(key);
        })
        .then(
          (saved) => {
            settle(null);
            if (value === null)
              toastSaved(() => changePart(client, part, before, saved), t("dates.table.cleared"));
          },
          (error: unknown) => {
            settle({ text: typed, stored, problem: reasonOf(error) });
            if (!isShown.current) toastFailure(error);
          },
        );
      return true;
    },
    /** Fills the cells of the rows from a column on with a pasted text. What is refused stays in its cell with the reason. */
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
      const { done, failed } = await applyAll(client, changesOf(filled, now, zone));
      const reasons = new Map(failed.map(({ shift, reason }) => [shift.part.id, reasonOf(reason)]));
      setDrafts((before) => {
        const next = new Map(before);
        for (const { part, column } of filled) {
          const key = cellKey(part, column);
          const draft = sent.get(key);
          if (before.get(key) !== draft || !draft) continue;
          const problem = reasons.get(part.id);
          if (problem === undefined) next.delete(key);
          else next.set(key, { ...draft, problem });
        }
        return next;
      });
      if (failed[0] && !isShown.current) toastFailure(failed[0].reason);
      const told = [
        done.length > 0 && t("dates.table.pasted", { count: done.length }),
        left > 0 && t("dates.table.pastedLeft", { count: left }),
      ].filter(Boolean);
      if (done.length > 0) toastSaved(() => undoAll(client, done), told.join(" "));
      else if (left > 0)
        showToast({ kind: "failure", title: t("errors.toastFailure"), text: told.join(" ") });
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
