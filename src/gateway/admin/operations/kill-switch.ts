// Switches a capability or a provider off and on. The form shows the effect and requires a reason.
// Saving fails after a concurrent change.

import { Fault } from '../../../kernel/errors/fault.ts';
import { type Html, html } from '../../../kernel/html/html.ts';
import { renderConflictNotice, textOf, versionOf } from '../../../kernel/web/forms.ts';
import { withAudit } from '../../../operators/audit-log.ts';
import {
  listSwitches,
  type Switch,
  type SwitchKind,
  setSwitch,
} from '../../capabilities/switches.ts';
import { redirectWithNotice, renderActionPage, renderReasonField } from '../action-page.ts';
import type {
  GatewayAdminContext,
  GatewayAdminRequest,
  GatewayAdminResponse,
} from '../admin-context.ts';
import { adminMessages } from '../messages/admin.ts';
import { listCapabilities } from './providers.ts';

type SwitchTarget = {
  readonly kind: SwitchKind;
  readonly name: string;
  /** Null: the target was never switched. */
  readonly storedSwitch: Switch | null;
};

/** Throws a Fault unless the capability or provider exists, or existed when it was switched off. */
async function findSwitchTarget(
  context: GatewayAdminContext,
  query: URLSearchParams,
): Promise<SwitchTarget> {
  const kind = query.get('kind') === 'provider' ? 'provider' : 'capability';
  const name = query.get('name') ?? '';
  const listedCapabilities = await listCapabilities(context);
  const storedSwitch = (await listSwitches(context.db)).find(
    (killSwitch) => killSwitch.kind === kind && killSwitch.name === name,
  );
  const isKnown = listedCapabilities.some(({ id, providers }) =>
    kind === 'capability' ? id === name : providers.includes(name),
  );
  if (!isKnown && storedSwitch === undefined) {
    throw new Fault('not_found', `There is no ${kind} called ${name}.`);
  }
  return { kind, name, storedSwitch: storedSwitch ?? null };
}

export async function switchPage(
  context: GatewayAdminContext,
  request: GatewayAdminRequest,
): Promise<GatewayAdminResponse> {
  return renderSwitchForm(context, await findSwitchTarget(context, request.query), {});
}

function renderSwitchForm(
  context: GatewayAdminContext,
  { kind, name, storedSwitch }: SwitchTarget,
  { problem, reason = '', notice }: { problem?: string; reason?: string; notice?: Html },
): GatewayAdminResponse {
  const messages = adminMessages(context.site.language);
  const isOff = storedSwitch?.isOff ?? false;
  return renderActionPage(context, {
    title: isOff ? messages.switchOnOf(name) : messages.switchOffOf(name),
    section: 'providers',
    explains: isOff ? messages.switchOnAbout : messages.switchOffAbout[kind],
    action: `/admin/providers/switch?${String(new URLSearchParams({ kind, name }))}`,
    label: isOff ? messages.switchOn : messages.switchOff,
    isDanger: !isOff,
    back: '/admin/providers',
    version: storedSwitch?.version ?? 0,
    notice: notice ?? null,
    errors: problem === undefined ? {} : { reason: problem },
    fields: html`<input type="hidden" name="to" value="${isOff ? 'on' : 'off'}">\
${renderReasonField(context, reason, problem)}`,
  });
}

export async function toggleSwitch(
  context: GatewayAdminContext,
  request: GatewayAdminRequest,
): Promise<GatewayAdminResponse> {
  const { world, db, session, site } = context;
  const messages = adminMessages(site.language);
  const target = await findSwitchTarget(context, request.query);
  const { kind, name, storedSwitch } = target;
  const reason = textOf(request.form, 'reason');
  if (reason === null)
    return renderSwitchForm(context, target, { problem: messages.reasonMissing });
  const isOff = request.form.get('to') === 'off';
  const version = versionOf(request.form) ?? 0;
  const change = { kind, name, isOff, version, reason, actor: session.name };
  const isSwitched = await withAudit(world, db, session, async (tx) => {
    const outcome = await setSwitch(world, tx, change);
    const toState = (isSwitchedOff: boolean) => ({ state: isSwitchedOff ? 'off' : 'on' });
    const states = { before: toState(storedSwitch?.isOff ?? false), after: toState(isOff) };
    const action = isOff ? 'switch_off' : 'switch_on';
    const auditEntry = { action, kind, subject: name, ...states, note: reason };
    return { outcome, entry: outcome ? auditEntry : null };
  });
  if (isSwitched) return redirectWithNotice('/admin/providers', isOff ? 'switchOff' : 'switchOn');
  const currentTarget = await findSwitchTarget(context, request.query);
  const formatState = (isSwitchedOff: boolean) =>
    messages.switchStates[isSwitchedOff ? 'off' : 'on'];
  const isNowOff = currentTarget.storedSwitch?.isOff ?? false;
  const difference = {
    label: name,
    currentValue: formatState(isNowOff),
    formInput: formatState(isOff),
  };
  const notice = renderConflictNotice(
    context,
    [difference],
    currentTarget.storedSwitch?.actor ?? null,
  );
  return renderSwitchForm(context, currentTarget, { reason, notice });
}
