// What is done to a source with one button: pause, resume, read now.

import { html } from '../../../kernel/html/html.ts';
import { conflictNotice, versionOf } from '../../../kernel/web/forms.ts';
import { audited } from '../../../operators/audit-log.ts';
import { readLockedSource } from '../../sources/edit-source.ts';
import { changeSourceStatus, removeSourceById } from '../../sources/set-status.ts';
import type { AdminAnswer, AdminAsked, DeskContext } from '../admin-context.ts';
import { lastEditor } from '../audit-table.ts';
import { doneAfter } from '../done-notice.ts';
import { noSource, sourceNamed, sourcePage } from './source.ts';

export async function changeSource(
  context: DeskContext,
  asked: AdminAsked,
  status: 'active' | 'paused',
): Promise<AdminAnswer> {
  const { world, db, session, jobs } = context;
  const id = asked.params.id ?? '';
  const version = versionOf(asked.form);
  const action = status === 'active' ? 'resume' : 'pause';
  const outcome = await audited<'unknown' | 'stale' | 'done'>(
    world,
    db,
    session.name,
    async (tx) => {
      const source = await readLockedSource(tx, id);
      if (source === null) return { outcome: 'unknown', entry: null };
      if (source.version !== version) return { outcome: 'stale', entry: null };
      await changeSourceStatus(world, tx, id, status);
      const states = { before: { status: source.status }, after: { status } };
      const entry = { action, kind: 'source', subject: id, ...states, note: null } as const;
      return { outcome: 'done', entry };
    },
  );
  if (outcome === 'unknown') throw noSource(id);
  if (outcome === 'stale') return withConflict(context, asked);
  if (status === 'active') await jobs.readSoon(id);
  return doneAfter(context, null, `/admin/sources/${id}`, action);
}

/** Its items stay public. */
export async function removeSourceHere(
  context: DeskContext,
  request: AdminAsked,
): Promise<AdminAnswer> {
  const { world, db, session } = context;
  const id = request.params.id ?? '';
  const version = versionOf(request.form);
  const outcome = await audited<'unknown' | 'stale' | 'done'>(
    world,
    db,
    session.name,
    async (tx) => {
      const source = await readLockedSource(tx, id);
      if (source === null) return { outcome: 'unknown', entry: null };
      if (source.version !== version) return { outcome: 'stale', entry: null };
      await removeSourceById(world, tx, id);
      const { id: _id, ...before } = source.definition;
      const entry = {
        action: 'remove',
        kind: 'source',
        subject: id,
        before,
        after: {},
        note: null,
      };
      return { outcome: 'done', entry };
    },
  );
  if (outcome === 'unknown') throw noSource(id);
  if (outcome === 'stale') return withConflict(context, request);
  return doneAfter(context, null, '/admin/sources', 'removeSource');
}

async function withConflict(context: DeskContext, asked: AdminAsked): Promise<AdminAnswer> {
  const page = await sourcePage(context, asked);
  if (page.kind !== 'page') return page;
  const who = await lastEditor(context, 'source', asked.params.id ?? '');
  const notice = conflictNotice(context, [], who);
  const main = html`${notice}${page.main}`;
  return { ...page, status: 409, main };
}

/** Changes nothing of it, and so is not in the record: a worker reads it as soon as one is free. */
export async function readNow(context: DeskContext, asked: AdminAsked): Promise<AdminAnswer> {
  const { definition } = await sourceNamed(context, asked);
  await context.jobs.readSoon(definition.id);
  return doneAfter(context, null, `/admin/sources/${definition.id}`, 'read');
}
