// Actions on a source with one button: pause, resume, remove, fetch now.

import { html } from '../../../kernel/html/html.ts';
import type { Db } from '../../../kernel/ports/db.ts';
import { renderConflictNotice, versionOf } from '../../../kernel/web/forms.ts';
import { type AuditEntry, withAudit } from '../../../operators/audit-log.ts';
import { readLockedSource } from '../../sources/edit-source.ts';
import { changeSourceStatus, removeSourceById } from '../../sources/set-status.ts';
import type { RadarAdminRequest, RadarAdminResponse, RadarPageContext } from '../admin-context.ts';
import { FETCH_ACTION, findLastEditor } from '../audit-table.ts';
import { confirmAction } from '../done-notice.ts';
import { noSourceFault, requireSource, sourcePage } from './source.ts';

export async function changeSource(
  context: RadarPageContext,
  request: RadarAdminRequest,
  status: 'active' | 'paused',
): Promise<RadarAdminResponse> {
  const { world, jobs } = context;
  const action = status === 'active' ? 'resume' : 'pause';
  return editLockedSource(context, request, {
    action,
    edit: async (tx, id, source) => {
      await changeSourceStatus(world, tx, id, status);
      return { before: { status: source.status }, after: { status } };
    },
    respond: async (id) => {
      if (status === 'active') await jobs.queueFetch(id);
      return confirmAction(context, null, `/admin/sources/${id}`, action);
    },
  });
}

/** Removes the source. Its items stay public. */
export function removeStoredSource(
  context: RadarPageContext,
  request: RadarAdminRequest,
): Promise<RadarAdminResponse> {
  return editLockedSource(context, request, {
    action: 'remove',
    edit: async (tx, id, { definition }) => {
      await removeSourceById(context.world, tx, id);
      const { id: _id, ...before } = definition;
      return { before, after: {} };
    },
    respond: async () =>
      isFromProgress(request)
        ? progressRedirect
        : confirmAction(context, null, '/admin/sources', 'removeSource'),
  });
}

type LockedSource = NonNullable<Awaited<ReturnType<typeof readLockedSource>>>;

type SourceEdit = {
  /** The action in the audit row. */
  readonly action: string;
  edit(tx: Db, id: string, source: LockedSource): Promise<Pick<AuditEntry, 'before' | 'after'>>;
  respond(id: string): Promise<RadarAdminResponse>;
};

/**
 * Writes the edit and its audit row in one transaction. The page's version must still be current.
 */
async function editLockedSource(
  context: RadarPageContext,
  request: RadarAdminRequest,
  { action, edit, respond }: SourceEdit,
): Promise<RadarAdminResponse> {
  const { world, db, session } = context;
  const id = request.params.id ?? '';
  const version = versionOf(request.form);
  const outcome = await withAudit<'unknown' | 'conflict' | 'done'>(
    world,
    db,
    session,
    async (tx) => {
      const source = await readLockedSource(tx, id);
      if (source === null) return { outcome: 'unknown', entry: null };
      if (source.version !== version) return { outcome: 'conflict', entry: null };
      const { before, after } = await edit(tx, id, source);
      const entry = { action, kind: 'source', subject: id, before, after, note: null };
      return { outcome: 'done', entry };
    },
  );
  if (outcome === 'unknown') throw noSourceFault(id);
  if (outcome === 'conflict') return renderConflict(context, request);
  return respond(id);
}

async function renderConflict(
  context: RadarPageContext,
  request: RadarAdminRequest,
): Promise<RadarAdminResponse> {
  const page = await sourcePage(context, request);
  if (page.kind !== 'page') return page;
  const editor = await findLastEditor(context, 'source', request.params.id ?? '');
  const notice = renderConflictNotice(context, [], editor);
  const main = html`${notice}${page.main}`;
  return { ...page, status: 409, main };
}

/** Queues a fetch for the next free worker. The audit row has no values, as nothing changes. */
export async function fetchNow(
  context: RadarPageContext,
  request: RadarAdminRequest,
): Promise<RadarAdminResponse> {
  const { world, db, session, jobs } = context;
  const { definition } = await requireSource(context, request);
  const { id: subject } = definition;
  await withAudit(world, db, session, async () => {
    await jobs.queueFetch(subject);
    const entry = {
      action: FETCH_ACTION,
      kind: 'source',
      subject,
      before: {},
      after: {},
      note: null,
    };
    return { outcome: null, entry };
  });
  return isFromProgress(request)
    ? progressRedirect
    : confirmAction(context, null, `/admin/sources/${subject}`, 'read');
}

/** True for a form of the progress page, which shows the effect without a notice. */
const isFromProgress = ({ form }: RadarAdminRequest): boolean => form.get('from') === 'progress';
const progressRedirect = { kind: 'moved', to: '/admin/setup/progress' } as const;
