// Kinds of objects in the audit log of the radar's operators.
export const auditKinds = [
  'source',
  'item',
  'story',
  'report',
  'model',
  'channel',
  'subscription',
  'delivery',
  'settings',
  'operator',
] as const;

export type RadarAuditKind = (typeof auditKinds)[number];
