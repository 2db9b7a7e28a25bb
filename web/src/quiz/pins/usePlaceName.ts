import { useTranslation } from "../../i18n/useTranslation";
import type { AnswerFile } from "../files";
import { type Pin, textPlaceOf } from "./pins";
import { lengthOf, sliceOf } from "./places";

/** The most characters of a quote. */
const QUOTED = 120;

/** Names the place of a comment: the quoted text, shortened, or the picture. */
export function usePlaceName(text: string, files: readonly AnswerFile[]) {
  const { t } = useTranslation();
  return (pin: Pin): string => {
    const place = textPlaceOf(pin);
    if (place) {
      const quote = sliceOf(text, place.start, place.end);
      const isLong = lengthOf(quote) > QUOTED;
      return t("quiz.pins.quote", { text: isLong ? `${sliceOf(quote, 0, QUOTED).trimEnd()}…` : quote });
    }
    const name = files.find(({ id }) => id === pin.fileId)?.filename ?? "";
    return t("quiz.pins.onPicture", { name });
  };
}
