import "@mantine/core/styles/baseline.css";
import "@mantine/core/styles/default-css-variables.css";
import "@mantine/core/styles/global.css";
import "@mantine/core/styles/UnstyledButton.css";
import "@mantine/core/styles/ActionIcon.css";
import "@mantine/core/styles/Loader.css";
import "@mantine/core/styles/Button.css";
import "@mantine/core/styles/Input.css";
import "@mantine/core/styles/PasswordInput.css";
import "./ui/fonts.css";
import "./ui/tokens.css";
import "./ui/base.css";
import "./ui/first.css";
import { ApolloProvider } from "@apollo/client/react";
import { MantineProvider } from "@mantine/core";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode, startTransition } from "react";
import { createRoot } from "react-dom/client";
import { createClient } from "./api/client";
import { firstData } from "./api/firstData";
import { onSessionEnd } from "./api/session";
import { nameScreenLoadErrors } from "./errors/screenLoading";
import { startI18n } from "./i18n";
import { createAppRouter } from "./router";
import { Toaster } from "./ui/Toaster";
import { colorScheme, cssVariables, theme } from "./ui/theme";

/** To be read is one task, to run another: between them the browser paints what is there and hears who types. */
const breathe = () => new Promise<void>((done) => setTimeout(done));

nameScreenLoadErrors();
await breathe();
await startI18n();

const client = createClient();
const router = createAppRouter(client);

onSessionEnd(() => {
  void router.navigate({ to: "/login" });
  // Nothing of one account may be seen by the next.
  void client.clearStore();
});

// The screens render their own titles; beside one of theirs that of index.html, the first, would stay in charge.
const firstTitle = document.querySelector("title");
const stopWatching = router.subscribe("onRendered", () => {
  if (document.querySelectorAll("title").length < 2) return;
  firstTitle?.remove();
  stopWatching();
});

const root = document.getElementById("root");
if (!root) throw new Error("index.html has no #root");
// The outline of index.html stands until the first screen is there, which is drawn in parts between which the browser can breathe.
await router.load();
await firstData();
await breathe();
startTransition(() => {
  createRoot(root).render(
    <StrictMode>
      <MantineProvider
        theme={theme}
        cssVariablesResolver={cssVariables}
        colorSchemeManager={colorScheme}
        defaultColorScheme="light"
      >
        <ApolloProvider client={client}>
          <RouterProvider router={router} />
          <Toaster />
        </ApolloProvider>
      </MantineProvider>
    </StrictMode>,
  );
});
