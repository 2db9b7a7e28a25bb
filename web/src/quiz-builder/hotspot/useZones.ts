import { useRef, useState } from "react";
import { useTranslation } from "../../i18n/useTranslation";
import { ZONES_MAX } from "../../limits.generated";
import type { Figure, Zone } from "../../quiz/hotspot/zones";
import { newId } from "../../ui/newId";
import { offerUndo } from "../../ui/undo";

/** So many steps can be taken back. */
const KEPT = 100;

export interface Zones {
  zones: readonly Zone[];
  selected: Zone | null;
  select: (id: string | null) => void;
  /** Adds a zone and selects it. */
  add: (figure: Figure) => void;
  change: (id: string, figure: Figure) => void;
  remove: (id: string) => void;
  /** Takes the last step back; null without one. */
  undo: (() => void) | null;
  isFull: boolean;
}

interface Options {
  zones: readonly Zone[];
  /** Changes the zones as they are at that time. */
  onEdit: (change: (zones: readonly Zone[]) => Zone[]) => void;
}

/** The zones of a picture with the selected one, and the steps that can be taken back. */
export function useZones({ zones, onEdit }: Options): Zones {
  const { t } = useTranslation();
  const [selectedId, setSelectedId] = useState<string | null>(null);
  const [steps, setSteps] = useState<readonly { before: readonly Zone[]; after: readonly Zone[] }[]>([]);
  /** The zones of the last step: what is changed elsewhere since then cannot be taken back here. */
  const lastStep = steps.at(-1);
  const canUndo = lastStep !== undefined && JSON.stringify(lastStep.after) === JSON.stringify(zones);
  const current = useRef(zones);
  current.current = zones;
  const commit = (change: (zones: readonly Zone[]) => Zone[]) => {
    const before = current.current;
    const after = change(before);
    current.current = after;
    setSteps((known) => [...known, { before, after }].slice(-KEPT));
    onEdit(change);
  };
  return {
    zones,
    selected: zones.find(({ id }) => id === selectedId) ?? null,
    select: setSelectedId,
    add: (figure) => {
      if (zones.length >= ZONES_MAX) return;
      const id = newId();
      commit((now) => [...now, { id, ...figure }]);
      setSelectedId(id);
    },
    change: (id, figure) => commit((now) => now.map((one) => (one.id === id ? { id, ...figure } : one))),
    remove: (id) => {
      const index = zones.findIndex((one) => one.id === id);
      const removed = zones[index];
      if (!removed) return;
      commit((now) => now.filter((one) => one.id !== id));
      setSelectedId(zones[index + 1]?.id ?? zones[index - 1]?.id ?? null);
      offerUndo(t("quizBuilder.hotspot.removed", { number: index + 1 }), () =>
        onEdit((now) =>
          now.length >= ZONES_MAX || now.some((one) => one.id === id)
            ? [...now]
            : now.toSpliced(index, 0, removed),
        ),
      );
    },
    undo: canUndo
      ? () => {
          setSteps((known) => known.slice(0, -1));
          onEdit(() => [...lastStep.before]);
        }
      : null,
    isFull: zones.length >= ZONES_MAX,
  };
}
