import { createDecipheriv, createECDH, hkdfSync, randomBytes } from "node:crypto";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { BrowserContext } from "@playwright/test";

/** A push service on this machine with one browser: browsers without a connection to their vendor cannot subscribe. */
export class PushService {
  readonly #browser = createECDH("prime256v1");
  readonly #auth = randomBytes(16);
  /** The decrypted messages. */
  readonly messages: string[] = [];

  private constructor(private readonly http: Server) {
    this.#browser.generateKeys();
  }

  static async start(): Promise<PushService> {
    const http = createServer();
    const service = new PushService(http);
    http.on("request", (request, response) => {
      const chunks: Buffer[] = [];
      request.on("data", (chunk: Buffer) => chunks.push(chunk));
      request.on("end", () => {
        service.messages.push(service.#decrypt(Buffer.concat(chunks)));
        response.writeHead(201).end();
      });
    });
    await new Promise<void>((done) => http.listen(0, "127.0.0.1", done));
    return service;
  }

  async stop(): Promise<void> {
    this.http.closeAllConnections();
    await new Promise((done) => this.http.close(done));
  }

  get endpoint(): string {
    return `http://127.0.0.1:${(this.http.address() as AddressInfo).port}/browser`;
  }

  /** Makes the pages of a context subscribe here, and allows this origin to show notices. */
  async serve(context: BrowserContext, origin: string): Promise<void> {
    await context.grantPermissions(["notifications"], { origin });
    await context.addInitScript(
      ({ endpoint, p256dh, auth }) => {
        const KEY = "subscribed to the push service of the test";
        const bytes = (text: string) => Uint8Array.from(atob(text), (char) => char.charCodeAt(0)).buffer;
        const subscription = {
          endpoint,
          options: { applicationServerKey: null },
          getKey: (name: string) => bytes(name === "auth" ? auth : p256dh),
          unsubscribe: async () => {
            localStorage.removeItem(KEY);
            return true;
          },
        } as unknown as PushSubscription;
        PushManager.prototype.subscribe = async () => {
          localStorage.setItem(KEY, "yes");
          return subscription;
        };
        PushManager.prototype.getSubscription = async () => (localStorage.getItem(KEY) ? subscription : null);
      },
      {
        endpoint: this.endpoint,
        p256dh: this.#browser.getPublicKey("base64"),
        auth: this.#auth.toString("base64"),
      },
    );
  }

  /** Decrypts a body in one record (RFC 8291). */
  #decrypt(body: Buffer): string {
    const salt = body.subarray(0, 16);
    const server = body.subarray(21, 86);
    const info = Buffer.concat([Buffer.from("WebPush: info\0"), this.#browser.getPublicKey(), server]);
    const secret = Buffer.from(hkdfSync("sha256", this.#browser.computeSecret(server), this.#auth, info, 32));
    const key = hkdfSync("sha256", secret, salt, "Content-Encoding: aes128gcm\0", 16);
    const nonce = hkdfSync("sha256", secret, salt, "Content-Encoding: nonce\0", 12);
    const decipher = createDecipheriv("aes-128-gcm", Buffer.from(key), Buffer.from(nonce));
    decipher.setAuthTag(body.subarray(-16));
    const padded = Buffer.concat([decipher.update(body.subarray(86, -16)), decipher.final()]);
    return padded.subarray(0, -1).toString();
  }
}
