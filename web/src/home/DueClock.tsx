import { nextWording } from "../dates/ahead";
import { useNow } from "../dates/useNow";

interface Props {
  dueDates: readonly string[];
  /** Called when the words about one of them change: it has passed, or a new day has begun. */
  onChange: () => void;
}

/** Follows due dates while they are shown. Renders nothing; loaded after the first screen. */
export default function DueClock({ dueDates, onChange }: Props) {
  useNow((now) => nextWording(dueDates, now), onChange);
  return null;
}
