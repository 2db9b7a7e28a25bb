import { sendFile, type UploadedFile, type UploadOptions } from "../api/upload";

export interface UploadedBlock {
  type: "image" | "video" | "audio" | "attachment";
  attrs: Record<string, unknown>;
}

/** Uploads a file and resolves with the block that shows it. The server detects the kind of file from its bytes. */
export async function uploadFile(file: File, options: UploadOptions): Promise<UploadedBlock> {
  const [size, uploaded] = await Promise.all([
    naturalSize(file),
    sendFile("/api/v1/courses/upload_file", file, options),
  ]);
  return blockOf(uploaded, size);
}

function blockOf(
  { url, filename, content_type, size }: UploadedFile,
  natural: Natural | null,
): UploadedBlock {
  const kind = content_type.split("/")[0];
  const naturals = { naturalWidth: natural?.width ?? null, naturalHeight: natural?.height ?? null };
  if (kind === "image") return { type: "image", attrs: { src: url, ...naturals } };
  if (kind === "video") return { type: "video", attrs: { src: url, ...naturals } };
  if (kind === "audio") return { type: "audio", attrs: { src: url } };
  return {
    type: "attachment",
    attrs: { src: url, filename: cut(filename), size, contentType: content_type },
  };
}

const cut = (name: string) => [...name].slice(0, 255).join("");

interface Natural {
  width: number;
  height: number;
}

/** Natural size of an image or video, which prevents layout shifts on the page; null when unknown. */
function naturalSize(file: File): Promise<Natural | null> {
  const kind = file.type.split("/")[0];
  if (kind !== "image" && kind !== "video") return Promise.resolve(null);
  const address = URL.createObjectURL(file);
  return new Promise<Natural | null>((resolve) => {
    const measured = (width: number, height: number) =>
      resolve(width > 0 && height > 0 ? { width: Math.round(width), height: Math.round(height) } : null);
    if (kind === "image") {
      const image = new Image();
      image.onload = () => measured(image.naturalWidth, image.naturalHeight);
      image.onerror = () => resolve(null);
      image.src = address;
    } else {
      const video = document.createElement("video");
      video.onloadedmetadata = () => measured(video.videoWidth, video.videoHeight);
      video.onerror = () => resolve(null);
      video.preload = "metadata";
      video.src = address;
    }
    setTimeout(() => resolve(null), 5000);
  }).finally(() => URL.revokeObjectURL(address));
}
