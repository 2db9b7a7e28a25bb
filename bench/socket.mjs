// Minimal WebSocket client for benchmarks: unfragmented text frames of less than 64 KiB. The sockets of a library would need
// more resources than the measured server.
import { randomBytes } from "node:crypto";
import { connect } from "node:net";

/**
 * Opens a graphql-transport-ws socket with the token; resolves to the socket after `connection_ack`. `hear` gets the messages.
 * @param {string} base @param {string} token @param {(message: any) => void} hear
 */
export function live(base, token, hear) {
  const { hostname, port, host } = new URL(base);
  return new Promise((resolve, reject) => {
    const stream = connect(Number(port), hostname);
    let waiting = Buffer.alloc(0);
    let opened = false;
    const socket = {
      say: (message) => stream.write(frame(1, Buffer.from(JSON.stringify(message)))),
      end: () => stream.destroy(),
      closed: false,
    };
    stream.on("error", reject);
    stream.on("close", () => {
      socket.closed = true;
    });
    stream.on("connect", () => {
      const key = randomBytes(16).toString("base64");
      stream.write(
        `GET /graphql HTTP/1.1\r\nHost: ${host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
          `Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${key}\r\nSec-WebSocket-Protocol: graphql-transport-ws\r\n\r\n`,
      );
    });
    stream.on("data", (chunk) => {
      waiting = waiting.length ? Buffer.concat([waiting, chunk]) : chunk;
      if (!opened) {
        const end = waiting.indexOf("\r\n\r\n");
        if (end < 0) return;
        if (!waiting.subarray(0, end).toString().startsWith("HTTP/1.1 101")) {
          return reject(new Error(waiting.toString()));
        }
        waiting = waiting.subarray(end + 4);
        opened = true;
        socket.say({ type: "connection_init", payload: { token } });
      }
      for (;;) {
        const whole = unframe(waiting);
        if (!whole) return;
        waiting = waiting.subarray(whole.length);
        if (whole.opcode === 9) stream.write(frame(10, whole.payload));
        if (whole.opcode === 8) return stream.end();
        if (whole.opcode !== 1) continue;
        const message = JSON.parse(whole.payload.toString());
        if (message.type === "connection_ack") resolve(socket);
        else hear(message);
      }
    });
  });
}

/** A client frame, masked as the protocol requires. */
function frame(opcode, payload) {
  const head = payload.length < 126 ? 2 : 4;
  const bytes = Buffer.alloc(head + 4 + payload.length);
  bytes[0] = 0x80 | opcode;
  bytes[1] = 0x80 | (head === 2 ? payload.length : 126);
  if (head === 4) bytes.writeUInt16BE(payload.length, 2);
  // The mask is zero, so the payload stays as it is.
  payload.copy(bytes, head + 4);
  return bytes;
}

function unframe(bytes) {
  if (bytes.length < 2) return undefined;
  let [head, size] = [2, bytes[1] & 0x7f];
  if (size === 126) {
    if (bytes.length < 4) return undefined;
    [head, size] = [4, bytes.readUInt16BE(2)];
  }
  if (bytes.length < head + size) return undefined;
  return { opcode: bytes[0] & 0x0f, payload: bytes.subarray(head, head + size), length: head + size };
}
