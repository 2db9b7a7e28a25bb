import { useQuery } from "@apollo/client/react";
import { useRouter } from "@tanstack/react-router";
import { returnPath, takeReturnPath } from "../api/returnPath";
import { isGuest } from "../api/session";
import forms from "../auth/forms.module.css";
import { keepFocus } from "../auth/keepFocus";
import { useTranslation } from "../i18n/useTranslation";
import { Button } from "../ui/Button";
import { type Door, doorOf } from "./door";
import { GuestCodeDocument, GuestDoorDocument } from "./Guests.generated";
import classes from "./GuestWay.module.css";
import { useStartAsGuest } from "./useStartAsGuest";

/** What the screens of signing in and signing up offer to those who want no account: starting the course they came for, or going on as a guest. */
export function GuestWay() {
  const { t } = useTranslation();
  const router = useRouter();
  const path = returnPath();
  const door = doorOf(path);
  if (isGuest())
    return (
      <p className={classes.back}>
        <a
          href={path}
          className={forms.other}
          onMouseDown={keepFocus}
          onClick={(event) => {
            event.preventDefault();
            router.history.push(takeReturnPath());
          }}
        >
          {t("join.guest.goOn")}
        </a>
      </p>
    );
  return door && <StartCourse door={door} />;
}

function StartCourse({ door }: { door: Door }) {
  const { t } = useTranslation();
  const courseId = "courseId" in door ? door.courseId : "";
  const shareCode = "shareCode" in door ? door.shareCode : "";
  // A failure, such as a course without guests, leaves the form as it is.
  const page = useQuery(GuestDoorDocument, {
    variables: { courseId },
    skip: !courseId,
    fetchPolicy: "network-only",
  }).data?.publicCourse;
  const code = useQuery(GuestCodeDocument, {
    variables: { shareCode },
    skip: !shareCode,
    fetchPolicy: "network-only",
  }).data?.guestCourse;
  const { start, loading, refusal } = useStartAsGuest(door);
  const title = page ? page.allowsGuests && page.isEnrollmentOpen && page.course.title : code?.title;
  if (!title) return null;
  return (
    <section className={classes.way} aria-labelledby="guest-way">
      <h2 id="guest-way" className={classes.or}>
        {t("join.guest.or")}
      </h2>
      {refusal && (
        <p className={forms.refusal} role="alert">
          {refusal}
        </p>
      )}
      <Button
        variant="default"
        size="md"
        fullWidth
        loading={loading}
        onMouseDown={keepFocus}
        onClick={() => void start()}
      >
        {t("join.guest.start")}
      </Button>
      <p className={classes.about}>{t("join.guest.about", { course: title })}</p>
    </section>
  );
}
