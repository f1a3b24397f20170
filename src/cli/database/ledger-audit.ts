// `radar ledger audit`: prints the fifteen invariants, and at most a hundred violations of each.
// The command replays the entries after the latest checkpoint; `--full` replays the whole journal.
import { type AuditScope, auditLedger } from '../../gateway/wallet/integrity/audit-ledger.ts';
import { Fault } from '../../kernel/errors/fault.ts';
import type { App } from '../app.ts';

export async function printAudit(
  app: App,
  { isJson, scope }: { readonly isJson: boolean; readonly scope: AuditScope },
): Promise<void> {
  const { out } = app.terminal;
  const audit = await app.withApp(({ world, db, openRetention }) =>
    auditLedger(world, db, scope, undefined, openRetention().files),
  );
  if (isJson) out(`${JSON.stringify(audit, null, 2)}\n`);
  else {
    const entries = audit.entries === 1 ? '1 entry' : `${audit.entries} entries`;
    out(`${entries}, ${audit.sealed} of them sealed into the hash chain.\n`);
    if (audit.checkpoint > 0) {
      const start = `checkpoint ${audit.checkpoint}, after entry ${audit.startSeq}`;
      out(`The audit starts at ${start}; --full replays the whole journal.\n`);
    }
    for (const { number, promise, violations } of audit.invariants) {
      out(`${violations.length === 0 ? 'ok    ' : 'BROKEN'} ${number}. ${promise}\n`);
      for (const { subject, detail } of violations) out(`         ${subject}: ${detail}\n`);
    }
  }
  const brokenCount = audit.invariants.filter(({ violations }) => violations.length > 0).length;
  if (brokenCount > 0) {
    throw new Fault(
      'invalid_request',
      `The ledger is not consistent: ${brokenCount} of ${audit.invariants.length} invariants ` +
        'are broken.',
    );
  }
  if (!isJson) out('The ledger is consistent.\n');
}
