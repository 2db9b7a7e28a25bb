import { useApolloClient } from "@apollo/client/react";
import { useNavigate } from "@tanstack/react-router";
import { useCallback, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { failureText, showToast, toastFailure, toastStore, toastSuccess } from "../ui/toasts";
import type { Actions } from "./actions";
import { keepCollapsed, readCollapsed } from "./collapsed";
import { editsOf } from "./edits";
import { rowMenu } from "./rowMenu";
import { type Draft, type NewKind, rowsOf, type Saving } from "./rows";
import { ranged, type Selection, stillThere, toggled } from "./selection";
import { foundTitle } from "./titles";
import {
  indexOf,
  inOrder,
  type Kind,
  type Place,
  pagesIn,
  parentsOf,
  placeBeside,
  placeInNeighbour,
  type Tree,
} from "./tree";

const CHILD: Record<string, NewKind> = { module: "lesson", lesson: "page" };

/** The state of the outline on the screen: what is open, chosen, being written; and all that can be done to it. */
export function useOutline(tree: Tree, editable: boolean) {
  const { t } = useTranslation();
  const client = useApolloClient();
  const navigate = useNavigate();
  const edits = editsOf(client, tree.id);
  const [collapsed, setCollapsed] = useState(() => readCollapsed(tree.id));
  const [draft, setDraft] = useState<Draft | null>(null);
  const [saving, setSaving] = useState<readonly (Saving & { id?: string })[]>([]);
  const [editing, setEditing] = useState<string | null>(null);
  const [refusal, setRefusal] = useState<string | null>(null);
  const [selection, setSelection] = useState<Selection | null>(null);
  const [active, setActive] = useState<string | null>(null);
  /** Where the focus goes when it is there. */
  const [wanted, setWanted] = useState<string | null>(null);
  const [said, setSaid] = useState("");
  const [moving, setMoving] = useState<readonly string[] | null>(null);
  const [openModule, setOpenModule] = useState<string | null>(null);

  const all = indexOf(tree);
  const waiting = useMemo(() => saving.filter(({ id }) => !id || !all.has(id)), [saving, all]);
  const rows = useMemo(
    () => rowsOf(tree, { collapsed, draft, saving: waiting, editable }),
    [tree, collapsed, draft, waiting, editable],
  );
  const chosen = stillThere(selection, (id) => all.has(id));
  const latest = useRef({ tree, rows, selection: chosen, draft, active });
  latest.current = { tree, rows, selection: chosen, draft, active };
  const draftText = useRef("");
  const undos = useRef<(() => void)[]>([]);
  const lastMoveToast = useRef(0);

  const focus = useCallback((key: string) => {
    setActive(key);
    setWanted(key);
  }, []);
  const say = useCallback(
    (text: string) => setSaid((before) => (before === text ? `${text}\u00a0` : text)),
    [],
  );

  const doings = useMemo(() => {
    const found = (id: string) => indexOf(latest.current.tree).get(id);
    const titleOf = (id: string) => {
      const one = found(id);
      return one ? foundTitle(one, t) : "";
    };
    const setOpen = (ids: readonly string[], open: boolean) =>
      setCollapsed((before) => {
        const next = new Set(before);
        for (const id of ids) {
          if (open) next.delete(id);
          else next.add(id);
        }
        keepCollapsed(latest.current.tree.id, next);
        return next;
      });
    const sayWhere = (ids: readonly string[], kind: Kind) => {
      const now = found(ids[0] ?? "");
      if (!now) return;
      const title = titleOf(now.item.id);
      const parent = found(now.parentId);
      const where =
        parent === undefined
          ? t("outline.inCourse")
          : t(parent.kind === "module" ? "outline.inModule" : "outline.inLesson", {
              title: titleOf(now.parentId),
            });
      const what = t(`outline.moved.${kind}`, { count: ids.length, title });
      say(t("outline.nowAt", { what, where, number: now.index + 1, total: now.siblings.length }));
    };

    /** `quiet` for single steps by keys: what takes them back is the opposite key, or Ctrl+Z. */
    const move = (ids: readonly string[], place: Place, { quiet = false } = {}) => {
      const first = found(ids[0] ?? "");
      if (!first) return;
      const title = titleOf(first.item.id);
      const undo = edits.move(ids, place);
      if (!undo) return;
      setOpen([place.parentId], true);
      undos.current.push(undo);
      // The cache has told React by now; what is said is read from the tree to come.
      setTimeout(() => sayWhere(ids, first.kind));
      if (quiet) return;
      toastStore.dismiss(lastMoveToast.current);
      lastMoveToast.current = showToast({
        kind: "success",
        title: t("errors.toastSuccess"),
        text: t(`outline.moved.${first.kind}`, { count: ids.length, title }),
        action: { label: t("ui.undo"), run: undoMove },
      });
    };
    const undoMove = () => undos.current.pop()?.();

    const remove = (ids: readonly string[]) => {
      const first = found(ids[0] ?? "");
      if (!first) return;
      // The focus stays where it was: on what comes next, else on what came before.
      const { rows } = latest.current;
      const at = rows.findIndex((row) => row.key === ids[0]);
      const gone = new Set(ids);
      const stays = (index: number) => {
        const row = rows[index];
        if (!row || gone.has(row.key)) return false;
        for (let parent: string | undefined = row.parentId; parent; parent = found(parent)?.parentId)
          if (gone.has(parent)) return false;
        return true;
      };
      let next = at + 1;
      while (next < rows.length && !stays(next)) next++;
      if (next >= rows.length) {
        next = at - 1;
        while (next >= 0 && !stays(next)) next--;
      }
      const title = titleOf(first.item.id);
      edits.remove(ids, t(`outline.deleted.${first.kind}`, { count: ids.length, title }));
      undos.current = [];
      setSelection(null);
      const neighbour = rows[next];
      if (neighbour) focus(neighbour.key);
    };

    const draftAt = (kind: NewKind, place: Place) => {
      draftText.current = "";
      setRefusal(null);
      setEditing(null);
      if (place.parentId !== latest.current.tree.id) setOpen([place.parentId], true);
      setDraft({ kind, place });
    };
    const create = async (made: Draft, title: string) => {
      const key = `saving ${Math.random()}`;
      setSaving((before) => [...before, { ...made, key, title }]);
      try {
        const id = await edits.create(made.kind, made.place, title);
        setSaving((before) => before.map((one) => (one.key === key ? { ...one, id } : one)));
        setActive(id);
        return id;
      } catch (error) {
        setSaving((before) => before.filter((one) => one.key !== key));
        toastFailure(error);
        // What was typed comes back, unless something else is being typed there.
        draftText.current = title;
        setRefusal(failureText(error));
        setDraft(null);
        setTimeout(() => setDraft(made));
        return null;
      }
    };
    let lastMade: Promise<string | null> = Promise.resolve(null);

    const actions: Actions = {
      toggle: (id) =>
        setOpen(
          [id],
          latest.current.rows.some((row) => row.key === id && "expanded" in row && !row.expanded),
        ),
      select: (id, how) => {
        const kind = found(id)?.kind;
        if (!kind) return;
        const { rows, selection } = latest.current;
        const next = how === "range" ? ranged(selection, rows, id, id) : toggled(selection, kind, id);
        setSelection(next);
        setActive(id);
        say(t("outline.selectedNow", { count: next?.ids.size ?? 0 }));
      },
      edit: (id) => {
        setRefusal(null);
        setDraft(null);
        setEditing(id);
        setActive(id);
      },
      rename: (id, title, by) => {
        const one = found(id);
        setEditing(null);
        if (by === "enter") focus(id);
        if (!one || (one.item.title ?? "") === title) return;
        edits.rename(one.kind, id, title || null).catch((error: unknown) => {
          toastFailure(error);
          setRefusal(failureText(error));
        });
      },
      stopEditing: (id, by) => {
        setEditing(null);
        if (by === "escape") focus(id);
      },
      publish: (ids, published) => edits.publish(ids, published),
      add: draftAt,
      addInside: (id) => {
        const one = found(id);
        const kind = one && CHILD[one.kind];
        if (kind) draftAt(kind, { parentId: id, before: null });
      },
      draftText: () => draftText.current,
      saveDraft: (title, by) => {
        const { draft } = latest.current;
        if (!draft) return;
        setRefusal(null);
        setDraft(null);
        lastMade = create(draft, title);
        // Another one, in a field of its own.
        if (by === "enter") {
          draftText.current = "";
          setTimeout(() => setDraft(draft));
        }
      },
      cancelDraft: (by) => {
        const { draft, active } = latest.current;
        setDraft(null);
        setRefusal(null);
        if (by === "escape" && draft) {
          const { parentId } = draft.place;
          const home = active && found(active) ? active : found(parentId) ? parentId : null;
          if (home) focus(home);
        }
      },
      shiftDraft: (direction) => {
        const { draft, tree } = latest.current;
        if (!draft) return;
        void lastMade.then((made) => {
          if (direction > 0) {
            const kind = CHILD[draft.kind];
            const level = draft.kind === "module" || draft.kind === "lesson" ? draft.kind : null;
            if (!kind || !level) return;
            const siblings = parentsOf(latest.current.tree, level === "module" ? "lesson" : "page");
            const parent = siblings.find(({ id }) => id === made) ?? siblings.at(-1);
            if (parent) draftAt(kind, { parentId: parent.id, before: null });
            return;
          }
          const parent = found(draft.place.parentId);
          if (!parent || parent.kind === "page") return;
          const next = parent.siblings[parent.index + 1];
          draftAt(parent.kind, { parentId: parent.parentId, before: next?.id ?? null });
        });
        void tree;
      },
      openModule: setOpenModule,
      menu: (row) =>
        rowMenu(row, t, { actions, move: step, moveTo: setMoving, remove, duplicate, open, draftBelow }),
    };

    const idsWith = (id: string) => {
      const { selection, tree } = latest.current;
      return selection?.ids.has(id) ? inOrder(tree, selection.ids) : [id];
    };
    /** One step by the keyboard or the menu, for all that is chosen when this is part of it. */
    const step = (id: string, direction: -1 | 1, far = false) => {
      const ids = idsWith(id);
      const { tree } = latest.current;
      const place = far ? placeInNeighbour(tree, ids, direction) : placeBeside(tree, ids, direction);
      if (!place) {
        say(t("outline.atTheEnd"));
        return;
      }
      move(ids, place, { quiet: true });
      focus(id);
    };
    const duplicate = (id: string) => {
      const one = found(id);
      if (!one) return;
      edits.duplicate(one.kind, id).then((copy) => {
        toastSuccess(t("outline.copied"));
        focus(copy);
      }, toastFailure);
    };
    const open = (id: string) => void navigate({ to: "/edit-page/$pageId", params: { pageId: id } });
    const draftBelow = (id: string, kind?: NewKind) => {
      const one = found(id);
      if (!one) return;
      const next = one.siblings[one.index + 1];
      draftAt(kind ?? one.kind, { parentId: one.parentId, before: next?.id ?? null });
    };
    return { actions, move, step, remove, duplicate, open, draftBelow, idsWith, undoMove, setOpen, titleOf };
  }, [edits, focus, navigate, say, t]);

  return {
    ...doings,
    edits,
    rows,
    collapsed,
    draft,
    editing,
    refusal,
    selection: chosen,
    setSelection,
    active,
    setActive,
    wanted,
    setWanted,
    focus,
    said,
    say,
    moving,
    setMoving,
    openModule,
    setOpenModule,
    canUndo: () => undos.current.length > 0,
    pagesOf: (ids: ReadonlySet<string>) =>
      [...ids].flatMap((id) => {
        const found = all.get(id);
        return found ? pagesIn(found) : [];
      }),
  };
}

export type OutlineState = ReturnType<typeof useOutline>;
