import { useMutation, useQuery } from "@apollo/client/react";
import { ApiError } from "../api/apiError";
import { useTranslation } from "../i18n/useTranslation";
import { ConfirmDialog } from "../ui/ConfirmDialog";
import { TextSkeleton } from "../ui/Skeletons";
import { toastSuccess } from "../ui/toasts";
import { AdminCoursesDocument, type AdminUser_UserFragment, DeleteUserDocument } from "./Admin.generated";
import classes from "./Admin.module.css";

interface Props {
  user: AdminUser_UserFragment;
  onClose: () => void;
  onGone: () => void;
}

/** The number of courses listed by title. */
const NAMED = 5;

/** The dialog that deletes an account; it first lists what happens to the account's courses. */
export function DeleteUser({ user, onClose, onGone }: Props) {
  const { t } = useTranslation();
  const name = user.fullName || user.email;
  const [remove] = useMutation(DeleteUserDocument);
  const { data, loading } = useQuery(AdminCoursesDocument, {
    variables: { search: user.email, skip: 0 },
    fetchPolicy: "network-only",
  });
  // The server's search also matches other fields, so only exact owners are kept.
  const courses = data?.allCourses.nodes.filter(({ owner }) => owner.id === user.id) ?? [];
  const learnt = courses.filter(({ studentsCount }) => studentsCount > 0);
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={t("admin.users.deleteTitle", { name })}
      confirm={t("admin.users.deleteConfirm")}
      typed={user.email}
      danger
      onConfirm={async () => {
        try {
          await remove({ variables: { input: { userId: user.id } } });
        } catch (error) {
          // Another administrator has already deleted it.
          if (ApiError.from(error).status !== 404) throw error;
        }
        toastSuccess(t("admin.users.deleted", { name }));
        onGone();
      }}
    >
      <p>{t("admin.users.deleteText")}</p>
      {loading && <TextSkeleton lines={2} />}
      {courses.length > 0 && (
        <>
          <p>{t("admin.users.deleteCourses", { count: courses.length })}</p>
          {learnt.length > 0 && (
            <ul className={classes.outcomes}>
              {learnt.slice(0, NAMED).map(({ id, title, studentsCount }) => (
                <li key={id}>
                  {title}: {t("common.students", { count: studentsCount })}
                </li>
              ))}
            </ul>
          )}
        </>
      )}
    </ConfirmDialog>
  );
}
