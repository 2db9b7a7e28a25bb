import { useTranslation } from "../i18n/useTranslation";
import { Button } from "../ui/Button";
import { IconEyeOff } from "../ui/IconEyeOff";
import { IconEye, IconUpDown } from "../ui/icons";
import { SelectionBar } from "../ui/SelectionBar";
import type { OutlineActions } from "./actions";
import type { Selection } from "./selection";
import { indexOf, inOrder, pagesIn, type Tree } from "./tree";

interface Props {
  tree: Tree;
  selection: Selection;
  actions: OutlineActions;
}

/** Actions on the selection, at the bottom edge of the window. */
export function SelectedActions({ tree, selection, actions }: Props) {
  const { t } = useTranslation();
  const ids = inOrder(tree, selection.ids);
  const entries = indexOf(tree);
  const pages = ids.flatMap((id) => {
    const entry = entries.get(id);
    return entry ? pagesIn(entry) : [];
  });
  return (
    <SelectionBar
      label={t("outline.selection")}
      count={t(`outline.selected.${selection.kind}`, { count: ids.length })}
      deleteLabel={t("outline.menu.delete")}
      onDelete={() => actions.remove(ids)}
      clearLabel={t("outline.clearSelection")}
      onClear={() => actions.setSelection(null)}
    >
      <Button
        variant="subtle"
        icon={<IconUpDown size={18} />}
        onClick={() => actions.openDialog({ kind: "move", ids })}
      >
        {t("outline.menu.moveTo")}
      </Button>
      {pages.some((page) => !page.published) && (
        <Button variant="subtle" icon={<IconEye size={18} />} onClick={() => actions.publish(ids, true)}>
          {t("outline.menu.publish")}
        </Button>
      )}
      {pages.some((page) => page.published) && (
        <Button variant="subtle" icon={<IconEyeOff size={18} />} onClick={() => actions.publish(ids, false)}>
          {t("outline.menu.hide")}
        </Button>
      )}
    </SelectionBar>
  );
}
