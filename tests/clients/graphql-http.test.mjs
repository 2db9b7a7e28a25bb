// GraphQL over HTTP as the specification's own people judge it: every audit of their package is a test here. What it calls a
// notice or a warning fails as well.
import { equal } from "node:assert/strict";
import { after, before, test } from "node:test";
import { serverAudits } from "graphql-http";
import { Server } from "../../scripts/server.mjs";

/** How many there are in the version of package.json: one that is skipped shows. */
const COUNT = 61;

let server;
before(async () => {
  server = await Server.start();
});
after(() => server.stop());

const audits = serverAudits({ url: () => `${server.url}/graphql` });

test("the audits are all there", () => equal(audits.length, COUNT));

for (const { id, name, fn } of audits) {
  test(`${id} ${name}`, async () => {
    const { status, reason } = await fn();
    equal(status, "ok", reason);
  });
}
