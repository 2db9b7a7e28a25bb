import { useApolloClient } from "@apollo/client/react";
import { useNavigate } from "@tanstack/react-router";
import { useSelector } from "@tanstack/react-store";
import { useEffect, useMemo } from "react";
import { hiddenItems } from "../ui/hiddenItems";
import { type OutlineActions, outlineActions } from "./actions";
import { editsOf } from "./outlineEdits";
import { type OutlineState, OutlineStore } from "./outlineStore";
import { type Row, rowsOf } from "./rows";
import { existing } from "./selection";
import { indexOf, type Tree, withoutItems } from "./tree";

export interface Outline {
  /** The selection holds only items that exist. */
  state: OutlineState;
  rows: readonly Row[];
  /** The same object as long as the course is shown. */
  actions: OutlineActions;
}

/** The outline of a course on the screen: its state, its rows and its actions. `tree` is the course as it is rendered. */
export function useOutline(tree: Tree, editable: boolean): Outline {
  const client = useApolloClient();
  const navigate = useNavigate();
  const { store, actions } = useMemo(() => {
    const store = new OutlineStore(tree.id);
    const edits = editsOf(client, tree.id);
    const shownTree = () => withoutItems(edits.tree() ?? { id: tree.id, modules: [] }, hiddenItems.get());
    const rows = () => {
      const current = shownTree();
      return rowsOf(current, { ...store.get(), saving: unlisted(store.get(), current), editable });
    };
    const openPage = (pageId: string) => void navigate({ to: "/edit-page/$pageId", params: { pageId } });
    return { store, actions: outlineActions({ store, edits, tree: shownTree, rows, openPage }) };
  }, [client, tree.id, navigate, editable]);
  const state = useSelector(store);

  const { collapsed, draft, saving } = state;
  const rows = useMemo(
    () => rowsOf(tree, { collapsed, draft, saving: unlisted({ saving }, tree), editable }),
    [tree, collapsed, draft, saving, editable],
  );
  const entries = indexOf(tree);
  // A new item that the tree has shown once is no longer new: it must not come back as one when it is deleted.
  const isListed = saving.some(({ id }) => id && entries.has(id));
  useEffect(() => {
    if (isListed) store.update({ saving: unlisted(store.get(), tree) });
  }, [isListed, store, tree]);
  const selection = existing(state.selection, (id) => entries.has(id));
  return { state: { ...state, selection }, rows, actions };
}

/** New items that are not in the tree yet. */
function unlisted({ saving }: Pick<OutlineState, "saving">, tree: Tree): OutlineState["saving"] {
  const entries = indexOf(tree);
  return saving.filter(({ id }) => !id || !entries.has(id));
}
