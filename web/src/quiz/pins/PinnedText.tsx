import { type ReactNode, useMemo } from "react";
import { Document } from "../../content/Document";
import { PlacesContext } from "../../content/places";
import { useTranslation } from "../../i18n/useTranslation";
import classes from "./Pins.module.css";
import { type NumberedPin, placeId, textPlaceOf } from "./pins";
import { markPlaces, type TextPlace } from "./places";

interface PinnedTextProps {
  content: unknown;
  pins: readonly NumberedPin[];
  /** Distinguishes the ids of this answer's places. */
  scope: string;
  /** The index of the pin whose place stands out; null for none. */
  active: number | null;
  /** Called with the index of the pin whose number was clicked. */
  onOpen: (index: number) => void;
  /** The place that a new comment would have. */
  chosen?: TextPlace | null;
}

/** The text of an answer with its commented places, each followed by the number of its comment. */
export function PinnedText({ content, pins, scope, active, onOpen, chosen = null }: PinnedTextProps) {
  const { t } = useTranslation();
  const inText = pins.filter(({ pin }) => textPlaceOf(pin) !== null);
  const placesKey = JSON.stringify([...inText.map(({ pin }) => textPlaceOf(pin)), chosen]);
  const marked = useMemo(() => {
    const places = (JSON.parse(placesKey) as (TextPlace | null)[]).filter((place) => place !== null);
    return markPlaces(content, places);
  }, [content, placesKey]);
  const draw = (attrs: Readonly<Record<string, unknown>>, text: ReactNode) => {
    const { at, length, inside, ending } = attrs as {
      at: number;
      length: number;
      inside: number[];
      ending: number[];
    };
    const Piece = inside.length > 0 ? "mark" : "span";
    return (
      <>
        <Piece
          data-at={at}
          data-length={length}
          className={inside.length > 0 ? classes.place : undefined}
          data-active={inside.some((one) => inText[one]?.index === active) || undefined}
          data-chosen={(chosen && inside.includes(inText.length)) || undefined}
        >
          {text}
        </Piece>
        {ending.map((one) => {
          const pinned = inText[one];
          return (
            pinned && (
              <button
                key={one}
                type="button"
                id={placeId(scope, pinned.index)}
                className={classes.number}
                data-active={pinned.index === active || undefined}
                aria-label={t("quiz.pins.number", { number: pinned.number })}
                onClick={() => onOpen(pinned.index)}
              >
                {pinned.number}
              </button>
            )
          );
        })}
      </>
    );
  };
  return (
    <PlacesContext value={draw}>
      <Document content={marked} atOnce />
    </PlacesContext>
  );
}
