import { signedIn } from "../api/session";
import { Shell } from "../shell/Shell";
import { NotFoundScreen } from "./NotFound";

/** The screen of a path that no route has. Signed in, it keeps the sidebar like any other screen. */
export default function UnknownPath() {
  if (!signedIn())
    return (
      <main>
        <NotFoundScreen />
      </main>
    );
  return (
    <Shell>
      <NotFoundScreen />
    </Shell>
  );
}
