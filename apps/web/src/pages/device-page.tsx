export function DevicePage() { return <h1 tabIndex={-1}>DevicePage</h1>; }
