import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { ThreadCounts, useThreadCounts } from "../comments/useThreadCounts";
import { UnsentPages, useUnsentPages } from "../editor/useUnsent";
import { useTranslation } from "../i18n/useTranslation";
import { Button } from "../ui/Button";
import { Dialog } from "../ui/Dialog";
import { EmptyState } from "../ui/EmptyState";
import { IconBooks, IconPlus } from "../ui/icons";
import { UnpublishedPages, useUnpublishedPages } from "../unpublished/useUnpublishedPages";
import classes from "./ContentsTab.module.css";
import { Outline } from "./Outline";
import { UNPUBLISHED } from "./tabs";
import { countsOf, type Tree } from "./tree";
import { useOutline } from "./useOutline";

interface Props {
  tree: Tree;
  editable: boolean;
  /** Whether pages open in the editor, although the user changes nothing there. */
  isReviewer: boolean;
}

/** The outline with its toolbar, the button that adds a module, and the list of keys. */
export function ContentsTab({ tree, editable, isReviewer }: Props) {
  const { t } = useTranslation();
  const outline = useOutline(tree, editable);
  const [keysOpen, setKeysOpen] = useState(false);
  const branches = tree.modules.flatMap((module) => [module.id, ...module.lessons.map(({ id }) => id)]);
  const allClosed = branches.length > 0 && tree.modules.every(({ id }) => outline.state.collapsed.has(id));
  const empty = tree.modules.length === 0 && outline.rows.length === 0;
  const unsent = useUnsentPages();
  const unpublished = useUnpublishedPages(tree.id, editable);
  const threads = useThreadCounts(tree.id, editable || isReviewer);
  const counts = countsOf(tree);
  const drafts = counts.pages - counts.published;
  const addModule = () => outline.actions.add("module", { parentId: tree.id, before: null });
  return (
    <>
      {!editable && (
        <p className={classes.note}>{t(isReviewer ? "outline.reviewing" : "outline.readOnly")}</p>
      )}
      {!empty && (
        <div className={classes.tools}>
          {unpublished.size > 0 && (
            <Link
              to="/edit-course/$courseId"
              params={{ courseId: tree.id }}
              search={{ view: UNPUBLISHED }}
              className={classes.unpublished}
            >
              {t("unpublished.list.open", { count: unpublished.size })}
            </Link>
          )}
          {editable && drafts > 0 && (
            <button
              type="button"
              className={classes.quiet}
              onClick={() =>
                outline.actions.publish(
                  tree.modules.map(({ id }) => id),
                  true,
                )
              }
            >
              {t("outline.publishAll", { count: drafts })}
            </button>
          )}
          <button
            type="button"
            className={classes.quiet}
            onClick={() => outline.actions.setOpen(branches, allClosed)}
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
                <Button icon={<IconPlus size={18} />} onClick={addModule}>
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
          <UnsentPages value={unsent}>
            <UnpublishedPages value={unpublished}>
              <ThreadCounts value={threads}>
                <Outline tree={tree} outline={outline} editable={editable} />
              </ThreadCounts>
            </UnpublishedPages>
          </UnsentPages>
          {editable && (
            <Button
              variant="default"
              className={classes.addModule}
              icon={<IconPlus size={18} />}
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
