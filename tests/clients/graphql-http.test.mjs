// Runs every audit of the package graphql-http, by the authors of the GraphQL over HTTP specification, as a test. Notices and warnings fail too.
import { equal } from "node:assert/strict";
import { after, before, test } from "node:test";
import { serverAudits } from "graphql-http";
import { Server } from "../../scripts/server.mjs";

/** The number of audits in the version of package.json, so that a skipped audit is noticed. */
const COUNT = 61;

let server;
before(async () => {
  server = await Server.start();
});
after(() => server.stop());

const audits = serverAudits({ url: () => `${server.url}/graphql` });

test("all audits are present", () => equal(audits.length, COUNT));

for (const { id, name, fn } of audits) {
  test(`${id} ${name}`, async () => {
    const { status, reason } = await fn();
    equal(status, "ok", reason);
  });
}
