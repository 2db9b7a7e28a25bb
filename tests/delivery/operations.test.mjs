// Runs every command of docs/operations.md as root on machines without Kurso, and checks the state after each section. The machines are copies of this one, or of
// the Debian in KURSO_CLEAN_ROOT.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { after, before, test } from "node:test";
import { promisify } from "node:util";
import { root } from "../../scripts/server.mjs";
import { Machine } from "./machine.mjs";
import { blocks } from "./page.mjs";

const run = promisify(execFile);
const clean = process.env.KURSO_CLEAN_ROOT;
const named = process.env.KURSO_DIST_BINARY;
const built = resolve(root, named ?? "target/debug/kurso");
const email = "you@school.example";
const learner = { email: "ann@school.example", password: "correct-horse-battery" };
const asKurso = "runuser -u kurso -- kurso --config /etc/kurso/kurso.toml";

const page = blocks(await readFile(join(root, "docs/operations.md"), "utf8"));
const handover = await mkdtemp(join(tmpdir(), "kurso-handover-"));
/** Strips the debug build, which is mostly debug information and is packed three times. */
const binary = named ? built : join(handover, "kurso");
/** @type {{ now: string, next: string }} the folders of what `make dist` makes */
const made = { now: join(handover, "now"), next: join(handover, "next") };
/** @type {Record<string, Machine>} */
const machines = {};
/** The superuser's printed password, a learner's token, and the URL of a file. */
let password = "";
let token = "";
let fileUrl = "";

/** What is true before a section, and after it. @type {Record<string, { before?: () => Promise<void>, after?: (said: string) => Promise<void> }>} */
const sections = {
  "On Debian": {
    before: () => giveAll(school(), made.now),
    async after(said) {
      password = said.match(/the password is (\S+) \(shown this once\)/)?.[1] ?? "";
      assert.equal((await signIn(school(), email, password)).status, 200);
      const signup = await school().ask("/api/v1/users/signup", { json: learner });
      assert.equal(signup.status, 200, signup.body);
      token = JSON.parse((await signIn(school(), learner.email, learner.password)).body).access_token;
      // The unit's sandbox must not block uploads or imports.
      const file = { name: "hello.txt", text: "Hello, school!" };
      const uploaded = await school().ask("/api/v1/courses/upload_file", { file, token });
      fileUrl = JSON.parse(uploaded.body).url;
      const course = { name: "questions.gift", text: "::Sum:: 2 + 2? {=4 ~5}\n" };
      const asked = { file: course, form: { preview: "false" }, token };
      const begun = JSON.parse((await school().ask("/api/v1/courses/import", asked)).body);
      let job = begun;
      for (let tries = 0; tries < 60 && ["waiting", "running"].includes(job.state); tries += 1) {
        await new Promise((done) => setTimeout(done, 250));
        job = JSON.parse((await school().ask(`/api/v1/courses/import/${begun.id}`, { token })).body);
      }
      assert.equal(job.state, "done", JSON.stringify(job));
      const facts = await school().run(`
        pid=$(systemctl show --property MainPID --value kurso)
        stat --format '%U' /proc/$pid
        grep -E '^(CapBnd|NoNewPrivs|Seccomp):' /proc/$pid/status
        stat --format '%A %U %G' /etc/kurso/kurso.toml /var/lib/kurso /var/lib/kurso/secret.key /var/backups/kurso
        systemctl is-enabled kurso
        ls /usr/share/man/man1/kurso.1.gz /usr/share/man/man1/kurso-backup.1.gz
        bash -c '
            source /usr/share/bash-completion/completions/kurso
            COMP_WORDS=(kurso bac) COMP_CWORD=1
            _kurso kurso bac kurso
            echo "\${COMPREPLY[@]}"'
        journalctl --unit kurso | grep -ci password || true`);
      assert.deepEqual(facts.trim().split("\n"), [
        "kurso",
        ...["CapBnd:\t0000000000000000", "NoNewPrivs:\t1", "Seccomp:\t2"],
        "-rw-r----- root kurso",
        "drwxr-x--- kurso kurso",
        "-rw------- kurso kurso",
        "drwx------ kurso kurso",
        "enabled",
        "/usr/share/man/man1/kurso-backup.1.gz",
        "/usr/share/man/man1/kurso.1.gz",
        "backup",
        "0",
      ]);
      // The security rating of the unit, as stated in the document.
      await school().run("systemd-analyze verify --man=no kurso.service");
      const mark = await school().run(
        "systemd-analyze security --no-pager --offline=true /lib/systemd/system/kurso.service | tail -n 1",
      );
      assert.match(mark, /exposure level for kurso.service: 1\.2 OK/);
      // It restarts after being killed and exits cleanly on SIGTERM.
      await school().run(`
        kill -9 "$(systemctl show --property MainPID --value kurso)"
        kurso health --wait 30s
        systemctl stop kurso
        test "$(systemctl show --property Result --value kurso)" = success
        systemctl start kurso
        kurso health --wait 30s`);
    },
  },
  Elsewhere: {
    before: () => giveAll(other(), made.now),
    async after() {
      assert.match(await other().run("kurso --version; systemctl is-enabled kurso"), /^kurso .*\nenabled\n$/);
    },
  },
  "Back up": {
    // The default interval, a day, is too long for a test.
    before: async () => void (await school().run("echo KURSO_BACKUP_EVERY=4s >/etc/default/kurso")),
    async after() {
      await school().run(`
        for try in $(seq 60); do
            if ls /var/backups/kurso/kurso-*.zip >/dev/null 2>&1; then break; fi
            sleep 0.5
        done
        ls /var/backups/kurso/kurso-*.zip
        rm /etc/default/kurso
        systemctl restart kurso
        kurso health --wait 30s`);
    },
  },
  Upgrade: {
    async before() {
      await school().run("rm ./kurso_*_amd64.deb; systemctl show --property MainPID kurso >before");
      await other().run("rm -r ./kurso-*");
      await Promise.all([giveAll(school(), made.next), giveAll(other(), made.next)]);
    },
    async after(said) {
      const facts = await school().run(`
        dpkg-query --show --showformat '\${Version}\\n' kurso
        systemctl show --property MainPID kurso | cmp -s - before || echo another process
        grep -c '^backup_dir' /etc/kurso/kurso.toml`);
      assert.equal(facts, `${next(await version())}\nanother process\n1\n`, said);
      assert.equal((await school().ask("/api/v1/users/me", { token })).status, 200);
    },
  },
  Recover: {
    async after(said) {
      // The key was restored, so the session is still valid.
      const me = await other().ask("/api/v1/users/me", { token });
      assert.equal(JSON.parse(me.body).email, learner.email, me.body);
      const file = await other().ask(fileUrl);
      assert.equal(file.body, "Hello, school!", `${file.status}`);
      const renewed = said.match(/the password is (\S+) \(shown this once\)/)?.[1] ?? "";
      assert.equal((await signIn(other(), email, renewed)).status, 200);
      assert.equal((await signIn(other(), email, password)).status, 400);
    },
  },
  Scale: {
    async after() {
      assert.match(await school().run(`${asKurso} config`), /database_url +postgres:/);
      assert.equal((await school().ask("/api/v1/users/me", { token })).status, 200);
    },
  },
};

const school = () => machine("school");
const other = () => machine("other");

/** @param {string} name */
function machine(name) {
  const found = machines[name];
  if (!found) throw new Error(`there is no machine ${name}`);
  return found;
}

/** Copies the packages into /root. @param {Machine} to @param {string} folder */
async function giveAll(to, folder) {
  for (const name of await readdir(folder)) await to.give(join(folder, name));
}

/** @param {Machine} on @param {string} username @param {string} secret */
const signIn = (on, username, secret) =>
  on.ask("/api/v1/login/access-token", { form: { username, password: secret } });

const version = async () => {
  const { stdout } = await run(binary, ["--version"]);
  return stdout.trim().replace("kurso ", "");
};
/** @param {string} of */
const next = (of) => of.replace(/\d+$/, (last) => String(Number(last) + 1));

/** @param {string} out @param {string} as */
const dist = (out, as) =>
  run(join(root, "scripts/dist.sh"), {
    env: {
      ...process.env,
      KURSO_DIST_BINARY: binary,
      KURSO_DIST_OUT: out,
      KURSO_DIST_VERSION: as,
      KURSO_DIST_QUICK: "1",
    },
  });

before(async () => {
  if (!named) await run("strip", ["-o", binary, built]);
  const now = await version();
  await Promise.all([dist(made.now, now), dist(made.next, next(now))]);
  const options = { base: clean ?? "/", handover, target: clean ? "multi-user.target" : "basic.target" };
  for (const name of ["school", "other"]) machines[name] = await Machine.boot(name, options);
  // A copy of this machine may already have the installed packages, and a policy, common in container images, that starts no services.
  const cleanUp = `
    dpkg --purge kurso || true
    userdel kurso || true
    rm -rf /var/lib/kurso /var/backups/kurso /etc/kurso /usr/sbin/policy-rc.d`;
  await Promise.all(Object.values(machines).map((one) => one.run(cleanUp)));
});

after(async () => {
  await Promise.all(Object.values(machines).map((one) => one.stop()));
  await rm(handover, { recursive: true, force: true });
});

test("every command block names its machine", () => {
  const known = ["school", "other", "school-of-many", "container"];
  for (const { machine: name, line } of page) assert.ok(known.includes(name), `line ${line}: sh ${name}`);
  const containers = page.filter(({ machine: name }) => name === "container");
  for (const { commands } of containers)
    for (const line of commands.split("\n")) assert.match(line, /^docker /, line);
});

for (const section of new Set(page.map((block) => block.section))) {
  // PostgreSQL comes from Debian packages, which a copy of this machine cannot download.
  const untried = clean ? ["container"] : ["container", "school-of-many"];
  const mine = page.filter((block) => block.section === section && !untried.includes(block.machine));
  if (section === "Remove" || mine.length === 0) continue;
  test(`docs/operations.md: ${section}`, async (t) => {
    await sections[section]?.before?.();
    let said = "";
    for (const { machine: name, commands, line } of mine) {
      t.diagnostic(`line ${line}, on ${name}`);
      said += await machine(name.replace("-of-many", "")).run(commands);
    }
    await sections[section]?.after?.(said);
  });
}

test("docs/operations.md: Remove", async () => {
  const [remove, purge] = page.filter(({ section }) => section === "Remove");
  await school().run(remove?.commands ?? "false");
  const kept = "ls -d /var/lib/kurso/kurso.db /etc/kurso/kurso.toml /var/backups/kurso/school.zip";
  assert.equal((await school().run(kept)).trim().split("\n").length, 3);
  await school().run("! systemctl is-active --quiet kurso && test ! -e /usr/bin/kurso");
  await school().run(purge?.commands ?? "false");
  await school().run(
    "test ! -e /var/lib/kurso && test ! -e /etc/kurso && test -e /var/backups/kurso/school.zip",
  );
});

test("the packages contain the expected files", async () => {
  assert.ok(existsSync(join(made.now, "SHA256SUMS")));
  const deb = join(made.now, `kurso_${await version()}_amd64.deb`);
  const { stdout } = await run("dpkg-deb", ["--contents", deb]);
  for (const line of stdout.trim().split("\n")) assert.match(line, /^\S+ root\/root /, line);
  const { stdout: licences } = await run(
    "bash",
    [
      "-c",
      `dpkg-deb --fsys-tarfile ${deb} | tar -xO ./usr/share/doc/kurso/third-party-licences.txt.gz | gunzip`,
    ],
    { maxBuffer: 32 << 20 },
  );
  for (const part of ["crate tokio ", "crate libsqlite3-sys ", "package react ", "package swagger-ui-dist "])
    assert.ok(licences.includes(part), part);
  const wanted = ["usr/bin/kurso", "etc/kurso/kurso.toml", "lib/systemd/system/kurso.service"];
  wanted.push("usr/share/zsh/vendor-completions/_kurso", "usr/share/fish/vendor_completions.d/kurso.fish");
  for (const path of wanted) assert.match(stdout, new RegExp(` \\./${path}$`, "m"));
  // Packaging again produces the same bytes.
  const again = join(handover, "again");
  await dist(again, await version());
  const sums = (/** @type {string} */ folder) => readFile(join(folder, "SHA256SUMS"), "utf8");
  assert.equal(await sums(again), await sums(made.now));
});
