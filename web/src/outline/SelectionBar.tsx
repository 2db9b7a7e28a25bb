import { Button } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { IconClose, IconEye, IconEyeOff, IconTrash, IconUpDown } from "../ui/icons";
import classes from "./SelectionBar.module.css";
import type { Selection } from "./selection";
import { inOrder, type Tree } from "./tree";
import type { OutlineState } from "./useOutline";

interface Props {
  tree: Tree;
  selection: Selection;
  outline: OutlineState;
}

/** What can be done to all that is chosen, at the lower edge of the window. */
export function SelectionBar({ tree, selection, outline }: Props) {
  const { t } = useTranslation();
  const ids = inOrder(tree, selection.ids);
  const pages = outline.pagesOf(selection.ids);
  return (
    <section className={classes.bar} aria-label={t("outline.selection")}>
      <p className={classes.count}>{t(`outline.selected.${selection.kind}`, { count: ids.length })}</p>
      <div className={classes.buttons}>
        <Button
          variant="subtle"
          size="sm"
          leftSection={<IconUpDown size={18} />}
          onClick={() => outline.setMoving(ids)}
        >
          {t("outline.menu.moveTo")}
        </Button>
        {pages.some((page) => !page.published) && (
          <Button
            variant="subtle"
            size="sm"
            leftSection={<IconEye size={18} />}
            onClick={() => outline.actions.publish(ids, true)}
          >
            {t("outline.menu.publish")}
          </Button>
        )}
        {pages.some((page) => page.published) && (
          <Button
            variant="subtle"
            size="sm"
            leftSection={<IconEyeOff size={18} />}
            onClick={() => outline.actions.publish(ids, false)}
          >
            {t("outline.menu.hide")}
          </Button>
        )}
        <Button
          variant="subtle"
          size="sm"
          color="red"
          className={classes.danger}
          leftSection={<IconTrash size={18} />}
          onClick={() => outline.remove(ids)}
        >
          {t("outline.menu.delete")}
        </Button>
        <button
          type="button"
          className={classes.close}
          aria-label={t("outline.clearSelection")}
          onClick={() => outline.setSelection(null)}
        >
          <IconClose size={18} />
        </button>
      </div>
    </section>
  );
}
