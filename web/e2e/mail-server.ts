import { createServer, type Server as NetServer, type Socket } from "node:net";

export interface Mail {
  from: string;
  to: string;
  /** The message as received: headers and body. */
  source: string;
  /** The decoded text of all parts. */
  text: string;
}

/** An SMTP server (RFC 5321) on loopback that accepts every mail and keeps it in memory. */
export class MailServer {
  readonly mails: Mail[] = [];
  #server: NetServer;
  #open = new Set<Socket>();

  private constructor() {
    this.#server = createServer((socket) => {
      this.#open.add(socket);
      socket.on("close", () => this.#open.delete(socket));
      // A client may close the connection at any time.
      socket.on("error", () => socket.destroy());
      this.#serve(socket);
    });
  }

  static async start(): Promise<MailServer> {
    const server = new MailServer();
    await new Promise<void>((done) => server.#server.listen(0, "127.0.0.1", done));
    return server;
  }

  /** The value for `KURSO_SMTP_URL`. */
  get url(): string {
    const address = this.#server.address();
    if (address === null || typeof address === "string") throw new Error("the mail server does not listen");
    return `smtp://127.0.0.1:${address.port}`;
  }

  async stop(): Promise<void> {
    for (const socket of this.#open) socket.destroy();
    await new Promise((done) => this.#server.close(done));
  }

  /** Waits for a mail to an address and returns the newest one. Ignores the first `seen` mails. */
  async waitFor(address: string, seen = 0): Promise<Mail> {
    for (let waited = 0; waited < 15_000; waited += 50) {
      const mail = this.mails.slice(seen).findLast(({ to }) => to === address);
      if (mail) return mail;
      await new Promise((done) => setTimeout(done, 50));
    }
    throw new Error(
      `no mail to ${address}; mails were sent to: ${this.mails.map(({ to }) => to).join(", ") || "nobody"}`,
    );
  }

  #serve(socket: Socket): void {
    let waiting = "";
    let data: string | null = null;
    let [from, to] = ["", ""];
    const reply = (line: string) => socket.write(`${line}\r\n`);
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
            this.mails.push({ from, to, source: data, text: decoded(data) });
            data = null;
            reply("250 accepted");
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

/** The headers and parts of a message, without their transfer encodings. */
function decoded(source: string): string {
  const parts = source.split(/\r\n--[^\r\n]+\r\n/);
  return parts
    .map((part) => {
      const [head = "", ...body] = part.split("\r\n\r\n");
      const content = body.join("\r\n\r\n");
      if (/encoding: base64/i.test(head)) return Buffer.from(content, "base64").toString("utf8");
      const bytes = /encoding: quoted-printable/i.test(head)
        ? content
            .replace(/=\r\n/g, "")
            .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
        : content;
      return Buffer.from(bytes, "latin1").toString("utf8");
    })
    .join("\n");
}

/** The first link to `path` in a mail, as a path on this server. */
export function linkIn({ text }: Mail, path: string): string {
  const found = new RegExp(`https?://[^\\s"<>]+(${path}[^\\s"<>]*)`).exec(text)?.[1];
  if (!found) throw new Error(`the mail has no link to ${path}:\n${text}`);
  return found.replaceAll("&amp;", "&");
}
