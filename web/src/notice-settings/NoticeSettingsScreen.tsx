import { Link } from "@tanstack/react-router";
import { useEffect, useEffectEvent, useRef } from "react";
import { QueryState } from "../errors/QueryState";
import { useTranslation } from "../i18n/useTranslation";
import { browserClock } from "../notices/browserClock";
import { Devices } from "../push/Devices";
import { useDevices } from "../push/useDevices";
import { Breadcrumbs } from "../ui/Breadcrumbs";
import { SaveState } from "../ui/SaveState";
import { Screen } from "../ui/Screen";
import { Section } from "../ui/Section";
import { ListSkeleton } from "../ui/Skeletons";
import { failureText, showToast } from "../ui/toasts";
import { Courses } from "./Courses";
import { KindTable } from "./KindTable";
import { Mails } from "./Mails";
import classes from "./NoticeSettings.module.css";
import { usePreferences } from "./usePreferences";

/** The screen at /settings/notices: delivery in the app, by mail and on devices. Each change is saved at once. */
export function NoticeSettingsScreen() {
  const { t } = useTranslation();
  const devices = useDevices();
  const { preferences, outcome, change, error, retry } = usePreferences((refused, failure) => {
    const what = t(
      refused.what === "settings"
        ? "noticeSettings.mails.heading"
        : `noticeSettings.kind.${refused.input.kind}`,
    );
    showToast({
      kind: "failure",
      title: t("errors.toastFailure"),
      text: t("noticeSettings.notSaved", { what: `«${what}»`, why: failureText(failure) }),
    });
  });
  const isUnstored = preferences?.isStored === false;
  const storeClock = useEffectEvent(() => change({ what: "settings", input: browserClock() }));
  const isAsked = useRef(false);
  useEffect(() => {
    if (!isUnstored || isAsked.current) return;
    isAsked.current = true;
    storeClock();
  }, [isUnstored]);
  return (
    <Screen
      title={t("noticeSettings.title")}
      lead={t("noticeSettings.lead")}
      trail={
        <Breadcrumbs>
          <Link to="/settings">{t("shell.settings")}</Link>
        </Breadcrumbs>
      }
    >
      {/* Always there, so that screen readers say what it says first. */}
      <div className={classes.state} role="status">
        {/* What was not saved is said by an alert and at its row. */}
        {outcome && outcome.state !== "failed" && (
          <span key={outcome.state} className={classes.said} data-state={outcome.state}>
            <SaveState state={outcome.state} text={t(`noticeSettings.state.${outcome.state}`)} isQuiet />
          </span>
        )}
      </div>
      {!preferences ? (
        <QueryState
          error={error}
          retry={retry}
          heading="h2"
          loading={<ListSkeleton rows={3} height="16rem" />}
        />
      ) : (
        <div className={classes.sections}>
          <Devices devices={devices} />
          <Mails preferences={preferences} onChange={(input) => change({ what: "settings", input })} />
          <Section title={t("noticeSettings.kinds.heading")} text={t("noticeSettings.kinds.text")}>
            <KindTable
              choices={preferences.choices}
              outcome={outcome}
              withPush={devices.hasDevices}
              onChoose={(choice) => change({ what: "choose", input: choice })}
              onReset={(kind) => change({ what: "reset", input: { kind } })}
            />
          </Section>
          <Courses
            preferences={preferences}
            outcome={outcome}
            withPush={devices.hasDevices}
            onChange={change}
          />
        </div>
      )}
    </Screen>
  );
}
