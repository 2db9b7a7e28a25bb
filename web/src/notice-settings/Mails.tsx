import { useId, useState } from "react";
import type { SetNoticeSettingsInput } from "../api/schema.generated";
import { isKnownZone, momentOf, offsetOf } from "../i18n/formatDateTime";
import { useTranslation } from "../i18n/useTranslation";
import { Checkbox } from "../ui/Checkbox";
import { RadioGroup } from "../ui/RadioGroup";
import { Section } from "../ui/Section";
import { Select } from "../ui/Select";
import type { Preferences } from "./changes";
import classes from "./NoticeSettings.module.css";

const NIGHT = { from: "22:00", until: "08:00" };
/** The times of day, at half-hour steps. */
const TIMES = Array.from(
  { length: 48 },
  (_, at) => `${String(at >> 1).padStart(2, "0")}:${at % 2 ? "30" : "00"}`,
);
const ZONES = ["UTC", ...Intl.supportedValuesOf("timeZone")];

interface Props {
  preferences: Preferences;
  onChange: (input: SetNoticeSettingsInput) => void;
}

/** The language, time zone and quiet hours of mails. */
export function Mails({ preferences, onChange }: Props) {
  const { t, i18n } = useTranslation();
  const [now] = useState(() => new Date());
  const quietId = useId();
  const { language, timeZone, quietHours } = preferences;
  const set = (input: Partial<SetNoticeSettingsInput>) =>
    onChange({ language, timeZone, quietHours: quietHours && timesOf(quietHours), ...input });
  return (
    <Section title={t("noticeSettings.mails.heading")} text={t("noticeSettings.mails.text")}>
      <RadioGroup
        label={t("noticeSettings.mails.language")}
        value={language}
        options={(["RU", "EN"] as const).map((value) => ({
          value,
          label: t(value === "RU" ? "common.language.ru" : "common.language.en"),
          lang: value.toLowerCase(),
        }))}
        onChange={(language) => set({ language })}
      />
      <Select
        className={classes.zone}
        label={t("noticeSettings.mails.zone")}
        description={
          isKnownZone(timeZone) &&
          t("noticeSettings.mails.zoneNow", {
            time: momentOf(now.toISOString(), now, i18n.language, timeZone).time,
            offset: offsetOf(now.toISOString(), timeZone),
          })
        }
        descriptionBelow
        value={timeZone}
        options={withValue(ZONES, timeZone).map((zone) => ({
          value: zone,
          label: zone.replaceAll("_", " "),
        }))}
        onChange={(event) => set({ timeZone: event.currentTarget.value })}
      />
      <div>
        <Checkbox
          label={t("noticeSettings.mails.quietOn")}
          hint={t("noticeSettings.mails.quietHint")}
          checked={quietHours !== null}
          aria-controls={quietHours ? quietId : undefined}
          onChange={(event) => set({ quietHours: event.currentTarget.checked ? NIGHT : null })}
        />
        {quietHours && (
          <div id={quietId} className={classes.times}>
            {(["from", "until"] as const).map((end) => (
              <Select
                key={end}
                label={t(`noticeSettings.mails.${end}`)}
                value={quietHours[end]}
                // Equal times would mean no quiet hours.
                options={withValue(TIMES, quietHours[end])
                  .filter((time) => time !== quietHours[end === "from" ? "until" : "from"])
                  .map((time) => ({ value: time, label: time }))}
                onChange={(event) =>
                  set({ quietHours: { ...timesOf(quietHours), [end]: event.currentTarget.value } })
                }
              />
            ))}
          </div>
        )}
      </div>
    </Section>
  );
}

/** Without what the cache adds. */
const timesOf = ({ from, until }: { from: string; until: string }) => ({ from, until });

/** The options, with the current value added if it is not among them. */
const withValue = (values: readonly string[], value: string) =>
  values.includes(value) ? values : [...values, value].sort();
