import type { ComponentType } from "react";
import { withTexts } from "../i18n";
import type { BankSearch } from "./filter";

interface ScreenProps {
  bankId: string;
  search: BankSearch;
}

/** Loads the screen of a bank, or the list of banks without an id. */
export async function loadScreen(
  bankId: string | undefined,
): Promise<{ Screen: ComponentType<ScreenProps> }> {
  if (bankId === undefined) {
    const { BanksScreen } = await withTexts(import("./BanksScreen"), "banks", "forms");
    return { Screen: BanksScreen };
  }
  const { BankScreen } = await withTexts(
    import("./BankScreen"),
    "banks",
    "dates",
    "editor",
    "forms",
    "quiz",
    "quizBuilder",
  );
  return { Screen: BankScreen };
}
