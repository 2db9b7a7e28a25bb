// An SMTP server (RFC 5321) on loopback for tests: it accepts every mail and keeps it in memory. Plain JavaScript, like server.mjs.
import { createServer } from "node:net";

/**
 * @typedef {object} Mail
 * @property {string} from
 * @property {string} to
 * @property {string} source The message as received: headers and body.
 * @property {string} text The decoded text of all parts.
 */

/**
 * What goes wrong when a message has arrived: a temporary refusal, or a connection that ends before the message is accepted or before the client is told.
 * @typedef {"refuse" | "lose" | "accept silently" | undefined} Fault
 */

export class MailServer {
  /** @type {Mail[]} */
  mails = [];
  #server;
  /** @type {Set<import("node:net").Socket>} */
  #open = new Set();
  #fault;

  /** @param {() => Fault} fault Called for each message. */
  constructor(fault) {
    this.#fault = fault;
    this.#server = createServer((socket) => {
      this.#open.add(socket);
      socket.on("close", () => this.#open.delete(socket));
      // A client may close the connection at any time.
      socket.on("error", () => socket.destroy());
      this.#serve(socket);
    });
  }

  /** @param {() => Fault} [fault] */
  static async start(fault = () => undefined) {
    const server = new MailServer(fault);
    await new Promise((done) => server.#server.listen(0, "127.0.0.1", () => done(undefined)));
    return server;
  }

  /** The value for `KURSO_SMTP_URL`. */
  get url() {
    const address = this.#server.address();
    if (address === null || typeof address === "string") throw new Error("the mail server does not listen");
    return `smtp://127.0.0.1:${address.port}`;
  }

  async stop() {
    for (const socket of this.#open) socket.destroy();
    await new Promise((done) => this.#server.close(done));
  }

  /**
   * Waits for a mail to an address and returns the newest one. Ignores the first `seen` mails.
   * @param {string} address @param {number} seen
   */
  async waitFor(address, seen = 0) {
    for (let waited = 0; waited < 15_000; waited += 50) {
      const mail = this.mails.slice(seen).findLast(({ to }) => to === address);
      if (mail) return mail;
      await new Promise((done) => setTimeout(done, 50));
    }
    throw new Error(
      `no mail to ${address}; mails were sent to: ${this.mails.map(({ to }) => to).join(", ") || "nobody"}`,
    );
  }

  /** @param {import("node:net").Socket} socket */
  #serve(socket) {
    let waiting = "";
    /** @type {string | null} */
    let data = null;
    let [from, to] = ["", ""];
    /** @param {string} line */
    const reply = (line) => socket.write(`${line}\r\n`);
    /** @param {string} source */
    const receive = (source) => {
      const fault = this.#fault();
      if (fault === "refuse") return reply("451 try again later");
      if (fault !== "lose") this.mails.push({ from, to, source, text: decoded(source) });
      if (fault) socket.destroy();
      else reply("250 accepted");
    };
    reply("220 loopback ESMTP");
    socket.on("data", (chunk) => {
      waiting += chunk.toString("latin1");
      for (;;) {
        const end = waiting.indexOf("\r\n");
        if (end < 0) return;
        const line = waiting.slice(0, end);
        waiting = waiting.slice(end + 2);
        if (data !== null) {
          if (line !== ".") data += `${line.replace(/^\./, "")}\r\n`;
          else {
            receive(data);
            data = null;
          }
          continue;
        }
        const address = () => /<([^>]*)>/.exec(line)?.[1] ?? "";
        switch (line.slice(0, 4).toUpperCase()) {
          case "MAIL":
            from = address();
            reply("250 ok");
            break;
          case "RCPT":
            to = address();
            reply("250 ok");
            break;
          case "DATA":
            data = "";
            reply("354 send the message");
            break;
          case "QUIT":
            reply("221 bye");
            socket.end();
            break;
          default:
            reply("250 loopback");
        }
      }
    });
  }
}

/** The headers and parts of a message, without their transfer encodings. @param {string} source */
function decoded(source) {
  const parts = source.split(/\r\n--[^\r\n]+\r\n/);
  return parts
    .map((part) => {
      const [head = "", ...body] = part.split("\r\n\r\n");
      const content = body.join("\r\n\r\n");
      if (/encoding: base64/i.test(head)) return Buffer.from(content, "base64").toString("utf8");
      const bytes = /encoding: quoted-printable/i.test(head)
        ? content
            .replace(/=\r\n/g, "")
            .replace(/=([0-9A-F]{2})/g, (_, /** @type {string} */ hex) =>
              String.fromCharCode(Number.parseInt(hex, 16)),
            )
        : content;
      return Buffer.from(bytes, "latin1").toString("utf8");
    })
    .join("\n");
}

/** The first link to `path` in a mail, as a path on this server. @param {Mail} mail @param {string} path */
export function linkIn({ text }, path) {
  const found = new RegExp(`https?://[^\\s"<>]+(${path}[^\\s"<>]*)`).exec(text)?.[1];
  if (!found) throw new Error(`the mail has no link to ${path}:\n${text}`);
  return found.replaceAll("&amp;", "&");
}
