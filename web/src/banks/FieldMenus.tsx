import type { ReactNode } from "react";
import { ActiveField } from "../editor/activeField";
import { BlockPanel } from "../editor/panel/BlockPanel";
import { SlashMenu } from "../editor/toolbar/SlashMenu";
import { useActiveField } from "../editor/useActiveField";
import { useInsertDialogs } from "../editor/useInsertDialogs";

/** Gives the fields of a question the menus of the page editor: a slash opens the list of inserts, and a block shows its settings. */
export function FieldMenus({ children }: { children: ReactNode }) {
  const { field, active } = useActiveField();
  const { dialogs, element } = useInsertDialogs(field, null);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: handles the keys of its descendants
    <div
      onKeyDown={(event) => {
        if (!(event.ctrlKey || event.metaKey) || event.code !== "KeyK" || !field?.isFocused) return;
        // Elsewhere these keys open the command palette.
        event.preventDefault();
        event.stopPropagation();
        dialogs.link();
      }}
    >
      <ActiveField value={active}>{children}</ActiveField>
      <SlashMenu editor={field} dialogs={dialogs} />
      <BlockPanel editor={field} />
      {element}
    </div>
  );
}
