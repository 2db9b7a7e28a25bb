import { useEffect, useRef, useState } from "react";
import type { Course } from "../outline/EditCourse";
import type { Look } from "../outline/look";
import { RestoreDialog } from "./RestoreDialog";
import { RestoredNote } from "./RestoredNote";
import type { Restored } from "./restoreCourse";
import { SnapshotList } from "./SnapshotList";
import { SnapshotScreen } from "./SnapshotScreen";
import classes from "./Snapshots.module.css";
import type { Snapshot } from "./snapshot";

/** The last restoring in this tab. */
export interface Outcome extends Restored {
  /** Increases with each restoring, so that comparisons with the course are read again. */
  number: number;
  isUndone: boolean;
}

/** The tab of the snapshots of a course: their list, or the one that the address names. */
export default function SnapshotsTab({ course, look }: { course: Course; look: Look }) {
  const [asked, setAsked] = useState<Snapshot | null>(null);
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const [isTold, setTold] = useState(false);
  const number = outcome?.number ?? 0;
  const tell = (restored: Restored, isUndone = false) => {
    setOutcome({ ...restored, isUndone, number: number + 1 });
    setTold(true);
  };
  const section = useRef<HTMLElement>(null);
  const lastShown = useRef(look.snapshot);
  useEffect(() => {
    // The link that opened the snapshot, or led back to the list, is gone.
    if (lastShown.current !== look.snapshot)
      section.current?.querySelector("h2")?.focus({ preventScroll: true });
    lastShown.current = look.snapshot;
  }, [look.snapshot]);
  return (
    <section ref={section} className={classes.snapshots} aria-labelledby="snapshots">
      <RestoredNote
        course={course}
        outcome={isTold ? outcome : null}
        onUndone={(restored) => tell(restored, true)}
        onAsk={setAsked}
        onClose={() => setTold(false)}
      />
      {look.snapshot ? (
        <SnapshotScreen
          key={look.snapshot}
          courseId={course.id}
          id={look.snapshot}
          look={look}
          restorings={number}
          onRestore={setAsked}
        />
      ) : (
        <SnapshotList courseId={course.id} onRestore={setAsked} />
      )}
      {asked && (
        <RestoreDialog
          key={asked.id}
          courseId={course.id}
          snapshot={asked}
          onRestored={tell}
          onClose={() => setAsked(null)}
        />
      )}
    </section>
  );
}
