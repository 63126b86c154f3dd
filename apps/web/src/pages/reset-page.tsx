export function ResetPage() { return <h1 tabIndex={-1}>ResetPage</h1>; }
