import { Extension } from "@tiptap/core";
import { type EditorState, Plugin, PluginKey } from "@tiptap/pm/state";

/** The text typed after a slash, and its position. */
export interface SlashMatch {
  query: string;
  from: number;
  to: number;
}

interface SlashState {
  match: SlashMatch | null;
  /** Position of a slash whose menu was closed with Escape; it stays closed until the slash is deleted. */
  dismissedAt: number | null;
}

const key = new PluginKey<SlashState>("slash");

/** Handles a key while the menu is open; returns whether it used the key. */
export type SlashKeys = (event: KeyboardEvent) => boolean;

/** Detects a slash at the start of a line or after a space, which opens the insert menu. */
export const Slash = Extension.create<object, { onKey: SlashKeys | null }>({
  name: "slash",
  // The menu handles Enter, the arrows and Escape before the editor does.
  priority: 1000,
  addStorage: () => ({ onKey: null }),
  addProseMirrorPlugins() {
    const { storage } = this;
    return [
      new Plugin<SlashState>({
        key,
        state: {
          init: () => ({ match: null, dismissedAt: null }),
          apply(tr, before, _old, state) {
            const dismissed = tr.getMeta(key) === "dismiss";
            if (!tr.docChanged && !tr.selectionSet && !dismissed) return before;
            const match = find(state);
            if (!match) return { match: null, dismissedAt: null };
            const at = dismissed
              ? match.from
              : before.dismissedAt === null
                ? null
                : tr.mapping.map(before.dismissedAt, -1);
            return at === match.from ? { match: null, dismissedAt: at } : { match, dismissedAt: null };
          },
        },
        props: {
          handleKeyDown: (view, event) => {
            if (!key.getState(view.state)?.match) return false;
            if (event.key === "Escape") {
              view.dispatch(view.state.tr.setMeta(key, "dismiss"));
              return true;
            }
            return storage.onKey?.(event) ?? false;
          },
        },
      }),
    ];
  },
});

declare module "@tiptap/core" {
  interface Storage {
    slash: { onKey: SlashKeys | null };
  }
}

export function slashMatch(state: EditorState): SlashMatch | null {
  return key.getState(state)?.match ?? null;
}

function find({ selection }: EditorState): SlashMatch | null {
  const { $from, empty } = selection;
  if (!empty || !$from.parent.isTextblock || $from.parent.type.spec.code) return null;
  const before = $from.parent.textBetween(
    Math.max(0, $from.parentOffset - 40),
    $from.parentOffset,
    undefined,
    "\ufffc",
  );
  const found = /(?:^|\s)\/([\p{L}\p{N}$+ -]{0,30})$/u.exec(before);
  const query = found?.[1];
  // Two spaces, or one right after the slash, mean an ordinary slash.
  if (query === undefined || /^\s| {2}/.test(query)) return null;
  return { query, from: $from.pos - query.length - 1, to: $from.pos };
}
