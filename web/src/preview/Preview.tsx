import { useApolloClient, useQuery } from "@apollo/client/react";
import { useLocation } from "@tanstack/react-router";
import { useState } from "react";
import { ApiError } from "../api/apiError";
import { LoadFailure } from "../errors/LoadFailure";
import { NotFoundScreen } from "../errors/NotFound";
import { useTranslation } from "../i18n/useTranslation";
import type { Target } from "../overrides/overrides";
import { Shell } from "../shell/Shell";
import { Button, ButtonLink } from "../ui/Button";
import { EmptyState } from "../ui/EmptyState";
import { IconEyeOff } from "../ui/IconEyeOff";
import { TextSkeleton } from "../ui/Skeletons";
import { type Address, readAddress } from "./address";
import { createPreviewClient } from "./client";
import { PreviewContext } from "./context";
import {
  PreviewedCourseDocument,
  type PreviewedCourseQuery,
  PreviewedPersonDocument,
  PreviewedStudentDocument,
} from "./Preview.generated";
import classes from "./Preview.module.css";
import { PreviewBar } from "./PreviewBar";
import { PreviewScreens } from "./PreviewScreens";
import { useMarkedTitle } from "./useMarkedTitle";
import { useToldExit } from "./useToldExit";

/** The screen of /preview/{course}/{who}/{when}: a course as its learners see it, for its staff. */
export default function Preview() {
  const pathname = useLocation({ select: (location) => location.pathname });
  const address = readAddress(pathname);
  if (address) return <PreviewOfCourse address={address} />;
  return (
    <Shell>
      <NotFoundScreen />
    </Shell>
  );
}

interface Props {
  address: Address;
}

/** Asks for the course first: the server refuses a preview to its learners, and that would end their session. */
function PreviewOfCourse({ address }: Props) {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery(PreviewedCourseDocument, {
    variables: { id: address.courseId },
  });
  if (data && data.course.myRole !== "LEARNER")
    return <PreviewForStaff key={address.base} course={data.course} address={address} />;
  return (
    <Shell>
      {data ? (
        <Notice title={t("students.preview.forStaff")} text={t("students.preview.forStaffText")}>
          <ButtonLink to="/view-course/$courseId" params={{ courseId: address.courseId }}>
            {t("students.preview.toCourse")}
          </ButtonLink>
        </Notice>
      ) : error ? (
        <LoadFailure error={error} retry={() => void refetch()} notFound={t("learning.notFound")} />
      ) : (
        <Loading />
      )}
    </Shell>
  );
}

interface StaffProps extends Props {
  course: PreviewedCourseQuery["course"];
}

function PreviewForStaff({ course, address }: StaffProps) {
  const { t } = useTranslation();
  const app = useApolloClient();
  const [client] = useState(() => createPreviewClient(app, address));
  const [isChoosing, setChoosing] = useState(false);
  const { who, isBadMoment } = address;
  const person = useQuery(PreviewedPersonDocument, {
    client,
    variables: { id: course.id },
    skip: isBadMoment,
  });
  // The learner's name; asked for after the preview, which is refused for strangers.
  const student = useQuery(PreviewedStudentDocument, {
    client,
    variables: { id: who.kind === "student" ? who.id : "" },
    skip: who.kind !== "student" || !person.data,
  }).data?.enrollment.student.user;
  useMarkedTitle(t("students.preview.tabTitle"));
  useToldExit();
  const group = person.data?.course.enrollment?.groupTitle;
  const target: Target | null =
    who.kind === "new"
      ? null
      : {
          kind: who.kind,
          id: who.id,
          name: (who.kind === "group" ? group : student?.fullName || student?.email) ?? "",
          email: student?.fullName ? student.email : undefined,
        };
  const isGone = person.error !== undefined && [404, 422].includes(ApiError.from(person.error).status);
  const choose = <Button onClick={() => setChoosing(true)}>{t("students.preview.choose")}</Button>;
  return (
    <div className={classes.preview}>
      <PreviewBar
        course={course}
        address={address}
        target={target}
        isOpen={isChoosing}
        setOpen={setChoosing}
      />
      {person.data ? (
        <PreviewContext value={address}>
          <PreviewScreens client={client} address={address} />
        </PreviewContext>
      ) : (
        <main id="main" className={classes.main}>
          {isBadMoment ? (
            <Notice title={t("students.preview.badMoment")} text={t("students.preview.badMomentText")}>
              {choose}
            </Notice>
          ) : isGone ? (
            who.kind === "group" ? (
              <Notice title={t("students.preview.goneGroup")} text={t("students.preview.goneGroupText")}>
                {choose}
              </Notice>
            ) : (
              <Notice title={t("students.preview.goneStudent")} text={t("students.preview.goneStudentText")}>
                {choose}
              </Notice>
            )
          ) : person.error ? (
            <LoadFailure error={person.error} retry={() => void person.refetch().catch(() => undefined)} />
          ) : (
            <Loading />
          )}
        </main>
      )}
    </div>
  );
}

const Loading = () => (
  <div className={classes.notice}>
    <TextSkeleton lines={10} />
  </div>
);

function Notice({ title, text, children }: { title: string; text: string; children?: React.ReactNode }) {
  return (
    <div className={classes.notice}>
      <title>{`${title} — Kurso`}</title>
      <EmptyState title={title} heading="h1" icon={<IconEyeOff size={28} />} action={children}>
        {text}
      </EmptyState>
    </div>
  );
}
