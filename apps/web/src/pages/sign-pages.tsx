export function SignInPage() { return <h1 tabIndex={-1}>in</h1>; }
export function SignUpPage() { return <h1 tabIndex={-1}>up</h1>; }
