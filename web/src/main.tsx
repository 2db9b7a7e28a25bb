import "./ui/fonts.css";
import "./ui/tokens.css";
import "./ui/base.css";
import "./ui/first.css";
import { ApolloProvider } from "@apollo/client/react";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode, startTransition } from "react";
import { createRoot } from "react-dom/client";
import { createClient } from "./api/client";
import { firstData } from "./api/firstData";
import { onSessionEnd } from "./api/session";
import { nameScreenLoadErrors } from "./errors/screenLoading";
import { startI18n } from "./i18n";
import { createAppRouter } from "./router";
import { ToasterHost } from "./ui/ToasterHost";
import { followOtherTabs } from "./ui/theme";
import { whenIdle } from "./ui/whenIdle";

/** Yields to the browser between long tasks, so that it can paint and handle input. */
const yieldToBrowser = () => new Promise<void>((done) => setTimeout(done));

nameScreenLoadErrors();
followOtherTabs();
await yieldToBrowser();
await startI18n();
await yieldToBrowser();
const client = createClient();
await yieldToBrowser();
const router = createAppRouter(client);

onSessionEnd(() => {
  void router.navigate({ to: "/login" });
  // The next account must not see cached data of this one.
  void client.clearStore();
});

// Screens render their own titles. The browser uses the first title element, so the one of index.html is removed.
const firstTitle = document.querySelector("title");
const stopWatching = router.subscribe("onRendered", () => {
  if (document.querySelectorAll("title").length < 2) return;
  firstTitle?.remove();
  stopWatching();
});

const root = document.getElementById("root");
if (!root) throw new Error("index.html has no #root");
// The skeleton of index.html stays until the first screen renders. The transition lets the browser handle input meanwhile.
await yieldToBrowser();
await router.load();
await firstData();
await yieldToBrowser();
startTransition(() => {
  createRoot(root).render(
    <StrictMode>
      <ApolloProvider client={client}>
        <RouterProvider router={router} />
        <ToasterHost />
      </ApolloProvider>
    </StrictMode>,
  );
});
// The font of code is loaded after the first screen, which must not share a slow connection with it. Until then code uses a system font.
whenIdle(() => void import("./ui/monoFont.css").catch(() => {}));
