import { useRef } from "react";
import { Button } from "../ui/Button";
import { IconImage } from "../ui/laterIcons";

/** A button that opens the browser's file dialog for images. */
export function ChooseFile({ onChoose, children }: { onChoose: (file: File) => void; children: string }) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button variant="default" icon={<IconImage size={18} />} onClick={() => input.current?.click()}>
        {children}
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        accept="image/png,image/jpeg,image/webp,image/gif,image/avif"
        aria-label={children}
        onChange={(event) => {
          const file = event.currentTarget.files?.[0];
          // Without this, choosing the same file again fires no event.
          event.currentTarget.value = "";
          if (file) onChoose(file);
        }}
      />
    </>
  );
}
