import { useApolloClient } from "@apollo/client/react";
import { useRouter } from "@tanstack/react-router";
import { useTranslation } from "../i18n/useTranslation";
import { EditCourseDocument } from "../outline/EditCourse.generated";
import { countsOf, type Tree } from "../outline/tree";
import { IconTrash } from "../ui/authorIcons";
import { IconEye } from "../ui/icons";
import { IconHistory } from "../ui/laterIcons";
import { toastFailure } from "../ui/toasts";
import type { PaletteAction } from "./actions";

/** Returns the actions on the course whose editor is open: its preview, and the publication of all drafts. */
export function useCourseActions(): PaletteAction[] {
  const { t } = useTranslation();
  const client = useApolloClient();
  const router = useRouter();
  const id = /^\/edit-course\/([^/]+)/.exec(router.state.location.pathname)?.[1];
  const course =
    id === undefined ? null : client.readQuery({ query: EditCourseDocument, variables: { id } })?.course;
  if (!course || id === undefined) return [];
  const tree = course as Tree;
  const { pages, published } = countsOf(tree);
  const isEditor = course.myRole === "OWNER" || course.myRole === "EDITOR";
  const publish = async () => {
    const { editsOf } = await import("../outline/outlineEdits");
    const modules = tree.modules.map((module) => module.id);
    editsOf(client, id).publish(modules, true);
  };
  return [
    {
      id: "preview-course",
      title: t("palette.previewCourse"),
      icon: <IconEye />,
      words: "preview learner предпросмотр",
      run: () => void router.navigate({ to: "/view-course/$courseId", params: { courseId: id } }),
    },
    ...(isEditor
      ? [
          {
            id: "course-trash",
            title: t("palette.courseTrash"),
            icon: <IconTrash />,
            words: "trash deleted restore удалённое восстановить",
            run: () =>
              void router.navigate({
                to: "/edit-course/$courseId",
                params: { courseId: id },
                search: { tab: "trash" },
              }),
          },
          {
            id: "course-snapshots",
            title: t("palette.courseSnapshots"),
            icon: <IconHistory />,
            words: "snapshots restore backup versions снимок снимки восстановить версии",
            run: () =>
              void router.navigate({
                to: "/edit-course/$courseId",
                params: { courseId: id },
                search: { tab: "snapshots" },
              }),
          },
        ]
      : []),
    ...(isEditor && published < pages
      ? [
          {
            id: "publish-course",
            title: t("palette.publishCourse"),
            icon: <IconEye />,
            words: "publish all опубликовать",
            run: () => void publish().catch(toastFailure),
          },
        ]
      : []),
  ];
}
