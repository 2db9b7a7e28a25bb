import { useMutation } from "@apollo/client/react";
import { useEffect, useRef, useState } from "react";
import { countCharacters, isBlank } from "../forms/rules";
import { useTranslation } from "../i18n/useTranslation";
import { REASON_MAX } from "../limits.generated";
import { failureText, showToast, toastFailure } from "../ui/toasts";
import { guardUnsaved } from "../ui/unsaved";
import { DecideGradeDocument } from "./Gradebook.generated";
import { type Cell, type Item, parsePoints, type Row, shownDecimal, totalCell } from "./grades";

/** The number of a cell that is not stored: being typed, on its way, or refused. */
export interface Draft {
  row: Row;
  /** Null: the grade of the course. */
  item: Item | null;
  text: string;
  /** The version of the cell when it was opened. */
  version: number;
  /** Why it was not stored; null while it is typed or on its way. */
  problem: string | null;
}

export const cellKey = (row: Row, item: Item | null) => `${row.enrollmentId} ${item?.pageId ?? ""}`;

/**
 * Grades that are typed into cells. All have one reason, which stays until it is changed. They are stored one after the other while the
 * focus moves on; what is refused stays in its cell with the reason.
 */
export function useGradeEdits(put: (row: Row) => void) {
  const { t, i18n } = useTranslation();
  const [decide] = useMutation(DecideGradeDocument);
  const [editing, setEditing] = useState<string | null>(null);
  const [drafts, setDrafts] = useState<ReadonlyMap<string, Draft>>(new Map());
  const [reason, setReason] = useState("");
  const [reasonProblem, setReasonProblem] = useState<string | null>(null);
  const queue = useRef<Promise<void>>(Promise.resolve());
  /** The versions that the saves of this screen have made. */
  const versions = useRef(new Map<string, number>());
  // A refusal that arrives after the table was left is told in a toast.
  const isShown = useRef(true);
  useEffect(() => {
    isShown.current = true;
    return () => {
      isShown.current = false;
    };
  }, []);
  /** The drafts as they are now, also for the answers that arrive between two renderings. */
  const current = useRef(drafts);
  const replace = (next: ReadonlyMap<string, Draft>) => {
    current.current = next;
    setDrafts(next);
  };
  const set = (key: string, draft: Draft | null) => {
    const next = new Map(current.current);
    if (draft) next.set(key, draft);
    else next.delete(key);
    replace(next);
  };

  const send = async (key: string, sent: Draft, points: string, why: string) => {
    // The cell may have been opened again meanwhile: what is typed there now stays. Returns whether the draft is in sight.
    const settle = (draft: Draft | null) => {
      if (current.current.get(key) !== sent) return false;
      set(key, draft);
      return isShown.current;
    };
    try {
      const version = Math.max(sent.version, versions.current.get(key) ?? 0);
      const input = {
        enrollmentId: sent.row.enrollmentId,
        pageId: sent.item?.pageId ?? null,
        version,
        kind: "OVERRIDE" as const,
        points,
        reason: why,
      };
      const { data } = await decide({ variables: { input } });
      const stored = data?.decideGrade.grade ?? data?.decideGrade.conflict?.grade;
      if (!stored) {
        settle(null);
        return;
      }
      const cell = stored.pageId === null ? totalCell(stored.row) : (stored.cell as Cell);
      put(stored.row);
      if (!data?.decideGrade.conflict) {
        versions.current.set(key, cell.version ?? 0);
        settle(null);
        return;
      }
      const grade =
        cell.source === "excused"
          ? t("students.grades.signs.excused")
          : cell.points === undefined
            ? "—"
            : shownDecimal(cell.points, i18n.language);
      const problem = t("students.grades.edit.conflict", { grade });
      if (settle({ ...sent, version: cell.version ?? 0, problem })) return;
      showToast({
        kind: "failure",
        title: t("errors.toastFailure"),
        text: t("students.grades.edit.notKept", {
          name: sent.row.user.fullName || sent.row.user.email,
          item: sent.item ? (sent.item.title ?? sent.item.lessonTitle) : t("students.grades.total"),
          points: sent.text.trim(),
          problem,
        }),
      });
    } catch (error) {
      if (!settle({ ...sent, problem: failureText(error) })) toastFailure(error);
    }
  };

  return {
    editing,
    drafts,
    reason,
    reasonProblem,
    isUnsaved: [...drafts].some(
      ([key, { text, problem }]) => text.trim() !== "" && (key === editing || problem !== null),
    ),
    setReason: (text: string) => {
      setReason(text);
      setReasonProblem(null);
    },
    /** Opens a cell with the digit that was typed on it, or with what was refused. */
    open: (row: Row, item: Item | null, cell: Cell, typed?: string) => {
      const key = cellKey(row, item);
      const draft = drafts.get(key);
      const text = typed ?? draft?.text ?? "";
      // A draft goes on from what its author has seen: the cell may show a later decision of somebody else.
      set(key, { row, item, text, version: draft?.version ?? cell.version ?? 0, problem: null });
      setEditing(key);
    },
    type: (key: string, text: string) => {
      const draft = drafts.get(key);
      if (draft) set(key, { ...draft, text, problem: null });
    },
    cancel: (key: string) => {
      set(key, null);
      setEditing(null);
      setReasonProblem(null);
    },
    /** Stores what was typed. Returns what is wrong with it, and keeps the cell open; null if it is on its way. */
    save: (key: string): "points" | "reason" | null => {
      const draft = drafts.get(key);
      if (!draft) return null;
      const points = parsePoints(draft.text);
      if (points === null) {
        set(key, { ...draft, problem: t("students.grades.pointsRequired") });
        return "points";
      }
      const why = reason.trim();
      if (isBlank(why) || countCharacters(why) > REASON_MAX) {
        setReasonProblem(
          t(isBlank(why) ? "students.grades.reasonRequired" : "students.grades.reasonTooLong"),
        );
        return "reason";
      }
      setReasonProblem(null);
      const sent = { ...draft, problem: null };
      set(key, sent);
      setEditing(null);
      // What waits for its turn is unsaved, although no field shows it.
      const endGuard = guardUnsaved({ isUnsaved: () => true, settle: () => queue.current });
      queue.current = queue.current.then(() => send(key, sent, points, why)).finally(endGuard);
      return null;
    },
    /** The cell was left by the pointer with something that cannot be stored yet: it keeps that and says so. */
    leave: (key: string) => {
      const draft = drafts.get(key);
      const isKept = draft && draft.text.trim() !== "";
      set(key, isKept ? { ...draft, problem: draft.problem ?? t("students.grades.edit.notStored") } : null);
      // An open cell would hold back the changes of others for as long as nobody returns to it.
      setEditing((now) => (now === key ? null : now));
    },
    /** Whether what was typed can be stored as it is. */
    isComplete: (key: string) => {
      const why = reason.trim();
      return (
        parsePoints(drafts.get(key)?.text ?? "") !== null && why !== "" && countCharacters(why) <= REASON_MAX
      );
    },
    /** What was typed when the session ended, as it waits for Enter. */
    restore: (kept: readonly Omit<Draft, "problem">[]) =>
      replace(
        new Map(
          kept.map((draft) => [
            cellKey(draft.row, draft.item),
            { ...draft, problem: t("students.grades.edit.notStored") },
          ]),
        ),
      ),
    typed: () => Object.fromEntries([...drafts].map(([key, { text, version }]) => [key, { text, version }])),
    discard: () => {
      replace(new Map());
      setEditing(null);
    },
  };
}

export type GradeEdits = ReturnType<typeof useGradeEdits>;
