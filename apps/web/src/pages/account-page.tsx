export function AccountPage() { return <h1 tabIndex={-1}>AccountPage</h1>; }
