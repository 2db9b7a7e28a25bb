import { useTranslation } from "../i18n/useTranslation";
import type { LayerTexts } from "./Layer";

/** The words of the marks of comments. */
export function useLayerTexts(): LayerTexts {
  const { t } = useTranslation();
  return {
    mark: (count, number) => t("comments.mark", { count, number }),
    add: (number, words) => t("comments.addTo", { number, words }),
    addTitle: t("comments.addKeys"),
    chosen: (number, words) => t("comments.chosen", { number, words }),
  };
}
