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
 * Describes a User-Agent header: «Chrome, Windows». The order of the patterns matters, because most browsers also claim to be
 * other browsers. Other programs keep the name they send. Returns null for an empty header.
 */
export function deviceName(userAgent: string): string | null {
  const product = userAgent.trim();
  if (product === "") return null;
  const first = (known: typeof BROWSERS) => known.find(([, sign]) => sign.test(product))?.[0];
  const parts = [first(BROWSERS), first(SYSTEMS)].filter((part) => part !== undefined);
  if (parts.length > 0) return parts.join(", ");
  return product.split(/[\s/]/)[0] || product;
}
