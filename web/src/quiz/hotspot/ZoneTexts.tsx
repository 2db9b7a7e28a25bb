import { useTranslation } from "../../i18n/useTranslation";
import { VisuallyHidden } from "../../ui/VisuallyHidden";
import classes from "./HotspotReview.module.css";
import { boundsOf, type Zone } from "./zones";

/** Where zones are, in words; hidden where the drawing says the same. */
export function ZoneTexts({ zones, isHidden = false }: { zones: readonly Zone[]; isHidden?: boolean }) {
  const { t } = useTranslation();
  const list = (
    // biome-ignore lint/a11y/noRedundantRoles: a list without markers is none to Safari unless told so
    <ul role="list" className={classes.list}>
      {zones.map((zone, index) => {
        const { x, y, width, height } = boundsOf(zone);
        const box = { left: x, right: x + width, top: y, bottom: y + height };
        return <li key={zone.id}>{t("quiz.hotspot.zone", { number: index + 1, ...box })}</li>;
      })}
    </ul>
  );
  return isHidden ? <VisuallyHidden as="div">{list}</VisuallyHidden> : list;
}
