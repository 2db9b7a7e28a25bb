import { useState } from "react";
import { IconSearch } from "./icons";
import { TextField } from "./TextField";
import { useDebouncedCallback } from "./useDebouncedCallback";

interface Props {
  /**
   * A search field whose text is kept in the address. The typed text is local state, because the router updates later than the
   * next key: an input controlled by the router loses its caret and breaks input methods.
   */
  label: string;
  /** The search text in the address. */
  value: string;
  /** Writes the text into the address; called when typing pauses. */
  onSearch: (words: string) => void;
  className?: string | undefined;
}

const PAUSE_MS = 150;

/**
 * A search field whose words are kept in the address. What is typed is local state: the router answers later than the next key, and an
 * input controlled by it loses its caret and breaks input methods.
 */
export function SearchField({ label, value, onSearch, className }: Props) {
  const [typed, setTyped] = useState(value);
  const [known, setKnown] = useState(value);
  /** The text written into the address that the router has not returned yet. */
  const [sent, setSent] = useState<readonly string[]>([]);
  if (value !== known) {
    setKnown(value);
    const index = sent.indexOf(value);
    setSent(sent.slice(index + 1));
    // Something else changed the address: a link, or the back button.
    if (index < 0) setTyped(value);
  }
  const send = useDebouncedCallback((words: string) => {
    setSent((before) => [...before, words]);
    onSearch(words);
  }, PAUSE_MS);
  return (
    <TextField
      type="search"
      className={className}
      aria-label={label}
      placeholder={label}
      maxLength={255}
      startIcon={<IconSearch size={18} />}
      value={typed}
      onChange={(event) => {
        setTyped(event.currentTarget.value);
        send(event.currentTarget.value);
      }}
    />
  );
}
