import { defineConfig } from "@playwright/test";
import { headlessPath } from "../scripts/chromium.mjs";

// The worker processes inherit the seeds. With different seeds, the names of randomized tests would differ between processes.
process.env.KURSO_LOST_EDITS_SEED ??= String(Date.now() % 1_000_000);
process.env.KURSO_NETWORK_SEED ??= String(Date.now() % 1_000_000);

const projects = [
  { name: "tests", testMatch: "**/*.e2e.ts" },
  // `npm run screenshots` writes files and checks nothing, but needs the same server, browser and screens.
  {
    name: "screenshots",
    testMatch: "**/*.shots.ts",
    retries: 0,
    outputDir: "../target/screenshot-failures",
    use: { trace: "off" as const },
  },
];

export default defineConfig({
  testDir: "e2e",
  projects,
  outputDir: "../target/browser-tests",
  // One file per worker at a time. Files whose tests are independent and slow set `mode: "parallel"` for themselves. Three workers keep two
  // cores busy: tests wait for the network, for timers and for frames.
  workers: 3,
  // scripts/test.sh lists the tests that passed only on the second run. The second run leaves a trace: to record all runs takes two thirds
  // more time.
  retries: 1,
  // These limits only end a test that hangs. They are long because the tests check results, not speed, also on a busy machine.
  timeout: 120_000,
  expect: { timeout: 30_000 },
  use: {
    actionTimeout: 30_000,
    navigationTimeout: 30_000,
    trace: "on-first-retry",
    launchOptions: {
      executablePath: headlessPath(),
      args: [
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
      ],
    },
  },
});
