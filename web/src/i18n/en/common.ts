export const common = {
  appName: "Kurso",
  retry: "Try again",
  cancel: "Cancel",
  loading: "Loading…",
  skipToContent: "Skip to content",
};
