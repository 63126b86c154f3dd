/** `1:02:03` or `2:03`, whole seconds. */
export function formatTime(seconds: number): string {
  const whole = Math.floor(seconds);
  const hours = Math.floor(whole / 3600);
  const minutes = Math.floor(whole / 60) % 60;
  const twoDigits = (value: number) => String(value).padStart(2, "0");
  return hours > 0
    ? `${hours}:${twoDigits(minutes)}:${twoDigits(whole % 60)}`
    : `${minutes}:${twoDigits(whole % 60)}`;
}

/** `1 video`, `2 videos`, `1,234 frames`. */
export function formatCount(count: number, noun: string): string {
  return `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;
}

/** `1.2 GB`, `1.2 MB`, `31 kB`. */
export function formatSize(bytes: number): string {
  if (bytes >= 1e9) return `${(bytes / 1e9).toFixed(1)} GB`;
  return bytes < 100_000 ? `${Math.round(bytes / 1000)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}

/** `Season 2, 3`, `OVA 2`, or `–` where both are unknown. */
export function formatEpisode(episode: { season: number | null; number: string | number | null }): string {
  const parts = [
    episode.season === null ? undefined : `season ${episode.season}`,
    episode.number === null ? undefined : `${episode.number}`,
  ];
  return parts.filter((part) => part !== undefined).join(", ") || "–";
}
