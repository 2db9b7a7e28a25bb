import type { FragmentType } from "@apollo/client";
import { useFragment, useMutation } from "@apollo/client/react";
import { Link, useNavigate } from "@tanstack/react-router";
import { lazy, Suspense, useState } from "react";
import { withTexts } from "../i18n";
import { formatDateTime } from "../i18n/formatDateTime";
import { useTranslation } from "../i18n/useTranslation";
import { IconPencil, IconTrash } from "../ui/authorIcons";
import { IconCopy, IconEye, IconSliders } from "../ui/icons";
import { Menu, type MenuItem } from "../ui/Menu";
import { toastFailure, toastSuccess } from "../ui/toasts";
import { CoursePicture } from "./CoursePicture";
import { GenerateShareCodeDocument } from "./GenerateShareCode.generated";
import { DuplicateCourseDocument } from "./Home.generated";
import { ShareCode } from "./ShareCode";
import { type TeachingCard_CourseFragment, TeachingCard_CourseFragmentDoc } from "./TeachingCard.generated";
import classes from "./TeachingCard.module.css";

const CopyDialog = lazy(() =>
  withTexts(import("../dates/CopyDialog"), "dates").then((module) => ({ default: module.CopyDialog })),
);
const DeleteCourse = lazy(() =>
  import("../course/DeleteCourse").then((module) => ({ default: module.DeleteCourse })),
);

interface Props {
  course: FragmentType<TeachingCard_CourseFragment>;
  /** Whether this device holds text of the course that it could not send. */
  isUnsent: boolean;
  /** Called when the list of courses has changed. */
  changed: () => void;
}

/** The card of a taught course: its size, the number of students, the share code and a menu of actions. */
export function TeachingCard({ course: from, isUnsent, changed }: Props) {
  const { t, i18n } = useTranslation();
  const navigate = useNavigate();
  const [deleting, setDeleting] = useState(false);
  const [copying, setCopying] = useState(false);
  const { data: course, dataState } = useFragment({ fragment: TeachingCard_CourseFragmentDoc, from });
  const [duplicate, duplication] = useMutation(DuplicateCourseDocument, { onError: toastFailure });
  if (dataState !== "complete") return null;
  const params = { courseId: course.id };
  const owner = course.myRole === "OWNER";
  const copy = async () => {
    const { data } = await duplicate({ variables: { input: params } });
    if (!data) return;
    toastSuccess(t("home.duplicated", { course: data.duplicateCourse.course.title }));
    changed();
  };
  const items = (): MenuItem[] => [
    {
      label: t("home.menu.edit"),
      icon: <IconPencil size={18} />,
      onSelect: () => void navigate({ to: "/edit-course/$courseId", params }),
    },
    {
      label: t("home.menu.view"),
      icon: <IconEye size={18} />,
      onSelect: () => void navigate({ to: "/view-course/$courseId", params }),
    },
    {
      label: t("home.menu.settings"),
      icon: <IconSliders size={18} />,
      onSelect: () => void navigate({ to: "/edit-course/$courseId", params, search: { tab: "settings" } }),
    },
    ...(owner || course.myRole === "EDITOR"
      ? [
          { label: t("home.menu.duplicate"), icon: <IconCopy size={18} />, onSelect: () => void copy() },
          {
            label: t("home.menu.duplicateShifted"),
            icon: <IconCopy size={18} />,
            onSelect: () => setCopying(true),
          },
        ]
      : []),
    ...(owner
      ? [
          {
            label: t("home.menu.delete"),
            icon: <IconTrash size={18} />,
            danger: true,
            apart: true,
            onSelect: () => setDeleting(true),
          },
        ]
      : []),
  ];
  return (
    <li className={classes.card} aria-busy={duplication.loading}>
      <div className={classes.head}>
        <CoursePicture course={course} />
        <div className={classes.words}>
          <h3 className={classes.title}>
            <Link to="/edit-course/$courseId" params={params} className={classes.link}>
              {course.title}
            </Link>
          </h3>
          <p className={classes.dim}>
            {!owner && <span className={classes.role}>{t(`home.role.${course.myRole}`)}</span>}
            {isUnsent && <span className={classes.unsent}>{t("home.unsent")}</span>}
            <span>{t("home.modules", { count: course.modulesCount })}</span>
            <span>{t("common.pages", { count: course.pagesCount })}</span>
            <span>{t("common.students", { count: course.studentsCount })}</span>
          </p>
        </div>
        <Menu label={t("home.menu.label", { course: course.title })} items={items} />
      </div>
      <div className={classes.foot}>
        <p className={classes.dim}>
          {t("home.changed", { when: formatDateTime(course.updatedAt, new Date(), i18n.language, t) })}
        </p>
        {course.shareCode ? (
          <ShareCode code={course.shareCode} course={course.title} />
        ) : (
          owner && <MakeShareCode courseId={course.id} title={course.title} />
        )}
      </div>
      {copying && (
        <Suspense fallback={null}>
          <CopyDialog course={course} onClose={() => setCopying(false)} onCopied={changed} />
        </Suspense>
      )}
      {deleting && (
        <Suspense fallback={null}>
          <DeleteCourse course={course} onClose={() => setDeleting(false)} />
        </Suspense>
      )}
    </li>
  );
}

function MakeShareCode({ courseId, title }: { courseId: string; title: string }) {
  const { t } = useTranslation();
  const [generate, { loading }] = useMutation(GenerateShareCodeDocument, {
    variables: { input: { courseId } },
    onCompleted: () => toastSuccess(t("home.shareCodeMade")),
    onError: toastFailure,
  });
  return (
    <button
      type="button"
      className={classes.make}
      disabled={loading}
      aria-label={t("home.makeShareCodeOf", { course: title })}
      onClick={() => void generate()}
    >
      {t("home.makeShareCode")}
    </button>
  );
}
