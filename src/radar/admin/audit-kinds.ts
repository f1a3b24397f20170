// What operators of the radar change, as the record names it.
export const auditKinds = ['source', 'item', 'story', 'report', 'model'] as const;

export type AuditKind = (typeof auditKinds)[number];
