import { useRef, useState } from "react";
import { QueryState } from "../errors/QueryState";
import { formatDateTime } from "../i18n/formatDateTime";
import { useTranslation } from "../i18n/useTranslation";
import { deviceName } from "../settings/device";
import { Button } from "../ui/Button";
import { Row, Rows } from "../ui/Rows";
import { Section } from "../ui/Section";
import { ListSkeleton } from "../ui/Skeletons";
import { showToast, toastFailure, toastSuccess } from "../ui/toasts";
import { useOnline } from "../ui/useOnline";
import { SubscribeError } from "./browser";
import classes from "./Devices.module.css";
import type { Device, useDevices } from "./useDevices";

/** The section of the notice settings about pushes: this device, and the others. */
export function Devices({ devices }: { devices: ReturnType<typeof useDevices> }) {
  const { t, i18n } = useTranslation();
  const isOnline = useOnline();
  const [busy, setBusy] = useState<string | null>(null);
  const status = useRef<HTMLParagraphElement>(null);
  const { state, here, others, error, retry, turnOn, remove, test } = devices;
  const run = async (what: string, work: () => Promise<unknown>, done?: string) => {
    setBusy(what);
    try {
      await work();
      if (done) toastSuccess(done);
    } catch (failure) {
      if (failure instanceof SubscribeError)
        showToast({
          kind: "failure",
          title: t("errors.toastFailure"),
          text: t("noticeSettings.devices.notSubscribed"),
        });
      else toastFailure(failure);
    }
    setBusy(null);
    // The button that was pressed may be gone.
    requestAnimationFrame(() => {
      if (document.activeElement === document.body) status.current?.focus();
    });
  };
  const nameOf = ({ userAgent }: Device) => deviceName(userAgent) ?? t("settings.sessions.unknown");
  return (
    <Section title={t("noticeSettings.devices.heading")} text={t("noticeSettings.devices.text")}>
      {error || state === "loading" ? (
        <QueryState
          error={error}
          retry={retry}
          heading="p"
          loading={<ListSkeleton rows={1} height="4.5rem" />}
        />
      ) : (
        <>
          <p ref={status} tabIndex={-1} className={classes.state} role="status">
            {t(`noticeSettings.devices.state.${state}`)}
          </p>
          {state === "off" && (
            <div className={classes.tools}>
              <Button
                loading={busy === "on"}
                disabled={!isOnline || busy !== null}
                onClick={() => void run("on", turnOn)}
              >
                {t("noticeSettings.devices.turnOn")}
              </Button>
            </div>
          )}
          {state === "on" && here && (
            <div className={classes.tools}>
              <Button
                variant="default"
                loading={busy === "test"}
                disabled={!isOnline || busy !== null}
                onClick={() => void run("test", () => test(here), t("noticeSettings.devices.tested"))}
              >
                {t("noticeSettings.devices.test")}
              </Button>
              <Button
                variant="subtle"
                loading={busy === here.id}
                disabled={!isOnline || busy !== null}
                onClick={() => void run(here.id, () => remove(here))}
              >
                {t("noticeSettings.devices.turnOff")}
              </Button>
            </div>
          )}
        </>
      )}
      {!isOnline && <p className={classes.offline}>{t("noticeSettings.devices.offline")}</p>}
      {others.length > 0 && (
        <div>
          <h3 className={classes.heading}>{t("noticeSettings.devices.others")}</h3>
          <Rows label={t("noticeSettings.devices.others")}>
            {others.map((device) => (
              <Row
                key={device.id}
                name={nameOf(device)}
                facts={
                  <span>
                    {t("noticeSettings.devices.since", {
                      when: formatDateTime(device.createdAt, new Date(), i18n.language, t),
                    })}
                  </span>
                }
                tools={
                  <Button
                    variant="subtle"
                    loading={busy === device.id}
                    disabled={!isOnline || busy !== null}
                    aria-label={t("noticeSettings.devices.removeOf", { device: nameOf(device) })}
                    onClick={() => void run(device.id, () => remove(device))}
                  >
                    {t("noticeSettings.devices.remove")}
                  </Button>
                }
              />
            ))}
          </Rows>
        </div>
      )}
    </Section>
  );
}
