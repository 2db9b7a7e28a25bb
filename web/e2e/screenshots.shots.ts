import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { demoBook, rustBook } from "../../scripts/books.mjs";
import { graphql } from "../../scripts/client.mjs";
import { root } from "../../scripts/server.mjs";
import { applyTheme } from "./accessibility.ts";
import { type SampleData, test } from "./sample-data.ts";
import { screenshotScreens } from "./screens/index.ts";

// Writes every screen in both themes, at desktop and phone size, to shots/, which git ignores. The screenshots in the documents
// go to docs/screenshots/.
const shots = join(root, "shots");
const docs = join(root, "docs/screenshots");
const documented: Record<string, string> = {
  "view-page light desktop": "reading.png",
  "home dark desktop": "home-dark.png",
  "contents-open light phone": "contents-phone.png",
};

// Some screens show failures, which the app also reports on the console.
test.use({ book: rustBook ?? demoBook, checksConsole: false });

test.beforeAll(async ({ sample }) => {
  await mkdir(shots, { recursive: true });
  await mkdir(docs, { recursive: true });
  await addNamesAndSessions(sample);
});

for (const viewport of ["desktop", "phone"] as const)
  test.describe(viewport, () => {
    for (const screen of screenshotScreens)
      test(screen.name, async ({ openScreen }) => {
        const { page } = await openScreen(screen, { viewport, touch: viewport === "phone" });
        await page.evaluate(() => document.fonts.ready.then(() => undefined));
        for (const theme of ["light", "dark"] as const) {
          await applyTheme(page, theme);
          await page.screenshot({ path: join(shots, `${screen.name}-${viewport}-${theme}.png`) });
          const name = documented[`${screen.name} ${theme} ${viewport}`];
          if (name) await page.screenshot({ path: join(docs, name) });
        }
      });
  });

/** Gives the superuser a name, and replaces the sessions of the learner by sessions of real browsers. */
async function addNamesAndSessions({ server, learner, tokens }: SampleData): Promise<void> {
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
  const ownAgents = agents.join();
  const end = "mutation ($input: EndSessionInput!) { endSession(input: $input) { sessionId } }";
  for (const { id, device } of sessions.nodes as { id: string; device: string | null }[]) {
    if (!ownAgents.includes(device ?? "?"))
      await graphql(server.url, learner.token, end, { input: { sessionId: id } });
  }
}
