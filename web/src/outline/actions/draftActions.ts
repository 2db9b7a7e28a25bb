import { i18n } from "../../i18n";
import { newId } from "../../ui/newId";
import { failureText, toastFailure } from "../../ui/toasts";
import { offerUndo } from "../../ui/undo";
import { allOf, type PlannedItem } from "../pastedOutline";
import type { Draft, NewKind } from "../rows";
import { type Position, parentsOf } from "../tree";
import { entryOf, type OutlineContext } from "./context";
import type { ViewActions } from "./viewActions";

const CHILD: Record<string, NewKind> = { module: "lesson", lesson: "page" };

/** Actions that add items: a row takes the title, and the item appears when the server has created it. */
export function draftActions(context: OutlineContext, view: ViewActions) {
  const { store, edits, tree } = context;
  let lastCreated: Promise<string | null> = Promise.resolve(null);
  /** The pages that new lessons got, by the lesson. */
  const firstPages = new Map<string, string>();

  const add = (kind: NewKind, position: Position) => {
    if (position.parentId !== tree().id) view.setOpen([position.parentId], true);
    store.update({ draft: { kind, position, key: newId(), title: "" }, editing: null, refusal: null });
  };
  const createFirstPage = (lessonId: string, title: string) =>
    edits
      .create("page", { parentId: lessonId, before: null }, title)
      .then((id) => firstPages.set(lessonId, id), toastFailure);
  /** Creates an item; a lesson `withPage` gets its first page, of the same title, because a lesson without pages is nothing. */
  const create = async (
    { kind, position }: Pick<Draft, "kind" | "position">,
    title: string,
    withPage = true,
  ) => {
    const key = `saving ${newId()}`;
    store.update({ saving: [...store.get().saving, { kind, position, key, title }] });
    try {
      const id = await edits.create(kind, position, title);
      if (kind === "lesson" && withPage) await createFirstPage(id, title);
      const saving = store.get().saving.map((one) => (one.key === key ? { ...one, id } : one));
      store.update({ saving, active: id });
      return id;
    } catch (error) {
      toastFailure(error);
      store.update({
        saving: store.get().saving.filter((one) => one.key !== key),
        // The typed title comes back with the reason.
        draft: { kind, position, key: newId(), title },
        refusal: failureText(error),
      });
      return null;
    }
  };
  /** Creates items and what is inside them, one after another. Resolves to the ids of the outer items; ends at the first failure. */
  const createAll = async (items: readonly PlannedItem[], position: Position): Promise<string[]> => {
    const ids: string[] = [];
    for (const { kind, title, children } of items) {
      const id = await create({ kind, position }, title, children.length === 0);
      if (id === null) break;
      ids.push(id);
      const made = await createAll(children, { parentId: id, before: null });
      if (made.length < children.length) break;
    }
    return ids;
  };
  return {
    add,
    /** Creates the items of a pasted outline in place of the draft. */
    pasteDraft: async (items: readonly PlannedItem[]) => {
      const { draft } = store.get();
      if (!draft) return;
      store.update({ draft: null, refusal: null });
      const ids = await createAll(items, draft.position);
      const [first] = ids;
      if (!first) return;
      view.focus(first);
      const count = allOf(items).length;
      offerUndo(i18n.t("outline.pasted", { count }), () => edits.remove(ids, i18n.t("outline.pastedUndone")));
    },
    /** After the title of a new lesson's first page, the field for the next page. */
    continueFrom: (pageId: string) => {
      const entry = entryOf(context, pageId);
      store.update({ naming: null });
      if (entry) add("page", { parentId: entry.parentId, before: null });
    },
    addInside: (id: string) => {
      const entry = entryOf(context, id);
      const kind = entry && CHILD[entry.kind];
      if (kind) add(kind, { parentId: id, before: null });
    },
    /** Adds a sibling after an item; of the item's own kind by default. */
    addBelow: (id: string, kind?: NewKind) => {
      const entry = entryOf(context, id);
      if (!entry) return;
      const next = entry.siblings[entry.index + 1];
      add(kind ?? entry.kind, { parentId: entry.parentId, before: next?.id ?? null });
    },
    saveDraft: (title: string, by: "enter" | "blur") => {
      const { draft } = store.get();
      if (!draft) return;
      // Enter opens a field for the next item.
      const next = by === "enter" ? { ...draft, key: newId(), title: "" } : null;
      store.update({ draft: next, refusal: null });
      lastCreated = create(draft, title);
    },
    cancelDraft: (by: "escape" | "blur") => {
      const { draft, active } = store.get();
      store.update({ draft: null, refusal: null });
      if (by !== "escape" || !draft) return;
      const { parentId } = draft.position;
      const target = [active, parentId].find((id) => id !== null && entryOf(context, id));
      if (target) view.focus(target);
    },
    /** Moves the draft down a level, into the item above it, or up a level, after its parent. */
    shiftDraft: (direction: 1 | -1) => {
      const { draft } = store.get();
      if (!draft) return;
      void lastCreated.then((created) => {
        if (direction > 0) {
          const kind = CHILD[draft.kind];
          if (!kind) return;
          const parents = parentsOf(tree(), draft.kind === "module" ? "lesson" : "page");
          const parent = parents.find(({ id }) => id === created) ?? parents.at(-1);
          const first = parent && firstPages.get(parent.id);
          const pages = parent && entryOf(context, parent.id);
          if (
            first &&
            pages?.kind === "lesson" &&
            pages.item.pages.length === 1 &&
            pages.item.pages[0]?.id === first
          ) {
            view.setOpen([parent.id], true);
            store.update({ draft: null, refusal: null, editing: first, naming: first, active: first });
          } else if (parent) add(kind, { parentId: parent.id, before: null });
          return;
        }
        const parent = entryOf(context, draft.position.parentId);
        if (!parent || parent.kind === "page") return;
        const next = parent.siblings[parent.index + 1];
        add(parent.kind, { parentId: parent.parentId, before: next?.id ?? null });
      });
    },
  };
}
