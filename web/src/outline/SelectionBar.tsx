import { useTranslation } from "../i18n/useTranslation";
import { IconTrash } from "../ui/authorIcons";
import { Button } from "../ui/Button";
import { IconButton } from "../ui/IconButton";
import { IconEyeOff } from "../ui/IconEyeOff";
import { IconClose, IconEye, IconUpDown } from "../ui/icons";
import type { OutlineActions } from "./actions";
import classes from "./SelectionBar.module.css";
import type { Selection } from "./selection";
import { indexOf, inOrder, pagesIn, type Tree } from "./tree";

interface Props {
  tree: Tree;
  selection: Selection;
  actions: OutlineActions;
}

/** Actions on the selection, at the bottom edge of the window. */
export function SelectionBar({ tree, selection, actions }: Props) {
  const { t } = useTranslation();
  const ids = inOrder(tree, selection.ids);
  const entries = indexOf(tree);
  const pages = ids.flatMap((id) => {
    const entry = entries.get(id);
    return entry ? pagesIn(entry) : [];
  });
  return (
    <section className={classes.bar} aria-label={t("outline.selection")}>
      <p className={classes.count}>{t(`outline.selected.${selection.kind}`, { count: ids.length })}</p>
      <div className={classes.buttons}>
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
          <Button
            variant="subtle"
            icon={<IconEyeOff size={18} />}
            onClick={() => actions.publish(ids, false)}
          >
            {t("outline.menu.hide")}
          </Button>
        )}
        <Button
          variant="subtle"
          className={classes.danger}
          icon={<IconTrash size={18} />}
          onClick={() => actions.remove(ids)}
        >
          {t("outline.menu.delete")}
        </Button>
        <IconButton
          className={classes.close}
          aria-label={t("outline.clearSelection")}
          onClick={() => actions.setSelection(null)}
        >
          <IconClose size={18} />
        </IconButton>
      </div>
    </section>
  );
}
