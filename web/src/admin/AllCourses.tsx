import { useQuery } from "@apollo/client/react";
import { Link, useNavigate } from "@tanstack/react-router";
import { useSelector } from "@tanstack/react-store";
import { lazy, Suspense, useState } from "react";
import { formatDateTime } from "../i18n/formatDateTime";
import { useTranslation } from "../i18n/useTranslation";
import { IconPencil, IconTrash } from "../ui/authorIcons";
import { EmptyState } from "../ui/EmptyState";
import { hiddenItems } from "../ui/hiddenItems";
import { IconBooks, IconEye, IconSliders } from "../ui/icons";
import { Menu } from "../ui/Menu";
import { PER_PAGE } from "../ui/pageNumber";
import { Row } from "../ui/Rows";
import { useDebouncedValue } from "../ui/useDebouncedValue";
import { type AdminCourse_CourseFragment, AdminCoursesDocument } from "./Admin.generated";
import { AdminList } from "./AdminList";
import { AdminSearchBar } from "./AdminSearchBar";
import { useLastPageRedirect } from "./useLastPageRedirect";

const DeleteCourse = lazy(() =>
  import("../course/DeleteCourse").then((module) => ({ default: module.DeleteCourse })),
);

type Course = AdminCourse_CourseFragment;

/** The list of all courses of all owners. */
export function AllCourses({ page, search }: { page: number; search: string }) {
  const { t } = useTranslation();
  const [deleting, setDeleting] = useState<Course | null>(null);
  const hidden = useSelector(hiddenItems);
  const words = useDebouncedValue(search);
  const { data, previousData, error, refetch, loading } = useQuery(AdminCoursesDocument, {
    variables: { search: words, skip: (page - 1) * PER_PAGE },
    fetchPolicy: "cache-and-network",
  });
  const courses = (data ?? previousData)?.allCourses;
  const shown = courses?.nodes.filter(({ id }) => !hidden.has(id)) ?? [];
  const pages = useLastPageRedirect(
    page,
    loading || words !== search ? undefined : data?.allCourses.totalCount,
  );
  return (
    <section aria-label={t("admin.tabs.courses")}>
      <AdminSearchBar tab="courses" search={search} label={t("admin.courses.search")} />
      <AdminList
        label={t("admin.tabs.courses")}
        pagesLabel={t("admin.courses.pages")}
        error={error}
        refetch={refetch}
        total={courses?.totalCount}
        summary={(count) =>
          count === 0 ? t("admin.nothingFound", { words }) : t("admin.courses.count", { count })
        }
        empty={
          courses?.totalCount === 0 &&
          words === "" && (
            <EmptyState title={t("admin.courses.none")} icon={<IconBooks />} heading="h2">
              {t("admin.courses.noneText")}
            </EmptyState>
          )
        }
        busy={data === undefined}
        rows={shown.map((course) => (
          <CourseRow key={course.id} course={course} remove={() => setDeleting(course)} />
        ))}
        page={page}
        pages={pages}
      />
      {deleting && (
        <Suspense fallback={null}>
          <DeleteCourse course={deleting} onClose={() => setDeleting(null)} onGone={() => void refetch()} />
        </Suspense>
      )}
    </section>
  );
}

function CourseRow({ course, remove }: { course: Course; remove: () => void }) {
  const { t, i18n } = useTranslation();
  const navigate = useNavigate();
  const params = { courseId: course.id };
  return (
    <Row
      name={
        <Link to="/edit-course/$courseId" params={params}>
          {course.title}
        </Link>
      }
      facts={
        <>
          <span>{course.owner.fullName || course.owner.email}</span>
          <span>{t("common.pages", { count: course.pagesCount })}</span>
          <span>{t("common.students", { count: course.studentsCount })}</span>
          <span>
            {t("home.changed", { when: formatDateTime(course.updatedAt, new Date(), i18n.language, t) })}
          </span>
        </>
      }
      tools={
        <Menu
          label={t("home.menu.label", { course: course.title })}
          items={() => [
            {
              label: t("admin.courses.open"),
              icon: <IconPencil size={18} />,
              onSelect: () => void navigate({ to: "/edit-course/$courseId", params }),
            },
            {
              label: t("home.menu.view"),
              icon: <IconEye size={18} />,
              onSelect: () => void navigate({ to: "/view-course/$courseId", params }),
            },
            {
              label: t("admin.courses.handOver"),
              icon: <IconSliders size={18} />,
              onSelect: () =>
                void navigate({ to: "/edit-course/$courseId", params, search: { tab: "settings" } }),
            },
            {
              label: t("home.menu.delete"),
              icon: <IconTrash size={18} />,
              danger: true,
              apart: true,
              onSelect: remove,
            },
          ]}
        />
      }
    />
  );
}
