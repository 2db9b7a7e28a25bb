import { useId, useState } from "react";
import type { ChooseNoticesInput } from "../api/schema.generated";
import { useTranslation } from "../i18n/useTranslation";
import { Button } from "../ui/Button";
import { Checkbox } from "../ui/Checkbox";
import { Dialog } from "../ui/Dialog";
import { Select } from "../ui/Select";
import { type Choice, choiceIn, type Delivery, KINDS, type Kind, MAILS, type Preferences } from "./changes";
import classes from "./NoticeSettings.module.css";

interface Props {
  preferences: Preferences;
  /** Whether pushes can be chosen. */
  withPush: boolean;
  onAdd: (input: ChooseNoticesInput) => void;
  onClose: () => void;
}

const ALL: readonly Kind[] = [...KINDS.learning, ...KINDS.teaching];
/** These kinds have no course, or a course that the user has not joined yet. */
const OF_NO_COURSE: ReadonlySet<Kind> = new Set(["INVITED", "IMPORT_DONE"]);

/** The dialog for a choice for one course and one kind. It starts with the current delivery. */
export function NewException({ preferences, withPush, onAdd, onClose }: Props) {
  const { t } = useTranslation();
  const formId = useId();
  const [courseId, setCourseId] = useState(preferences.courses[0]?.course.id ?? "");
  const [wanted, setKind] = useState<Kind | null>(null);
  const [chosen, setChosen] = useState<Omit<Delivery, "kind"> | null>(null);
  const own = preferences.courses.find(({ course }) => course.id === courseId)?.choices ?? [];
  const free = ALL.filter((kind) => !OF_NO_COURSE.has(kind) && !own.some((choice) => choice.kind === kind));
  const kind = wanted && free.includes(wanted) ? wanted : free[0];
  const present = kind && choiceIn(preferences, courseId, kind);
  const { inApp, mail, push } = chosen ?? present ?? { inApp: true, mail: "OFF" as const, push: false };
  const delivery = { inApp, mail, ...(withPush && { push }) };
  return (
    <Dialog
      open
      onClose={onClose}
      title={t("noticeSettings.courses.title")}
      actions={
        <>
          <Button variant="default" onClick={onClose}>
            {t("noticeSettings.courses.cancel")}
          </Button>
          <Button type="submit" form={formId} disabled={!kind}>
            {t("noticeSettings.courses.submit")}
          </Button>
        </>
      }
    >
      <form
        id={formId}
        className={classes.form}
        onSubmit={(event) => {
          event.preventDefault();
          if (!kind) return;
          onAdd({ courseId, kind, ...delivery });
          onClose();
        }}
      >
        <Select
          label={t("noticeSettings.courses.course")}
          data-autofocus
          value={courseId}
          options={preferences.courses.map(({ course: { id, title } }) => ({
            value: id,
            label: title || t("noticeSettings.courses.untitled"),
          }))}
          onChange={(event) => {
            setCourseId(event.currentTarget.value);
            setChosen(null);
          }}
        />
        {kind ? (
          <>
            <Select
              label={t("noticeSettings.courses.kind")}
              value={kind}
              options={free.map((value) => ({ value, label: t(`noticeSettings.kind.${value}`) }))}
              onChange={(event) => {
                setKind(event.currentTarget.value as Kind);
                setChosen(null);
              }}
            />
            <Checkbox
              label={t("noticeSettings.kinds.inApp")}
              checked={inApp}
              onChange={(event) => setChosen({ ...delivery, inApp: event.currentTarget.checked })}
            />
            {withPush && (
              <Checkbox
                label={t("noticeSettings.kinds.push")}
                checked={push ?? false}
                onChange={(event) => setChosen({ ...delivery, push: event.currentTarget.checked })}
              />
            )}
            <Select
              label={t("noticeSettings.kinds.byMail")}
              value={mail}
              options={MAILS.map((value) => ({ value, label: t(`noticeSettings.mail.${value}`) }))}
              onChange={(event) =>
                setChosen({ ...delivery, mail: event.currentTarget.value as Choice["mail"] })
              }
            />
          </>
        ) : (
          <p className={classes.none}>{t("noticeSettings.courses.all")}</p>
        )}
      </form>
    </Dialog>
  );
}
