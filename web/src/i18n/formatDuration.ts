/** A duration of seconds in its two largest units, as short as the language has them: «7,5 с», «1 мин 20 с», «1 ч 5 мин». */
export function formatDuration(seconds: number, language: string): string {
  const part = (value: number, unit: "hour" | "minute" | "second") =>
    value.toLocaleString(language, { style: "unit", unit, unitDisplay: "short", maximumFractionDigits: 1 });
  if (seconds < 10) return part(seconds, "second");
  const whole = Math.round(seconds);
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const parts = hours > 0 ? [part(hours, "hour")] : [];
  if (minutes > 0) parts.push(part(minutes, "minute"));
  if (hours === 0 && rest > 0) parts.push(part(rest, "second"));
  return parts.join(" ");
}
