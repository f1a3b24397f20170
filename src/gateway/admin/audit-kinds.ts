// Lists the kinds of objects in the audit log of the gateway's operators.
export const auditKinds = [
  'account',
  'key',
  'call',
  'top_up',
  'prices',
  'allowance',
  'capability',
  'provider',
  'voucher_batch',
  'invitation',
  'job',
  'ledger',
  'operator',
] as const;

export type GatewayAuditKind = (typeof auditKinds)[number];
