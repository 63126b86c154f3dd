export function HistoryPage() { return <h1 tabIndex={-1}>HistoryPage</h1>; }
