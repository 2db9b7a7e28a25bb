import { useMutation, useQuery } from "@apollo/client/react";
import { useState } from "react";
import { ApiError } from "../api/apiError";
import { FormOutcome } from "../auth/FormOutcome";
import forms from "../auth/forms.module.css";
import { LoadFailure } from "../errors/LoadFailure";
import { useTranslation } from "../i18n/useTranslation";
import { Button, ButtonLink } from "../ui/Button";
import { RadioGroup } from "../ui/RadioGroup";
import { TextSkeleton } from "../ui/Skeletons";
import { failureText } from "../ui/toasts";
import type { Kind } from "./changes";
import {
  NoticeSubscriptionDocument,
  type NoticeSubscriptionQuery,
  UnsubscribeNoticesDocument,
} from "./Unsubscribe.generated";
import classes from "./Unsubscribe.module.css";

type Subscription = NoticeSubscriptionQuery["noticeSubscription"];

/** The screen at /unsubscribe/{token}, opened by the link in a mail, with or without a session. It requires a click, because mail
 * scanners that fetch the link must not unsubscribe anybody. */
export function Unsubscribe({ token }: { token: string }) {
  const { data, error, refetch } = useQuery(NoticeSubscriptionDocument, {
    variables: { token },
    fetchPolicy: "no-cache",
  });
  if (data) return <Choice token={token} subscription={data.noticeSubscription} />;
  if (isDead(error)) return <Dead />;
  if (error) return <LoadFailure error={error} retry={() => void refetch().catch(() => undefined)} />;
  return (
    <div className={forms.form}>
      <TextSkeleton lines={5} />
    </div>
  );
}

const isDead = (error: unknown) =>
  error !== undefined && [400, 404, 409, 410, 422].includes(ApiError.from(error).status ?? 0);

/** What to unsubscribe from: a kind, a kind in the course, or everything. */
type Option = { what: "kind" | "kindOfCourse"; kind: Kind } | { what: "all" };

const nameOf = (option: Option) => (option.what === "all" ? "all" : `${option.what} ${option.kind}`);

function Choice({ token, subscription }: { token: string; subscription: Subscription }) {
  const { t } = useTranslation();
  const { email, kinds, course } = subscription;
  const courseTitle = course && (course.title || t("noticeSettings.courses.untitled"));
  const options: Option[] = [
    ...kinds.flatMap((kind): Option[] => [
      { what: "kind", kind },
      ...(course ? [{ what: "kindOfCourse" as const, kind }] : []),
    ]),
    { what: "all" },
  ];
  const [chosen, setChosen] = useState(nameOf(options[0] ?? { what: "all" }));
  const [done, setDone] = useState<Option | null>(null);
  const [refusal, setRefusal] = useState<unknown>();
  const [unsubscribe, { loading }] = useMutation(UnsubscribeNoticesDocument);
  const valuesOf = (option: Option) => ({
    about: option.what === "all" ? "" : t(`noticeSettings.about.${option.kind}`),
    course: courseTitle ?? "",
  });
  const submit = async () => {
    const option = options.find((one) => nameOf(one) === chosen);
    if (!option) return;
    setRefusal(undefined);
    try {
      await unsubscribe({
        variables: {
          input: {
            token,
            ...(option.what !== "all" && { kind: option.kind }),
            ...(option.what === "kindOfCourse" && course && { courseId: course.id }),
          },
        },
      });
      setDone(option);
    } catch (error) {
      setRefusal(error);
    }
  };
  if (isDead(refusal)) return <Dead />;
  if (done)
    return (
      <FormOutcome
        title={t("noticeSettings.unsubscribe.done")}
        actions={
          <ButtonLink to="/settings/notices" size="md" variant="default">
            {t("noticeSettings.unsubscribe.toSettings")}
          </ButtonLink>
        }
      >
        <p className={forms.text} role="status">
          {t(`noticeSettings.unsubscribe.doneText.${done.what}`, valuesOf(done))}
        </p>
        <p className={forms.quiet}>{t("noticeSettings.unsubscribe.back")}</p>
      </FormOutcome>
    );
  return (
    <div className={forms.form}>
      <title>{`${t("noticeSettings.unsubscribe.title")} — Kurso`}</title>
      <h1 className={forms.title}>{t("noticeSettings.unsubscribe.title")}</h1>
      <p className={forms.lead}>{t("noticeSettings.unsubscribe.lead", { email })}</p>
      {refusal !== undefined && (
        <p className={forms.refusal} role="alert">
          {failureText(refusal)}
        </p>
      )}
      <div className={classes.choice}>
        <RadioGroup
          label={t("noticeSettings.unsubscribe.choice")}
          value={chosen}
          options={options.map((option) => ({
            value: nameOf(option),
            label: t(`noticeSettings.unsubscribe.${option.what}`, valuesOf(option)),
            ...(option.what === "all" && { about: t("noticeSettings.unsubscribe.allHint") }),
          }))}
          onChange={setChosen}
        />
      </div>
      <Button size="md" fullWidth loading={loading} onClick={() => void submit()}>
        {t("noticeSettings.unsubscribe.submit")}
      </Button>
      <p className={forms.quiet}>{t("noticeSettings.unsubscribe.stays")}</p>
    </div>
  );
}

function Dead() {
  const { t } = useTranslation();
  return (
    <FormOutcome
      title={t("noticeSettings.unsubscribe.dead")}
      actions={
        <ButtonLink to="/settings/notices" size="md">
          {t("noticeSettings.unsubscribe.toSettings")}
        </ButtonLink>
      }
    >
      <p className={forms.text}>{t("noticeSettings.unsubscribe.deadText")}</p>
    </FormOutcome>
  );
}
