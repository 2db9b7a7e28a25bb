import { returnPath } from "../api/returnPath";
import { isGuest } from "../api/session";
import { doorOf } from "../guests/door";
import { withTexts } from "../i18n";
import { optional } from "../ui/optional";

const GuestWay = optional(() =>
  withTexts(import("../guests/GuestWay"), "join").then(({ GuestWay }) => GuestWay),
);

/** The part for guests below a form. Most people who sign in load nothing of it. */
export function GuestPart() {
  return (isGuest() || doorOf(returnPath()) !== null) && <GuestWay />;
}
