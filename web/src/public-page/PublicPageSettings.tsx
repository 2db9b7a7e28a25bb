import { useMutation, useQuery } from "@apollo/client/react";
import { useState } from "react";
import { CopyField } from "../course-settings/CopyField";
import { QueryState } from "../errors/QueryState";
import { useTranslation } from "../i18n/useTranslation";
import type { Course } from "../outline/EditCourse";
import { Button } from "../ui/Button";
import { Checkbox } from "../ui/Checkbox";
import { RadioGroup } from "../ui/RadioGroup";
import { Section } from "../ui/Section";
import { TextSkeleton } from "../ui/Skeletons";
import { toastFailure, toastSuccess } from "../ui/toasts";
import { CoverField } from "./CoverField";
import {
  PublicPageSettingsDocument,
  type PublicPageSettingsQuery,
  SetVisibilityDocument,
} from "./PublicPage.generated";
import classes from "./PublicPageSettings.module.css";

type Settings = NonNullable<PublicPageSettingsQuery["course"]["publicPage"]>;

const VISIBILITIES = ["PRIVATE", "LINK", "PUBLIC"] as const;

/** The section of the public page in the settings of a course: who sees it, its address and its cover. */
export function PublicPageSettings({ course }: { course: Course }) {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery(PublicPageSettingsDocument, {
    variables: { courseId: course.id },
    fetchPolicy: "cache-and-network",
  });
  const settings = data?.course.publicPage;
  return (
    <Section title={t("courseSettings.page.heading")} text={t("courseSettings.page.text")}>
      {settings ? (
        <div className={classes.fields}>
          <WhoSeesIt course={course} settings={settings} />
          <Guests course={course} settings={settings} />
          <CoverField courseId={course.id} coverUrl={settings.coverUrl} onChanged={() => void refetch()} />
        </div>
      ) : (
        <QueryState
          error={error}
          retry={() => void refetch().catch(() => undefined)}
          heading="p"
          loading={<TextSkeleton lines={8} />}
        />
      )}
    </Section>
  );
}

/** Whether guests may start the course. Stored at once: it publishes nothing. */
function Guests({ course, settings }: { course: Course; settings: Settings }) {
  const { t } = useTranslation();
  const [set] = useMutation(SetVisibilityDocument, { onError: toastFailure });
  const { visibility, coverUrl } = settings;
  if (course.myRole !== "OWNER")
    return settings.allowsGuests && <p className={classes.text}>{t("courseSettings.page.guestsOn")}</p>;
  const change = (allowsGuests: boolean) =>
    set({
      variables: { input: { courseId: course.id, visibility, allowsGuests } },
      optimisticResponse: {
        setVisibility: {
          __typename: "SetVisibilityPayload",
          course: {
            __typename: "Course",
            id: course.id,
            publicPage: { __typename: "PublicPage", visibility, allowsGuests, coverUrl },
          },
        },
      } as never,
    });
  return (
    <Checkbox
      label={t("courseSettings.page.guests")}
      hint={t("courseSettings.page.guestsHint")}
      checked={settings.allowsGuests}
      onChange={(event) => void change(event.currentTarget.checked)}
    />
  );
}

/** Who sees the page. A button saves the choice: arrow keys pass over choices that would publish the course. */
function WhoSeesIt({ course, settings }: { course: Course; settings: Settings }) {
  const { t } = useTranslation();
  const [set, { loading }] = useMutation(SetVisibilityDocument);
  /** What was chosen and is not saved. */
  const [chosen, setChosen] = useState<Settings["visibility"] | null>(null);
  const shown = chosen ?? settings.visibility;
  const save = async () => {
    try {
      await set({ variables: { input: { courseId: course.id, visibility: shown } } });
      setChosen(null);
      toastSuccess(t(`courseSettings.page.done.${shown}`));
    } catch (failure) {
      toastFailure(failure);
    }
  };
  const path = `/courses/${course.id}`;
  return (
    <>
      {course.myRole === "OWNER" ? (
        <RadioGroup
          label={t("courseSettings.page.who")}
          value={shown}
          options={VISIBILITIES.map((value) => ({
            value,
            label: t(`courseSettings.page.choices.${value}`),
            about: t(`courseSettings.page.about.${value}`),
          }))}
          onChange={setChosen}
        />
      ) : (
        <p className={classes.text}>
          {t(`courseSettings.page.choices.${shown}`)}. {t(`courseSettings.page.about.${shown}`)}{" "}
          {t("courseSettings.page.ownerOnly")}
        </p>
      )}
      {shown !== settings.visibility && (
        <Button className={classes.save} loading={loading} onClick={() => void save()}>
          {t("courseSettings.page.save")}
        </Button>
      )}
      {settings.visibility !== "PRIVATE" && (
        <div className={classes.address}>
          <CopyField label={t("courseSettings.page.link")} value={window.location.origin + path} />
          {/* The server renders the page outside of the app. */}
          <a href={path} target="_blank" rel="noopener">
            {t("courseSettings.page.open")}
          </a>
        </div>
      )}
    </>
  );
}
