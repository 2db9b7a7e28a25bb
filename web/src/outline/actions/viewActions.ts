import type { OutlineDialog } from "../OutlineDialogs";
import type { OutlineContext } from "./context";

/** Actions that change what is shown and focused. */
export function viewActions({ store, rows }: OutlineContext) {
  const setOpen = (ids: readonly string[], open: boolean) => {
    const collapsed = new Set(store.get().collapsed);
    for (const id of ids) {
      if (open) collapsed.delete(id);
      else collapsed.add(id);
    }
    store.update({ collapsed });
  };
  return {
    setOpen,
    toggle: (id: string) =>
      setOpen(
        [id],
        rows().some((row) => row.key === id && "expanded" in row && !row.expanded),
      ),
    /** Makes a row active and focuses it as soon as it is rendered. */
    focus: (key: string) => store.update({ active: key, focusTarget: key }),
    /** The focus has reached a row. */
    focused: (key: string) => store.update({ active: key }),
    focusReached: () => store.update({ focusTarget: null }),
    announce: (text: string) => {
      const { announcement } = store.get();
      // A live region does not read the same text again.
      store.update({ announcement: announcement === text ? `${text}\u00a0` : text });
    },
    openDialog: (dialog: OutlineDialog) => store.update({ dialog }),
    closeDialog: () => store.update({ dialog: null }),
  };
}

export type ViewActions = ReturnType<typeof viewActions>;
