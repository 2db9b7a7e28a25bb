import { useState } from "react";
import { useTranslation } from "../i18n/useTranslation";
import { Dialog } from "../ui/Dialog";
import { SearchField } from "../ui/SearchField";
import classes from "./MoveDialog.module.css";
import { indexOf, type Position, type Tree } from "./tree";

interface Target {
  key: string;
  title: string;
  /** Title of its parent. */
  in?: string;
  here: boolean;
  position: Position;
}

/** Limit on listed targets; the search finds the others. */
const SHOWN = 100;

interface Props {
  tree: Tree;
  /** Items of one kind. */
  ids: readonly string[];
  onMove: (position: Position) => void;
  onClose: () => void;
}

/** Chooses the target of a move from a list: for long distances, touch screens and keyboards. */
export function MoveDialog({ tree, ids, onMove, onClose }: Props) {
  const { t } = useTranslation();
  const [words, setWords] = useState("");
  const first = indexOf(tree).get(ids[0] ?? "");
  if (!first) return null;
  const moved = new Set(ids);
  const targets: Target[] =
    first.kind === "page"
      ? tree.modules.flatMap((module) =>
          module.lessons.map((lesson) => ({
            key: lesson.id,
            title: lesson.title,
            in: module.title,
            here: lesson.id === first.parentId,
            position: { parentId: lesson.id, before: null },
          })),
        )
      : first.kind === "lesson"
        ? tree.modules.map((module) => ({
            key: module.id,
            title: module.title,
            here: module.id === first.parentId,
            position: { parentId: module.id, before: null },
          }))
        : [
            {
              key: "first",
              title: t("outline.move.first"),
              here: first.index === 0,
              position: { parentId: tree.id, before: tree.modules[0]?.id ?? null },
            },
            ...tree.modules.flatMap((module, index) =>
              moved.has(module.id)
                ? []
                : [
                    {
                      key: module.id,
                      title: t("outline.move.after", { title: module.title }),
                      here: false,
                      position: { parentId: tree.id, before: tree.modules[index + 1]?.id ?? null },
                    },
                  ],
            ),
          ];
  const sought = words.trim().toLocaleLowerCase();
  const found = targets.filter((target) => target.title.toLocaleLowerCase().includes(sought));
  return (
    <Dialog open onClose={onClose} title={t(`outline.move.title_${first.kind}`)}>
      <SearchField label={t("outline.move.search")} value={words} onSearch={setWords} data-autofocus />
      {found.length === 0 ? (
        <p className={classes.none} role="status">
          {t("outline.move.none")}
        </p>
      ) : (
        <ul className={classes.list}>
          {found.slice(0, SHOWN).map((target) => (
            <li key={target.key}>
              <button type="button" className={classes.target} onClick={() => onMove(target.position)}>
                <span>{target.title}</span>
                {(target.in || target.here) && (
                  <span className={classes.in}>{target.here ? t("outline.move.here") : target.in}</span>
                )}
              </button>
            </li>
          ))}
        </ul>
      )}
    </Dialog>
  );
}
