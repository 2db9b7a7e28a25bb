import { useMutation, useQuery } from "@apollo/client/react";
import { useNavigate } from "@tanstack/react-router";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import { isGuest } from "../api/session";
import { LoadFailure } from "../errors/LoadFailure";
import { useTranslation } from "../i18n/useTranslation";
import { Button, ButtonLink } from "../ui/Button";
import { TextSkeleton } from "../ui/Skeletons";
import { failureText, toastSuccess } from "../ui/toasts";
import { comesFromPage } from "./comesFromPage";
import { JoinCourseDocument, JoinedCourseDocument, OwnEnrollmentDocument } from "./Join.generated";
import classes from "./JoinCourse.module.css";

const TEAM: ReadonlySet<string> = new Set(["OWNER", "EDITOR", "TEACHER", "REVIEWER"]);

/**
 * The screen at /join: enrolls in a course that has a public page and opens it. Who comes from the page has pressed its button already; anybody
 * else is asked, because the team of a course sees the names and addresses of its learners, and a link must not reveal them.
 */
export function JoinCourse({ courseId }: { courseId: string }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const variables = { courseId };
  const page = useQuery(JoinedCourseDocument, { variables, fetchPolicy: "network-only" });
  // Fails with NOT_FOUND for people outside the course.
  const own = useQuery(OwnEnrollmentDocument, {
    variables,
    fetchPolicy: "network-only",
    errorPolicy: "ignore",
  });
  const [refusal, setRefusal] = useState<string | null>(null);
  const [join, { loading }] = useMutation(JoinCourseDocument, {
    // The home screen's list is stale now; it is fetched again when it is next shown.
    update: (cache) => void cache.evict({ id: "ROOT_QUERY", fieldName: "myEnrollments" }),
  });
  const open = () => navigate({ to: "/view-course/$courseId", params: { courseId }, replace: true });
  const start = async () => {
    setRefusal(null);
    try {
      const { data } = await join({ variables: { input: { courseId } } });
      const course = data?.joinCourse.enrollment?.course;
      if (!course) return setRefusal(t("errors.unknown"));
      toastSuccess(t("join.done", { course: course.title }));
      await open();
    } catch (failure) {
      setRefusal(failureText(failure));
    }
  };
  const isKnown = (page.data !== undefined || page.error !== undefined) && !own.loading;
  const inCourse = own.data?.course;
  const isTeam = TEAM.has(inCourse?.myRole ?? "");
  // Staff who try the button of their own page must not become learners.
  const isInside = Boolean(inCourse?.enrollment) || isTeam;
  const shown = page.data?.publicCourse;
  const began = useRef(false);
  const begin = useEffectEvent(() => {
    if (began.current) return;
    began.current = true;
    if (isInside) void open();
    else if (shown?.isEnrollmentOpen && comesFromPage(courseId)) void start();
  });
  useEffect(() => {
    if (isKnown) begin();
  }, [isKnown]);
  const isOnTheWay = !isKnown || isInside || (loading && comesFromPage(courseId));
  if (!isOnTheWay && !shown)
    return (
      <div className={classes.screen}>
        <title>{`${t("join.title")} — Kurso`}</title>
        <LoadFailure error={page.error} retry={() => void page.refetch()} />
      </div>
    );
  return (
    <div className={classes.screen}>
      <title>{`${shown?.course.title ?? t("join.title")} — Kurso`}</title>
      {shown && !isOnTheWay ? (
        <>
          {shown.course.cover && (
            <img
              className={classes.cover}
              src={shown.course.cover.url}
              width={shown.course.cover.width}
              height={shown.course.cover.height}
              alt=""
            />
          )}
          <h1 className={classes.title}>{shown.course.title}</h1>
          {shown.course.authors.length > 0 && (
            <p className={classes.dim}>{shown.course.authors.join(", ")}</p>
          )}
          {shown.course.description && <p className={classes.description}>{shown.course.description}</p>}
          {refusal && (
            <p className={classes.refusal} role="alert">
              {refusal}
            </p>
          )}
          {shown.isEnrollmentOpen ? (
            <>
              <div className={classes.buttons}>
                <Button size="md" loading={loading} onClick={() => void start()}>
                  {t("join.start")}
                </Button>
                <ButtonLink to="/" variant="subtle" size="md">
                  {t("errors.backHome")}
                </ButtonLink>
              </div>
              <p className={classes.dim}>{t(isGuest() ? "join.guest.consent" : "join.consent")}</p>
            </>
          ) : (
            <>
              <p>{t("join.closed")}</p>
              <ButtonLink to="/">{t("errors.backHome")}</ButtonLink>
            </>
          )}
        </>
      ) : (
        <>
          <h1 className={classes.title}>{t("join.opening")}</h1>
          <TextSkeleton lines={4} />
        </>
      )}
    </div>
  );
}
