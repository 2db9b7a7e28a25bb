// The part of walk.ts about certificates.
import assert from "node:assert/strict";
import { test } from "node:test";
import * as kurso from "../../target/clients/sdk/index.js";
import { anonymous, course, learnerOf, ok, person, picture, refused } from "./client.js";

test("a certificate: design, claim, privacy, another name, revocation", async () => {
  const { client: owner } = await person();
  const { course_id, page_id } = await course(owner);
  const path = { course_id };
  assert.equal((await ok(kurso.coursesCertificateDesign({ client: owner, path }))).is_on, false);
  const body = { is_on: true, basis: "completion" as const, valid_months: 12, accent: "#1c6a52" };
  const design = await ok(kurso.coursesSetCertificateDesign({ client: owner, path, body }));
  assert.deepEqual([design.is_on, design.valid_months], [true, 12]);
  const query = { picture: "logo" as const };
  const file = { file: picture };
  const covered = await ok(kurso.coursesUploadCertificatePicture({ client: owner, path, query, body: file }));
  assert.ok(covered.logo_url);
  const bare = await ok(kurso.coursesRemoveCertificatePicture({ client: owner, path, query }));
  assert.equal(bare.logo_url, null);

  const { client } = await learnerOf(owner, course_id);
  const open = await ok(kurso.coursesMyCertificate({ client, path }));
  assert.deepEqual([open.state, open.pages_left], ["not_yet", 1]);
  await refused(kurso.coursesIssueCertificate({ client, path }), 409);
  await ok(kurso.coursesMarkPageVisited({ client, path: { page_id } }));
  const issued = await ok(kurso.coursesIssueCertificate({ client, path }));
  assert.deepEqual([issued.name, issued.state], ["Ann Example", "valid"]);
  const certificate = { certificate_id: issued.id };
  const badge = await ok(kurso.coursesCertificateBadge({ client, path: certificate }));
  assert.equal(badge.jwt.split(".").length, 3);
  await refused(kurso.coursesCertificateBadge({ client: owner, path: certificate }), 404);
  const visited = { client: anonymous, path: certificate };
  assert.equal((await ok(kurso.coursesPublicCertificate(visited))).name, "Ann Example");
  const hide = { is_name_shown: false };
  await ok(kurso.coursesSetCertificatePrivacy({ client, path: certificate, body: hide }));
  assert.equal((await ok(kurso.coursesPublicCertificate(visited))).name, null);

  await ok(kurso.usersUpdateUserMe({ client, body: { full_name: "Ann Other" } }));
  const again = await ok(kurso.coursesReissueCertificate({ client, path: certificate }));
  assert.deepEqual([again.name, again.awarded_at], ["Ann Other", issued.awarded_at]);
  const own = await ok(kurso.coursesMyCertificates({ client }));
  assert.deepEqual([own.count, own.data[1]?.replaced_by], [2, again.id]);
  const latest = { client: owner, path: { certificate_id: again.id } };
  const revoked = await ok(kurso.coursesRevokeCertificate({ ...latest, body: { reason: "A mistake" } }));
  assert.deepEqual([revoked.state, revoked.holder.full_name], ["revoked", "Ann Other"]);
  const listed = await ok(kurso.coursesCertificates({ client: owner, path, query: { search: "other" } }));
  assert.equal(listed.data[0]?.revoke_reason, "A mistake");
  assert.equal((await ok(kurso.coursesRestoreCertificate(latest))).state, "valid");
});
