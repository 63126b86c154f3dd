/** What is left to search with. */
export const credits = {
  title: "Your searches",
  remaining_one: "You can make {{count, number}} more search right now.",
  remaining_other: "You can make {{count, number}} more searches right now.",
  none: "You have no searches left right now.",
  guest: "As a guest: {{remaining, number}} of {{limit, number}} left today",
  free: "Free today: {{remaining, number}} of {{limit, number}} left",
  purchased: "Purchased: {{count, number}}",
  hourly: "This hour: {{remaining, number}} of {{limit, number}} left",
  resets: "New free searches {{at, relative}} ({{at, moment}})",
  linkForMore: "With a free account you get more: {{command.link}}",
  cost: "One search costs one credit. Searches that fail are free.",
} as const;
