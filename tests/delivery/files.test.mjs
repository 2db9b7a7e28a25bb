// Checks of packaged files that no test runs: the container files refer to existing paths, settings and commands, and the unit's timeouts suffice.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { root } from "../../scripts/server.mjs";

const run = promisify(execFile);
const binary = resolve(root, process.env.KURSO_DIST_BINARY ?? "target/debug/kurso");
/** @param {string} name */
const text = (name) => readFile(join(root, name), "utf8");

/** The default settings. @param {string[]} args @returns {Promise<Map<string, string>>} */
async function settings(...args) {
  const { stdout } = await run(binary, ["config", "--json", ...args], { cwd: "/", env: {} });
  return new Map(JSON.parse(stdout).map((/** @type {any} */ one) => [one.name, one.value]));
}

/** The instructions of a Dockerfile, with their lines joined. @param {string} dockerfile */
function instructions(dockerfile) {
  const joined = dockerfile.replace(/^#.*\n/gm, "").replace(/\\\n\s*/g, "");
  return joined
    .split("\n")
    .filter(Boolean)
    .map((line) => {
      const [, name = "", rest = ""] = line.match(/^(\S+) (.*)$/) ?? [];
      return { name, rest };
    });
}

test("the Dockerfile refers to existing paths, settings and commands", async () => {
  const all = instructions(await text("Dockerfile"));
  const known = await settings();
  const stages = all.filter(({ name }) => name === "FROM").map(({ rest }) => rest.match(/ AS (\S+)$/)?.[1]);
  for (const { name, rest } of all) {
    if (name === "COPY") {
      const parts = rest.split(" ");
      const from = parts[0]?.match(/^--from=(.*)$/)?.[1];
      if (from) assert.ok(stages.includes(from), rest);
      else for (const path of parts.slice(0, -1)) assert.ok(existsSync(join(root, path)), rest);
    }
    if (name === "ENV")
      for (const [, variable = ""] of rest.matchAll(/KURSO_(\w+)=/g))
        assert.ok(known.has(variable.toLowerCase()), variable);
    if (name === "FROM") assert.match(rest, /^\S+:\S+/, "a version is named");
  }
  const last = (/** @type {string} */ wanted) => all.findLast(({ name }) => name === wanted)?.rest;
  assert.equal(last("USER"), "10001:10001");
  assert.equal(last("VOLUME"), "/var/lib/kurso");
  assert.equal(last("ENTRYPOINT"), '["kurso"]');
  // Its entry point and health check are commands of the binary.
  for (const command of ["serve", "health"]) await run(binary, [command, "--help"], { env: {} });
  assert.match(last("HEALTHCHECK") ?? "", / CMD \["kurso", "health"\]$/);
  assert.equal(last("CMD"), '["serve"]');
  // It uses the project's minimum toolchain.
  const rust = (await text("Cargo.toml")).match(/rust-version = "(.*)"/)?.[1];
  assert.ok(all.some(({ rest }) => rest.startsWith(`rust:${rust}-`)));
});

test("compose.yaml sets only existing settings", async () => {
  const compose = await text("compose.yaml");
  const known = await settings();
  const variables = [...compose.matchAll(/^ +KURSO_(\w+):/gm)].map(([, name = ""]) => name.toLowerCase());
  assert.deepEqual(variables, ["database_url_file", "public_url"]);
  for (const name of variables) assert.ok(known.has(name.replace(/_file$/, "")), name);
  const used = new Set([...compose.matchAll(/\/run\/secrets\/(\w+)/g)].map(([, name]) => name));
  for (const name of used) assert.match(compose, new RegExp(`^  ${name}:\\n    file: `, "m"));
});

test("stop timeouts exceed the server's longest shutdown", async () => {
  const known = await settings("--config", join(root, "packaging/kurso.toml"));
  const seconds = (/** @type {string | undefined} */ value) =>
    value === "off" ? 0 : Number(value?.match(/^(\d+)s$/)?.[1] ?? Number.NaN);
  const needed = seconds(known.get("drain")) + seconds(known.get("stop_timeout")) + 25;
  const unit = await text("packaging/kurso.service");
  assert.ok(Number(unit.match(/^TimeoutStopSec=(\d+)s$/m)?.[1]) > needed, `${needed} s`);
  assert.ok(
    Number((await text("compose.yaml")).match(/stop_grace_period: (\d+)s/)?.[1]) > needed,
    `${needed} s`,
  );
  assert.equal(known.get("data_dir"), "/var/lib/kurso");
  // The commented-out lines are settings too.
  const offered = [...(await text("packaging/kurso.toml")).matchAll(/^# (\w+) = /gm)].map(
    ([, name = ""]) => name,
  );
  assert.ok(offered.length > 5);
  for (const name of offered) assert.ok(known.has(name.replace(/_file$/, "")), name);
});
