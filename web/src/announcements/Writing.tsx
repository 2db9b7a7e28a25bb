import { useQuery } from "@apollo/client/react";
import { Link, useNavigate } from "@tanstack/react-router";
import { type ReactNode, useEffect, useRef } from "react";
import { Document } from "../content/Document";
import { DateField } from "../dates/DateField";
import { zoneText } from "../dates/zoneText";
import { momentOf } from "../i18n/formatDateTime";
import { useTranslation } from "../i18n/useTranslation";
import { CourseGroupsDocument } from "../students/Groups.generated";
import { Breadcrumbs } from "../ui/Breadcrumbs";
import { Button, ButtonLink } from "../ui/Button";
import { Checkbox } from "../ui/Checkbox";
import { RadioGroup } from "../ui/RadioGroup";
import { Screen } from "../ui/Screen";
import { Select } from "../ui/Select";
import { TextSkeleton } from "../ui/Skeletons";
import { TextField } from "../ui/TextField";
import { toastSuccess } from "../ui/toasts";
import { AnnouncementPagesDocument } from "./Announcements.generated";
import { type Announcement, type Course, elementId, isScheduled } from "./list";
import { TextEditor } from "./TextEditor";
import { useWriting } from "./useWriting";
import classes from "./Writing.module.css";
import { publishAtOf } from "./writing";

interface Props {
  course: Course;
  userId: string;
  canWrite: boolean;
  /** The announcement to change; null for a new one. */
  id: string | null;
  /** That announcement, once it has arrived. */
  announcement: Announcement | undefined;
  /** There is no such announcement. */
  isGone: boolean;
  /** Reads the list again. */
  onPublished: () => Promise<unknown>;
}

/** Writing or changing an announcement. */
export default function Writing(props: Props) {
  const { t } = useTranslation();
  const { course, canWrite, id, announcement, isGone } = props;
  const frame = (children: ReactNode) => (
    <Frame course={course} isNew={id === null}>
      {children}
    </Frame>
  );
  if (!canWrite || isGone)
    return frame(
      <>
        <p>{t(`learning.announcements.${isGone ? "gone" : "form.noAccess"}`)}</p>
        <ButtonLink
          to="/view-course/$courseId/announcements"
          params={{ courseId: course.id }}
          search={{}}
          variant="default"
        >
          {t("learning.announcements.all")}
        </ButtonLink>
      </>,
    );
  if (id !== null && !announcement) return frame(<TextSkeleton lines={8} />);
  return frame(<Form {...props} />);
}

function Frame({ course, isNew, children }: { course: Course; isNew: boolean; children: ReactNode }) {
  const { t } = useTranslation();
  return (
    <Screen
      title={t(`learning.announcements.form.${isNew ? "newTitle" : "editTitle"}`)}
      trail={
        <Breadcrumbs>
          <Link to="/view-course/$courseId" params={{ courseId: course.id }}>
            {course.title || t("learning.announcements.untitledCourse")}
          </Link>
          <Link to="/view-course/$courseId/announcements" params={{ courseId: course.id }} search={{}}>
            {t("learning.announcements.heading")}
          </Link>
        </Breadcrumbs>
      }
    >
      {children}
    </Screen>
  );
}

function Form({ course, userId, announcement, onPublished }: Props) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const element = useRef<HTMLDivElement>(null);
  const toList = (id?: string) =>
    navigate({
      to: "/view-course/$courseId/announcements",
      params: { courseId: course.id },
      search: {},
      ...(id && { hash: elementId(id), replace: true }),
    });
  const form = useWriting({
    course,
    userId,
    announcement,
    element,
    onDone: async (done) => {
      toastSuccess(
        t(
          `learning.announcements.form.${announcement && !isScheduled(announcement) ? "saved" : isScheduled(done) ? "planned" : "published"}`,
        ),
      );
      if (!announcement) await onPublished();
      await toList(done.id);
    },
  });
  const pages = useQuery(AnnouncementPagesDocument, { variables: { courseId: course.id } });
  const { draft, change, errors } = form;
  const title = useRef<HTMLInputElement>(null);
  useEffect(() => {
    // A new announcement begins with its title.
    if (!announcement) title.current?.focus({ preventScroll: true });
  }, [announcement]);
  const submit = announcement && form.isPublished ? "save" : draft.isLater ? "schedule" : "publish";
  return (
    <div ref={element} className={classes.form}>
      {form.theirs && <ConflictNote theirs={form.theirs} onMine={form.keepMine} onTheirs={form.takeTheirs} />}
      {form.isRestored && !form.theirs && (
        <div className={classes.restored} role="status">
          <span>{t("learning.announcements.draft.restored")}</span>
          <Button variant="subtle" size="compact" onClick={form.revert}>
            {t(`learning.announcements.draft.${announcement ? "revert" : "discard"}`)}
          </Button>
        </div>
      )}
      {/* Nothing can be typed while it is sent, because that would not be sent with it. */}
      <div className={classes.fields} inert={form.isSending}>
        <TextField
          ref={title}
          label={t("learning.announcements.form.title")}
          autoComplete="off"
          value={draft.title}
          onChange={(event) => change({ title: event.currentTarget.value })}
          error={errors.title}
        />
        <TextEditor
          key={form.revision}
          label={t("learning.announcements.form.text")}
          value={draft.content}
          course={pages.data?.course ?? null}
          error={errors.content ?? null}
          onChange={(content) => change({ content })}
        />
        <Settings course={course} form={form} isNew={!announcement} />
      </div>
      {form.failure && (
        <p className={classes.failure} role="alert">
          {form.failure}
        </p>
      )}
      <div className={classes.actions}>
        <Button loading={form.isSending} onClick={() => void form.submit()}>
          {t(`learning.announcements.form.${submit}`)}
        </Button>
        <Button variant="default" onClick={() => void toList()}>
          {t("learning.announcements.form.close")}
        </Button>
        <p className={classes.kept} role="status" data-failed={!form.isKept || undefined}>
          {form.isChanged && t(`learning.announcements.draft.${form.isKept ? "kept" : "notKept"}`)}
        </p>
      </div>
    </div>
  );
}

interface SettingsProps {
  course: Course;
  form: ReturnType<typeof useWriting>;
  isNew: boolean;
}

/** The recipients, the time and the pin. */
function Settings({ course, form, isNew }: SettingsProps) {
  const { t, i18n } = useTranslation();
  const { draft, change, errors, zone } = form;
  const groups = useQuery(CourseGroupsDocument, { variables: { id: course.id } }).data?.course.groups ?? [];
  const now = new Date();
  const at = publishAtOf(draft, zone, now);
  return (
    <>
      {(groups.length > 0 || draft.groupId !== "") && (
        <Select
          className={classes.short}
          label={t("learning.announcements.form.whom")}
          value={draft.groupId}
          // The recipients of a stored announcement cannot be changed.
          disabled={!isNew}
          onChange={(event) => change({ groupId: event.currentTarget.value })}
          options={[
            { value: "", label: t("learning.announcements.form.everybody") },
            ...groups.map(({ id, title }) => ({
              value: id,
              label: t("learning.announcements.group", { group: title }),
            })),
          ]}
          error={errors.groupId}
        />
      )}
      {!form.isPublished && (
        <div className={classes.when}>
          <RadioGroup
            label={t("learning.announcements.form.when")}
            value={draft.isLater ? "later" : "now"}
            onChange={(when) => change({ isLater: when === "later" })}
            options={(["now", "later"] as const).map((value) => ({
              value,
              label: t(`learning.announcements.form.${value}`),
            }))}
          />
          {draft.isLater && (
            <DateField
              className={classes.short}
              label={t("learning.announcements.form.at")}
              description={
                at && new Date(at) > now
                  ? t("learning.announcements.form.willAppear", { ...momentOf(at, now, i18n.language, zone) })
                  : zoneText("dates.dialog.zone", zone, now, t)
              }
              descriptionBelow
              text={draft.at}
              value={draft.at}
              onChange={(event) => change({ at: event.currentTarget.value })}
              onPick={(at) => change({ at })}
              error={errors.at}
            />
          )}
        </div>
      )}
      <Checkbox
        label={t("learning.announcements.form.pin")}
        hint={t("learning.announcements.form.pinHint")}
        checked={draft.isPinned}
        onChange={(event) => change({ isPinned: event.currentTarget.checked })}
      />
    </>
  );
}

interface ConflictProps {
  theirs: Announcement;
  onMine: () => void;
  onTheirs: () => void;
}

/** Shows the announcement that somebody else has stored meanwhile, and offers to take either version. */
function ConflictNote({ theirs, onMine, onTheirs }: ConflictProps) {
  const { t } = useTranslation();
  return (
    <div className={classes.conflict} role="alert">
      <p>{t("learning.announcements.form.conflict")}</p>
      <details>
        <summary>{t("learning.announcements.form.theirs")}</summary>
        <p className={classes.theirTitle}>{theirs.title}</p>
        <Document content={theirs.content} />
      </details>
      <div className={classes.actions}>
        <Button onClick={onMine}>{t("learning.announcements.form.keepMine")}</Button>
        <Button variant="default" onClick={onTheirs}>
          {t("learning.announcements.form.takeTheirs")}
        </Button>
      </div>
    </div>
  );
}
