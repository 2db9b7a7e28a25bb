import { use } from "react";
import { useTranslation } from "../../i18n/useTranslation";
import { IconCheck, IconClose } from "../../ui/icons";
import { VisuallyHidden } from "../../ui/VisuallyHidden";
import { AnswerOwnerContext } from "../answerOwner";
import type { QuestionOf, Result } from "../model";
import shared from "./Hotspot.module.css";
import classes from "./HotspotReview.module.css";
import { PictureFrame } from "./PictureFrame";
import { pictureOf } from "./picture";
import { Overlay, ZoneShape } from "./ZoneShapes";
import { ZoneTexts } from "./ZoneTexts";
import { zoneOf } from "./zoneOf";
import type { Point } from "./zones";

interface HotspotReviewProps {
  question: QuestionOf<"HotspotQuestion">;
  places: readonly Point[];
  /** Empty until they are shown. */
  zones: Result["zones"];
  /** Whether each place is right; empty until that is shown. */
  rightPlaces: readonly boolean[];
}

/** The marked places on their picture, and the right zones where they are shown. */
export function HotspotReview({ question, places, zones, rightPlaces }: HotspotReviewProps) {
  const { t } = useTranslation();
  const owner = use(AnswerOwnerContext);
  const picture = pictureOf(question.picture);
  const drawn = zones.flatMap((zone) => zoneOf(zone) ?? []);
  const verdictOf = (index: number) => {
    const isRight = rightPlaces[index];
    return isRight === undefined ? "given" : isRight ? "right" : "wrong";
  };
  return (
    <div className={classes.review}>
      {picture && (
        <PictureFrame picture={picture}>
          <Overlay>
            {drawn.map((zone) => (
              <ZoneShape key={zone.id} figure={zone} />
            ))}
          </Overlay>
          {places.map(({ x, y }, index) => {
            const verdict = verdictOf(index);
            return (
              <span
                // biome-ignore lint/suspicious/noArrayIndexKey: places have no ids
                key={index}
                className={shared.marker}
                data-verdict={verdict}
                style={{ left: `${x}%`, top: `${y}%` }}
                aria-hidden="true"
              >
                {index + 1}
                {verdict !== "given" && (
                  <span className={shared.sign}>
                    {verdict === "right" ? <IconCheck size={12} /> : <IconClose size={12} />}
                  </span>
                )}
              </span>
            );
          })}
        </PictureFrame>
      )}
      <div className={classes.texts}>
        <div>
          <h4 className={classes.heading}>{t(`quiz.review.given.${owner}`)}</h4>
          {places.length === 0 && <p className={classes.none}>{t("quiz.review.none")}</p>}
          {places.length > 0 && (
            // biome-ignore lint/a11y/noRedundantRoles: a list without markers is none to Safari unless told so
            <ul role="list" className={classes.list}>
              {places.map(({ x, y }, index) => {
                const verdict = verdictOf(index);
                return (
                  // biome-ignore lint/suspicious/noArrayIndexKey: see above
                  <li key={index}>
                    {t("quiz.hotspot.place", { number: index + 1, x, y })}
                    {verdict !== "given" && (
                      <>
                        <VisuallyHidden>, </VisuallyHidden>
                        <span className={classes.verdict} data-verdict={verdict}>
                          {verdict === "right" ? <IconCheck size={15} /> : <IconClose size={15} />}
                          {t(`quiz.hotspot.verdict.${verdict}`)}
                        </span>
                      </>
                    )}
                  </li>
                );
              })}
            </ul>
          )}
        </div>
        {drawn.length > 0 && (
          <div>
            <h4 className={classes.heading}>
              <span className={classes.swatch} aria-hidden="true" />
              {t("quiz.hotspot.zones")}
            </h4>
            <ZoneTexts zones={drawn} isHidden />
          </div>
        )}
      </div>
    </div>
  );
}
