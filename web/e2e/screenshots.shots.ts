import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, test } from "vitest";
import { demoBook, rustBook } from "../../scripts/books.mjs";
import { graphql } from "../../scripts/client.mjs";
import { root, Server } from "../../scripts/server.mjs";
import { wear, withBrowser } from "./browser.ts";
import { photographed } from "./screens.ts";
import { type Stage, setStage, show } from "./stage.ts";

// Every screen in both themes, on a desk and on a phone, goes into shots/, which is not kept; the few that the documents show go into
// docs/screenshots/.
const shots = join(root, "shots");
const kept = join(root, "docs/screenshots");
const documented: Record<string, string> = {
  "view-page light desk": "reading.png",
  "home dark desk": "home-dark.png",
  "contents-open light phone": "contents-phone.png",
};

let stage: Stage;

// What went wrong may be what is photographed.
withBrowser({ asksConsole: false });
beforeAll(async () => {
  await mkdir(shots, { recursive: true });
  await mkdir(kept, { recursive: true });
  stage = await setStage(await Server.start(), rustBook ?? demoBook);
  await asPeopleDo(stage);
});
afterAll(() => stage?.server.stop());

describe.each(["desk", "phone"] as const)("%s", (size) => {
  test.each(photographed)("$name", async (screen) => {
    const { page } = await show(screen, stage, size, { touch: size === "phone" });
    await page.evaluate(() => document.fonts.ready.then(() => undefined));
    for (const theme of ["light", "dark"] as const) {
      await wear(page, theme);
      await page.screenshot({ path: join(shots, `${screen.name}-${size}-${theme}.png`) });
      const name = documented[`${screen.name} ${theme} ${size}`];
      if (name) await page.screenshot({ path: join(kept, name) });
    }
  });
});

/** The administrator has a name, and the learner signs in with a browser, as people have and do. */
async function asPeopleDo({ server, learner, tokens }: Stage): Promise<void> {
  const rename = "mutation ($input: UpdateMeInput!) { updateMe(input: $input) { user { id } } }";
  await graphql(server.url, tokens.superuser, rename, { input: { fullName: "Орлова Елена Викторовна" } });
  const agents = [
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1",
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/139.0.0.0 Safari/537.36",
  ];
  for (const agent of agents) {
    const answer = await fetch(`${server.url}/api/v1/login/access-token`, {
      method: "POST",
      headers: { "user-agent": agent },
      body: new URLSearchParams({ username: learner.email, password: learner.password }),
    });
    tokens.learner = ((await answer.json()) as { access_token: string }).access_token;
  }
  learner.token = tokens.learner;
  const { sessions } = await graphql(
    server.url,
    learner.token,
    "{ sessions(first: 9) { nodes { id device } } }",
    {},
  );
  const ownOnes = agents.join();
  const end = "mutation ($input: EndSessionInput!) { endSession(input: $input) { sessionId } }";
  for (const { id, device } of sessions.nodes as { id: string; device: string | null }[]) {
    if (!ownOnes.includes(device ?? "?"))
      await graphql(server.url, learner.token, end, { input: { sessionId: id } });
  }
}
