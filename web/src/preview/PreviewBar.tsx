import { Link } from "@tanstack/react-router";
import type { TFunction } from "i18next";
import { lazy, Suspense, useEffect, useId, useRef, useState } from "react";
import { courseTime } from "../dates/times";
import { zoneOf } from "../dates/typed";
import { withTexts } from "../i18n";
import { momentOf } from "../i18n/formatDateTime";
import { useTranslation } from "../i18n/useTranslation";
import type { Target } from "../overrides/overrides";
import { IconPencil } from "../ui/authorIcons";
import { Button } from "../ui/Button";
import { IconButton } from "../ui/IconButton";
import { IconClose, IconEye, IconOffline } from "../ui/icons";
import { useMediaQuery } from "../ui/useMediaQuery";
import { useOnline } from "../ui/useOnline";
import type { Address } from "./address";
import { ChangesSwitch } from "./ChangesSwitch";
import type { PreviewedCourseQuery } from "./Preview.generated";
import classes from "./Preview.module.css";

const PreviewDialog = lazy(() => withTexts(import("./PreviewDialog"), "students", "overrides", "dates"));

interface Props {
  course: Pick<PreviewedCourseQuery["course"], "id" | "timeZone" | "myRole">;
  address: Address;
  /** Whom the preview shows; null is a new learner. Its name is empty until it is known. */
  target: Target | null;
  /** Whether the dialog that changes the preview is open. */
  isOpen: boolean;
  setOpen: (isOpen: boolean) => void;
}

/** The bar above every screen of a preview: whom it shows, at which moment, and the link that leaves it. */
export function PreviewBar({ course, address, target, isOpen, setOpen }: Props) {
  const { t } = useTranslation();
  const isOnline = useOnline();
  const isWide = useMediaQuery("(min-width: 40.01em)");
  const labelId = useId();
  const [now] = useState(() => new Date());
  // A new learner has done nothing at any moment.
  const isPast =
    address.who.kind === "student" && !address.isBadMoment && address.at !== null && address.at < now;
  const bar = useRef<HTMLElement>(null);
  // A screen reader learns first that this is a preview.
  useEffect(() => bar.current?.focus({ preventScroll: true }), []);
  return (
    <>
      <a className={classes.skip} href="#main">
        {t("common.skipToContent")}
      </a>
      <section ref={bar} className={classes.bar} aria-labelledby={labelId} tabIndex={-1}>
        <div className={classes.facts} id={labelId}>
          <IconEye size={20} className={classes.eye} />
          <div className={classes.words}>
            <p className={classes.who}>
              <span className={classes.label}>{t("students.preview.region")}</span>
              {nameOf(target, t) || "\u00a0"}
            </p>
            <p className={classes.when}>
              <When address={address} zone={course.timeZone} />
              {isPast && <span>{t("students.preview.past")}</span>}
              <span className={classes.nothing}>{t("students.preview.nothing")}</span>
            </p>
          </div>
        </div>
        <div className={classes.ways}>
          {isWide ? (
            <Button variant="default" onClick={() => setOpen(true)}>
              {t("students.preview.change")}
            </Button>
          ) : (
            <IconButton aria-label={t("students.preview.change")} onClick={() => setOpen(true)}>
              <IconPencil size={20} />
            </IconButton>
          )}
          <Link
            className={classes.leave}
            to="/edit-course/$courseId"
            params={{ courseId: course.id }}
            search={placeOf(address)}
            aria-label={t("students.preview.leave")}
          >
            {isWide ? t("students.preview.leave") : <IconClose size={20} />}
          </Link>
        </div>
        {(course.myRole === "OWNER" || course.myRole === "EDITOR") && (
          <ChangesSwitch courseId={course.id} address={address} />
        )}
      </section>
      {!isOnline && (
        <p className={classes.offline} role="status">
          <IconOffline size={18} />
          {t("shell.offline")}
        </p>
      )}
      <Suspense fallback={null}>
        {isOpen && (
          <PreviewDialog
            courseId={course.id}
            target={target}
            at={address.at}
            rest={address.rest}
            drafts={address.drafts}
            onClose={() => setOpen(false)}
          />
        )}
      </Suspense>
    </>
  );
}

/** The search parameters of the screen to return to: the student, the groups, or the contents of the course. */
function placeOf({ who }: Address) {
  if (who.kind === "new") return {};
  return {
    tab: "students" as const,
    ...(who.kind === "student" ? { student: who.id } : { view: "groups" as const }),
  };
}

function nameOf(target: Target | null, t: TFunction): string {
  if (!target) return t("students.preview.newStudent");
  if (target.kind === "student") return target.name;
  return target.name && t("students.preview.newMember", { group: target.name });
}

/** The moment in the time zone of the course and, if it differs, in that of the browser. */
function When({ address: { at, isBadMoment }, zone }: { address: Address; zone: string | null }) {
  const { t, i18n } = useTranslation();
  const [now] = useState(() => new Date());
  if (isBadMoment) return null;
  if (at === null) return t("students.preview.now");
  const iso = at.toISOString();
  const { day, time } = momentOf(iso, now, i18n.language);
  const there = courseTime(iso, zoneOf(zone), now, i18n.language, t);
  const isSameDay = momentOf(iso, now, i18n.language, zoneOf(zone)).day === day;
  const own = `${day}, ${time}`;
  return (
    <time dateTime={iso}>
      {there ? t("students.preview.here", { there, when: isSameDay ? time : own }) : own}
    </time>
  );
}
