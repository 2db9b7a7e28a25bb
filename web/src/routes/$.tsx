import { createFileRoute } from "@tanstack/react-router";
import { signedIn } from "../api/session";
import { NotFoundScreen } from "../errors/NotFound";
import { Shell } from "../shell/Shell";

/** Every address without a screen: signed-in people keep their layout, visitors see the screen alone. */
export const Route = createFileRoute("/$")({
  component: () =>
    signedIn() ? (
      <Shell>
        <NotFoundScreen />
      </Shell>
    ) : (
      <main>
        <NotFoundScreen />
      </main>
    ),
});
