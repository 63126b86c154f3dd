/** How moments are put together. */
export const time = {
  moment: "{{day}} at {{clock}}",
} as const;
