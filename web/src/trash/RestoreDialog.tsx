import { useState } from "react";
import { useTranslation } from "../i18n/useTranslation";
import type { Module } from "../outline/tree";
import { ConfirmDialog } from "../ui/ConfirmDialog";
import { Select } from "../ui/Select";
import type { Entry } from "./Entries";

/** Where a part goes whose own place is gone. */
export interface Target {
  lessonId?: string;
  moduleId?: string;
}

interface Props {
  entry: Entry;
  modules: readonly Module[];
  onClose: () => void;
  onRestore: (target: Target) => Promise<void>;
}

/** Asks where to restore a lesson whose module is gone, or a page whose lesson is gone. */
export function RestoreDialog({ entry, modules, onClose, onRestore }: Props) {
  const { t } = useTranslation();
  const isPage = entry.kind === "PAGE";
  const places = isPage
    ? modules.flatMap((module) =>
        module.lessons.map(({ id, title }) => ({ value: id, label: `${module.title} › ${title}` })),
      )
    : modules.map(({ id, title }) => ({ value: id, label: title }));
  const [place, setPlace] = useState(places[0]?.value ?? "");
  const title = entry.title ?? t("trash.untitled");
  const kind = isPage ? "PAGE" : "LESSON";
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={t(`trash.where.title.${kind}`, { title })}
      confirm={t("trash.restore")}
      onConfirm={() => onRestore(place === "" ? {} : isPage ? { lessonId: place } : { moduleId: place })}
    >
      <p>{t(`trash.where.text.${kind}`, { parent: entry.place.at(-1) ?? "" })}</p>
      {places.length > 0 && (
        <Select
          label={t(`trash.where.label.${kind}`)}
          value={place}
          onChange={(event) => setPlace(event.currentTarget.value)}
          options={places}
        />
      )}
    </ConfirmDialog>
  );
}
