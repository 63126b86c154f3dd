export function KeysPage() { return <h1 tabIndex={-1}>KeysPage</h1>; }
