export function RecentPage() { return <h1 tabIndex={-1}>RecentPage</h1>; }
