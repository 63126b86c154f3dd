/** The tag and the description of all operations for administrators. */
export const operatorTag = "Operator";
export const forAdministrators = "For administrators only: `koma user admin <user>`.";
export const auditedOperation = `${forAdministrators} The audit log names the administrator.`;
