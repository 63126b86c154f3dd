export function RankingsPage() { return <h1 tabIndex={-1}>RankingsPage</h1>; }
