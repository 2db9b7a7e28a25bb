import { Button } from "@mantine/core";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { Dialog } from "../ui/Dialog";
import { EmptyState } from "../ui/EmptyState";
import { IconBooks, IconPlus } from "../ui/icons";
import classes from "./ContentsTab.module.css";
import { Outline } from "./Outline";
import type { Tree } from "./tree";
import { useOutline } from "./useOutline";

/** The outline with what stands above and below it. */
export function ContentsTab({ tree, editable }: { tree: Tree; editable: boolean }) {
  const { t } = useTranslation();
  const outline = useOutline(tree, editable);
  const [keysOpen, setKeysOpen] = useState(false);
  const branches = tree.modules.flatMap((module) => [module.id, ...module.lessons.map(({ id }) => id)]);
  const allClosed = branches.length > 0 && tree.modules.every(({ id }) => outline.collapsed.has(id));
  const empty = tree.modules.length === 0 && outline.rows.length === 0;
  const addModule = () => outline.actions.add("module", { parentId: tree.id, before: null });
  useWarningBeforeLoss(outline.edits.queue);
  return (
    <>
      {!editable && <p className={classes.note}>{t("outline.readOnly")}</p>}
      {!empty && (
        <div className={classes.tools}>
          <button
            type="button"
            className={classes.quiet}
            onClick={() => outline.setOpen(branches, allClosed)}
          >
            {t(allClosed ? "outline.expandAll" : "outline.collapseAll")}
          </button>
          {editable && (
            <button type="button" className={classes.quiet} onClick={() => setKeysOpen(true)}>
              {t("outline.keys")}
            </button>
          )}
        </div>
      )}
      {empty ? (
        <div className={classes.empty}>
          <EmptyState
            icon={<IconBooks size={28} />}
            title={t("outline.empty")}
            heading="h2"
            action={
              editable && (
                <Button leftSection={<IconPlus size={18} />} onClick={addModule}>
                  {t("outline.addModule")}
                </Button>
              )
            }
          >
            {t("outline.emptyText")}
          </EmptyState>
        </div>
      ) : (
        <>
          <Outline tree={tree} outline={outline} editable={editable} />
          {editable && (
            <Button
              variant="default"
              className={classes.addModule}
              leftSection={<IconPlus size={18} />}
              onClick={addModule}
            >
              {t("outline.addModule")}
            </Button>
          )}
        </>
      )}
      <Dialog open={keysOpen} onClose={() => setKeysOpen(false)} title={t("outline.shortcuts.title")}>
        <dl className={classes.keys}>
          {t("outline.shortcuts.rows", { returnObjects: true }).map(([keys, what]) => (
            <div key={keys}>
              <dt>
                <kbd>{keys}</kbd>
              </dt>
              <dd>{what}</dd>
            </div>
          ))}
        </dl>
      </Dialog>
    </>
  );
}

/** The browser asks before what has not reached the server goes with the tab. */
function useWarningBeforeLoss(queue: { state: string }) {
  useEffect(() => {
    const warn = (event: BeforeUnloadEvent) => {
      if (queue.state !== "saved") event.preventDefault();
    };
    window.addEventListener("beforeunload", warn);
    return () => window.removeEventListener("beforeunload", warn);
  }, [queue]);
}
