import { Button } from "@mantine/core";
import { useRef } from "react";
import { IconImage } from "../ui/icons";

/** A button that opens the browser's choice of a picture. */
export function ChooseFile({ onChoose, children }: { onChoose: (file: File) => void; children: string }) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button variant="default" leftSection={<IconImage size={18} />} onClick={() => input.current?.click()}>
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
          // The same file may be chosen again.
          event.currentTarget.value = "";
          if (file) onChoose(file);
        }}
      />
    </>
  );
}
