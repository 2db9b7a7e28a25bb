import { useApolloClient, useMutation } from "@apollo/client/react";
import { Link } from "@tanstack/react-router";
import { useSelector } from "@tanstack/react-store";
import { useState } from "react";
import { IconMegaphone } from "../announcements/IconMegaphone";
import { useTranslation } from "../i18n/useTranslation";
import { PreviewButton } from "../preview/PreviewButton";
import { IconPencil } from "../ui/authorIcons";
import { ButtonLink } from "../ui/Button";
import { IconButton } from "../ui/IconButton";
import { IconEye } from "../ui/icons";
import { SaveState } from "../ui/SaveState";
import { failureText, toastFailure } from "../ui/toasts";
import { VisuallyHidden } from "../ui/VisuallyHidden";
import classes from "./CourseHeader.module.css";
import type { Course } from "./EditCourse";
import { RenameCourseDocument } from "./EditCourse.generated";
import { editsOf } from "./outlineEdits";
import { TitleField } from "./TitleField";
import { countsOf, type Tree } from "./tree";

interface Props {
  course: Course;
  tree: Tree;
  editable: boolean;
  /** Whether the user sees no learners. */
  isReviewer: boolean;
}

/** The course's title, size and save status. */
export function CourseHeader({ course, tree, editable, isReviewer }: Props) {
  const { t } = useTranslation();
  const client = useApolloClient();
  const { queue } = editsOf(client, course.id);
  const state = useSelector(queue.state);
  const [refusal, setRefusal] = useState<{ title: string; text: string } | null>(null);
  const [editing, setEditing] = useState(false);
  const [rename] = useMutation(RenameCourseDocument);
  const counts = countsOf(tree);
  const save = async (title: string) => {
    setEditing(false);
    setRefusal(null);
    if (title === course.title) return;
    const optimisticResponse = {
      updateCourse: {
        __typename: "UpdateCoursePayload",
        course: { __typename: "Course", id: course.id, title, description: course.description },
      },
    };
    try {
      await rename({ variables: { input: { courseId: course.id, title } }, optimisticResponse });
    } catch (error) {
      toastFailure(error);
      // The typed title comes back with the reason below it.
      setRefusal({ title, text: failureText(error) });
      setEditing(true);
    }
  };
  return (
    <header className={classes.header}>
      <div className={classes.above}>
        <Link to="/" className={classes.up}>
          {t("shell.myCourses")}
        </Link>
        <div className={classes.right}>
          {editable && <SaveState state={state} />}
          <ButtonLink
            to="/view-course/$courseId/announcements"
            params={{ courseId: course.id }}
            search={{}}
            variant="default"
            icon={<IconMegaphone size={18} />}
          >
            {t("outline.announcements")}
          </ButtonLink>
          <ButtonLink
            to="/view-course/$courseId"
            params={{ courseId: course.id }}
            variant="default"
            icon={<IconEye size={18} />}
          >
            {t("outline.preview")}
          </ButtonLink>
          {!isReviewer && <PreviewButton courseId={course.id}>{t("outline.previewAs")}</PreviewButton>}
        </div>
      </div>
      {editing ? (
        <>
          <VisuallyHidden as="h1">{course.title}</VisuallyHidden>
          <div className={classes.title}>
            <TitleField
              label={t("outline.courseTitle")}
              subject={course.id}
              initial={refusal?.title ?? course.title}
              refusal={refusal?.text ?? null}
              onSave={(title) => void save(title)}
              onCancel={() => {
                setEditing(false);
                setRefusal(null);
              }}
            />
          </div>
        </>
      ) : (
        <h1 className={classes.title}>
          {course.title}
          {editable && (
            <IconButton
              className={classes.edit}
              aria-label={t("outline.editTitle")}
              onClick={() => setEditing(true)}
            >
              <IconPencil size={20} />
            </IconButton>
          )}
        </h1>
      )}
      <p className={classes.counts}>
        <span>{t("outline.modules", { count: counts.modules })}</span>
        <span>{t("outline.lessons", { count: counts.lessons })}</span>
        <span>
          {t("common.pages", { count: counts.pages })}
          {counts.published < counts.pages &&
            `, ${t("outline.published", { count: counts.published, total: counts.pages })}`}
        </span>
        {!isReviewer && <span>{t("common.students", { count: course.studentsCount })}</span>}
      </p>
    </header>
  );
}
