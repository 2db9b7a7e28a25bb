export const reading = {
  untitledPage: "Page {{number}}",
  pages: "Neighbouring pages",
  previous: "Back",
  next: "Next",
};
