import { lazy, Suspense, useState } from "react";
import { returnPath } from "../api/returnPath";
import { signedIn } from "../api/session";
import { doorOf } from "../guests/door";
import { withTexts } from "../i18n";
import { comesFromPage } from "../public-page/comesFromPage";
import { LoginForm } from "./LoginForm";

const GuestStart = lazy(() =>
  withTexts(import("../guests/GuestStart"), "join").then(({ GuestStart }) => ({ default: GuestStart })),
);

/** The screen at /login. A visitor who has chosen on the page of a course to start without an account does not see the form. */
export function LoginScreen() {
  const [door, setDoor] = useState(doorAtOnce);
  if (!door) return <LoginForm />;
  return (
    <Suspense fallback={null}>
      <GuestStart door={door} onSignIn={() => setDoor(null)} />
    </Suspense>
  );
}

function doorAtOnce() {
  const door = doorOf(returnPath());
  // A link from elsewhere must not start anything by itself.
  if (!door || !("courseId" in door) || !door.isAtOnce || !comesFromPage(door.courseId)) return null;
  return signedIn() ? null : door;
}
