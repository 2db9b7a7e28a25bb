import { Link } from "@tanstack/react-router";
import { shownAddress } from "../guests/guestAddress";
import { formatDateTime } from "../i18n/formatDateTime";
import { useTranslation } from "../i18n/useTranslation";
import type { Aim } from "../overrides/overrides";
import { addressOf } from "../preview/address";
import { Menu } from "../ui/Menu";
import { ProgressBar } from "../ui/ProgressBar";
import { MoveMenu } from "./MoveMenu";
import classes from "./StudentsList.module.css";
import type { StudentsSearch } from "./StudentsTab";
import type { Student } from "./useClass";
import type { Group } from "./useGroups";

interface Props {
  student: Student;
  courseId: string;
  look: StudentsSearch;
  now: Date;
  /** The groups of the course; the row shows the student's group when there are any. */
  groups: readonly Group[];
  /** What the owner and teachers do with the student; undefined for others. */
  actions?: {
    isSelected: boolean;
    select: (isSelected: boolean) => void;
    move: (group: Group | null) => void;
    /** Opens the dialog that gives the student other dates or another attempt. */
    extend: (aim: Aim) => void;
    /** Opens the dialog that reminds the student of the course. */
    nudge: () => void;
  };
}

/** The row of a student in the class list. */
export function StudentRow({ student, courseId, look, now, groups, actions }: Props) {
  const { t, i18n } = useTranslation();
  const { user, percent, pagesDone, pagesTotal, completedAt, group } = student;
  const name = user.fullName || user.email;

  return (
    <tr className={classes.row}>
      {actions && (
        <td className={classes.select}>
          <label>
            <input
              type="checkbox"
              checked={actions.isSelected}
              onChange={(event) => actions.select(event.currentTarget.checked)}
              aria-label={t("students.groups.select", { name })}
            />
          </label>
        </td>
      )}
      <th scope="row" className={classes.person}>
        <Link
          to="/edit-course/$courseId"
          params={{ courseId }}
          search={{ tab: "students", ...look, student: student.id }}
          className={classes.name}
        >
          {name}
        </Link>
        {user.fullName && (
          <span className={classes.email}>{shownAddress(user.email, t("students.guest"))}</span>
        )}
        {groups.length > 0 && (
          <span className={classes.group}>
            {actions ? (
              <MoveMenu
                label={t("students.groups.moveOne", {
                  name,
                  group: group?.title ?? t("students.groups.without"),
                })}
                groups={groups}
                onMove={actions.move}
              >
                {group?.title ?? t("students.groups.without")}
              </MoveMenu>
            ) : (
              group?.title
            )}
          </span>
        )}
      </th>
      <td className={classes.progress}>
        <span className={classes.percent}>{t("common.percent", { percent })}</span>
        <span className={classes.small}>
          {completedAt
            ? t("students.completed")
            : t("common.pagesOf", { done: pagesDone, count: pagesTotal })}
        </span>
        <ProgressBar percent={percent} label={t("students.progressOf", { name })} />
      </td>
      <td className={classes.active}>
        {formatDateTime(student.lastActivityAt, now, i18n.language, t)}
        {student.lastNudgedAt && (
          <span className={classes.nudged}>
            {t("students.nudge.nudged", {
              when: formatDateTime(student.lastNudgedAt, now, i18n.language, t),
            })}
          </span>
        )}
      </td>
      <td className={classes.actions}>
        <Menu
          label={t("students.actions", { name })}
          items={() => [
            ...(actions
              ? [
                  { label: t("students.nudge.one"), onSelect: actions.nudge },
                  { label: t("overrides.extend"), onSelect: () => actions.extend("dates") },
                  { label: t("overrides.grant"), onSelect: () => actions.extend("attempts") },
                ]
              : []),
            {
              label: t("students.preview.asStudent"),
              to: addressOf({ courseId, who: { kind: "student", id: student.id }, at: null }),
            },
          ]}
        />
      </td>
    </tr>
  );
}
