/** Rankings and recent searches on the web page. */
export const lists = {
  rankings: {
    title: "Most searched anime",
    period: "Period",
    daily: "Today",
    weekly: "7 days",
    monthly: "30 days",
    yearly: "365 days",
    all: "All time",
    range: "{{from, date}} to {{to, date}}",
    includeAdult: "Include anime for adults",
    rank: "Rank",
    anime: "Anime",
    searches: "Searches",
    count_one: "{{count, number}} search",
    count_other: "{{count, number}} searches",
    empty: "Nobody has found anything in this period yet.",
  },
  recent: {
    title: "Recently found",
    intro: "Scenes that people found and confirmed. Who searched, and with which picture, stays with them.",
    found: "Found {{at, relative}}",
    empty: "Nobody has confirmed a search yet. Be the first.",
  },
} as const;
