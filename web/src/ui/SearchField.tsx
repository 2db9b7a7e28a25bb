import { type KeyboardEventHandler, useState } from "react";
import { IconSearch } from "./icons";
import { TextField } from "./TextField";
import { useDebouncedCallback } from "./useDebouncedCallback";

interface Props {
  label: string;
  /** The current search text, usually from the address. */
  value: string;
  /** Receives the typed text when typing pauses. */
  onSearch: (words: string) => void;
  onKeyDown?: KeyboardEventHandler;
  className?: string | undefined;
  /** Takes the focus when its dialog opens. */
  "data-autofocus"?: boolean;
}

const PAUSE_MS = 150;

/**
 * A search field. The typed text is local state, because the router updates the address later than the next key: an input that
 * the address controls loses its caret and breaks input methods.
 */
export function SearchField({ label, value, onSearch, ...field }: Props) {
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
      {...field}
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
