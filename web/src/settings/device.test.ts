import { expect, test } from "vitest";
import { deviceName } from "./device";

const CHROME = "AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0";

test.each([
  [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${CHROME} Safari/537.36`, "Chrome, Windows"],
  [`Mozilla/5.0 (Windows NT 10.0) ${CHROME} YaBrowser/25.8 Safari/537.36`, "Яндекс Браузер, Windows"],
  [`Mozilla/5.0 (Windows NT 10.0) ${CHROME} Safari/537.36 Edg/140.0`, "Edge, Windows"],
  [`Mozilla/5.0 (Linux; Android 15; K) ${CHROME} Mobile Safari/537.36`, "Chrome, Android"],
  [`Mozilla/5.0 (X11; Linux x86_64) ${CHROME} Safari/537.36`, "Chrome, Linux"],
  ["Mozilla/5.0 (X11; Ubuntu; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0", "Firefox, Linux"],
  [
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15",
    "Safari, macOS",
  ],
  [
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1",
    "Safari, iPhone",
  ],
  ["curl/8.5.0", "curl"],
  ["node", "node"],
  ["  ", null],
])("%s is %s", (userAgent, name) => expect(deviceName(userAgent)).toBe(name));
