export function OperatorPage() { return <h1 tabIndex={-1}>OperatorPage</h1>; }
