import { useTranslation } from "../i18n/useTranslation";
import { IconCheck } from "../ui/icons";
import { VisuallyHidden } from "../ui/VisuallyHidden";
import { AffectedLearners } from "./AffectedLearners";
import classes from "./Consequences.module.css";
import type { Publishing } from "./usePublishing";

interface Props {
  publishing: Pick<Publishing, "consequences" | "isStale" | "isNewer">;
}

/** What publishing changes in the results of learners: who, what, before and after. */
export function Consequences({ publishing }: Props) {
  const { t } = useTranslation();
  const { consequences, isStale, isNewer } = publishing;
  const { affected, learners } = consequences ?? { affected: 0, learners: [] };
  return (
    <section className={classes.consequences} aria-labelledby="consequences" aria-busy={isStale}>
      <h3 id="consequences" className={classes.heading}>
        {t("unpublished.publishing.consequences.heading")}
      </h3>
      {isNewer && (
        <p className={classes.newer} role="alert">
          {t("unpublished.publishing.consequences.newer")}
        </p>
      )}
      <div className={classes.shown}>
        <div role="status">
          {affected === 0 ? (
            <p className={classes.nobody}>
              <IconCheck size={18} />
              {t("unpublished.publishing.consequences.nobody")}
            </p>
          ) : (
            // The number is read out here; the list below has it as its summary.
            <VisuallyHidden>
              {t("unpublished.publishing.consequences.affected", { count: affected })}
            </VisuallyHidden>
          )}
          {consequences && (
            <p className={classes.attempts}>
              {t("unpublished.publishing.consequences.regraded", { count: consequences.regradedAttempts })}
              {consequences.leftAttempts > 0 &&
                ` ${t("unpublished.publishing.consequences.left", { count: consequences.leftAttempts })}`}
            </p>
          )}
        </div>
        {affected > 0 && <AffectedLearners learners={learners} affected={affected} />}
      </div>
    </section>
  );
}
