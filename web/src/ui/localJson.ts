/** JSON on this device. Its storage may be full or forbidden: then nothing is stored, and nothing is found. */

export type JsonObject = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The value of a key; null without one, and for one that cannot be read. */
export function readJson(key: string): unknown {
  try {
    return JSON.parse(localStorage.getItem(key) ?? "null");
  } catch {
    return null;
  }
}

/** Stores a value. Returns false when the storage is full or forbidden. */
export function keepJson(key: string, value: unknown): boolean {
  try {
    localStorage.setItem(key, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}

export function forgetJson(key: string): void {
  try {
    localStorage.removeItem(key);
  } catch {
    // A forbidden storage has nothing to delete.
  }
}

export function keysWith(prefix: string): string[] {
  try {
    return Object.keys(localStorage).filter((key) => key.startsWith(prefix));
  } catch {
    return [];
  }
}

/** Deletes the oldest values whose keys have the prefix, until `kept` are left. The field `time` of a value tells its age, in milliseconds. */
export function forgetOldest(prefix: string, kept: number, time: string): void {
  const timeOf = (key: string) => {
    const value = readJson(key);
    return Number(isObject(value) ? value[time] : 0) || 0;
  };
  const keys = keysWith(prefix);
  if (keys.length <= kept) return;
  const ages = keys.map((key) => ({ key, at: timeOf(key) })).sort((one, other) => one.at - other.at);
  for (const { key } of ages.slice(0, keys.length - kept)) forgetJson(key);
}
