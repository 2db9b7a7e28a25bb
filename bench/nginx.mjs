// Runs nginx with static files as the baseline: the throughput that the machine reaches when it only moves bytes. Configured with
// one worker per core, persistent connections and no log.
import { spawn } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Starts nginx with the files, an object of texts by name. Returns `url(name)` and `stop()`. */
export async function startNginx(files) {
  const folder = await mkdtemp(join(tmpdir(), "kurso-nginx-"));
  await mkdir(join(folder, "files"));
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, "files", name), text);
  const port = await freePort();
  const config = join(folder, "nginx.conf");
  await writeFile(
    config,
    `daemon off; worker_processes auto; pid ${folder}/pid; error_log stderr error;
${process.getuid() === 0 ? "user root;" : ""}
events { worker_connections 1024; }
http {
  access_log off; sendfile on; tcp_nopush on; keepalive_requests 100000000;
  client_body_temp_path ${folder}/body; proxy_temp_path ${folder}/proxy; fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi; scgi_temp_path ${folder}/scgi;
  open_file_cache max=100; default_type application/json;
  server { listen 127.0.0.1:${port}; root ${folder}/files; }
}
`,
  );
  const child = spawn("nginx", ["-c", config, "-e", "stderr"], { stdio: ["ignore", "ignore", "inherit"] });
  let ended = false;
  const exit = new Promise((done) => {
    child.once("error", (error) => done(error));
    child.once("exit", () => done(null));
  }).then((error) => {
    ended = true;
    return error;
  });
  const url = (name) => `http://127.0.0.1:${port}/${name}`;
  const [first] = Object.keys(files);
  for (let tries = 0; ; tries++) {
    if (ended || tries > 200) throw new Error("nginx did not start");
    try {
      const answer = await fetch(url(first));
      await answer.arrayBuffer();
      if (answer.ok) break;
    } catch {}
    await new Promise((done) => setTimeout(done, 25));
  }
  return {
    url,
    async stop() {
      child.kill("SIGTERM");
      await exit;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function freePort() {
  return new Promise((done, fail) => {
    const server = createServer();
    server.once("error", fail);
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => done(port));
    });
  });
}
