import type { FragmentType } from "@apollo/client";
import { useFragment, useMutation } from "@apollo/client/react";
import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { toastFailure, toastSuccess } from "../ui/toasts";
import { GenerateShareCodeDocument } from "./GenerateShareCode.generated";
import { ShareCode } from "./ShareCode";
import { type TeachingCard_CourseFragment, TeachingCard_CourseFragmentDoc } from "./TeachingCard.generated";
import classes from "./TeachingCard.module.css";

/** A course one teaches: how large, how many learn it, and the code that lets them in. */
export function TeachingCard({ course: from }: { course: FragmentType<TeachingCard_CourseFragment> }) {
  const { t } = useTranslation();
  const { data: course, dataState } = useFragment({ fragment: TeachingCard_CourseFragmentDoc, from });
  if (dataState !== "complete") return null;
  const counts = [
    t("common.modules", { count: course.modulesCount }),
    t("common.lessons", { count: course.lessonsCount }),
    t("common.pages", { count: course.pagesCount }),
    t("common.students", { count: course.studentsCount }),
  ];
  return (
    <li className={classes.row}>
      <div className={classes.words}>
        <h3 className={classes.title}>
          <Link to="/view-course/$courseId" params={{ courseId: course.id }} className={classes.link}>
            {course.title}
          </Link>
        </h3>
        <p className={classes.dim}>
          <span className={classes.role}>{t(`home.role.${course.myRole}`)}</span>
          {counts.map((count) => (
            <span key={count}>{count}</span>
          ))}
        </p>
      </div>
      {course.shareCode ? (
        <ShareCode code={course.shareCode} course={course.title} />
      ) : (
        course.myRole === "OWNER" && <MakeShareCode courseId={course.id} />
      )}
    </li>
  );
}

function MakeShareCode({ courseId }: { courseId: string }) {
  const { t } = useTranslation();
  const [generate, { loading }] = useMutation(GenerateShareCodeDocument, {
    variables: { input: { courseId } },
    onCompleted: () => toastSuccess(t("home.shareCodeMade")),
    onError: toastFailure,
  });
  return (
    <Button variant="default" size="sm" loading={loading} onClick={() => void generate()}>
      {t("home.makeShareCode")}
    </Button>
  );
}
