const BROWSERS: [name: string, sign: RegExp][] = [
  ["Яндекс Браузер", /YaBrowser\//],
  ["Opera", /OPR\//],
  ["Edge", /Edg(e|A|iOS)?\//],
  ["Samsung Internet", /SamsungBrowser\//],
  ["Firefox", /Firefox\/|FxiOS\//],
  ["Chrome", /Chrome\/|CriOS\//],
  ["Safari", /Safari\//],
];
const SYSTEMS: [name: string, sign: RegExp][] = [
  ["iPhone", /iPhone/],
  ["iPad", /iPad/],
  ["Android", /Android/],
  ["Windows", /Windows/],
  ["ChromeOS", /CrOS/],
  ["macOS", /Macintosh|Mac OS X/],
  ["Linux", /Linux|X11/],
];

/**
 * A User-Agent in words: «Chrome, Windows». The order matters, for most browsers claim to be others too. Programs are called
 * what they call themselves; null when nothing was said.
 */
export function deviceName(userAgent: string): string | null {
  const said = userAgent.trim();
  if (said === "") return null;
  const first = (known: typeof BROWSERS) => known.find(([, sign]) => sign.test(said))?.[0];
  const parts = [first(BROWSERS), first(SYSTEMS)].filter((part) => part !== undefined);
  if (parts.length > 0) return parts.join(", ");
  return said.split(/[\s/]/)[0] || said;
}
