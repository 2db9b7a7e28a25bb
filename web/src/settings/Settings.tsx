import { useQuery } from "@apollo/client/react";
import { QueryState } from "../errors/QueryState";
import { withTexts } from "../i18n";
import { useTranslation } from "../i18n/useTranslation";
import { MeDocument } from "../shell/Me.generated";
import { optional } from "../ui/optional";
import { Screen } from "../ui/Screen";
import { ListSkeleton } from "../ui/Skeletons";
import { Appearance } from "./Appearance";
import { DeleteAccount } from "./DeleteAccount";
import { EmailForm } from "./EmailForm";
import { MyTexts } from "./MyTexts";
import { Notices } from "./Notices";
import { PasswordForm } from "./PasswordForm";
import { ProfileForm } from "./ProfileForm";
import { Sessions } from "./Sessions";
import classes from "./Settings.module.css";

const MyCertificates = optional(
  () =>
    withTexts(import("../certificates/MyCertificates"), "learning").then((module) => module.MyCertificates),
  <ListSkeleton rows={1} height="11rem" />,
);

/** The screen at /settings: the user's own account. */
export function Settings() {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery(MeDocument);
  const me = data?.me;
  return (
    <Screen title={t("settings.title")}>
      {!me && (
        <QueryState
          error={error}
          retry={() => void refetch()}
          heading="h2"
          loading={<ListSkeleton rows={5} height="11rem" />}
        />
      )}
      {me && (
        <div className={classes.sections}>
          <ProfileForm me={me} />
          <EmailForm me={me} />
          <PasswordForm />
          <MyCertificates fullName={me.fullName} />
          <Notices />
          <Sessions />
          <Appearance />
          <MyTexts />
          <DeleteAccount me={me} />
        </div>
      )}
    </Screen>
  );
}
