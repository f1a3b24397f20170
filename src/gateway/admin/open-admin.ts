// Opens the operators' pages at `/admin` on the gateway's port. The kernel's operator area handles
// sign-in, sessions and forms.

import type { ClientResolver } from '../../kernel/client-address/client-address.ts';
import type { FormHandler } from '../../kernel/web/form-handler.ts';
import { openFormAssets } from '../../kernel/web/form-page.ts';
import type { Language } from '../../kernel/web/language.ts';
import { openOperatorArea } from '../../kernel/web/operator-area.ts';
import type { FieldTexts } from '../../kernel/web/saved-form.ts';
import { handleOperatorRoute } from '../../operators/handle-operator-route.ts';
import { operatorFieldTexts } from '../../operators/pages/messages.ts';
import { SESSION_MS } from '../../operators/sessions.ts';
import type { GatewayAdminDeps } from './admin-context.ts';
import { renderAdminPage } from './layout.ts';
import { adminMessages } from './messages/admin.ts';
import { adminRoutes } from './routes.ts';

export function openAdmin(deps: GatewayAdminDeps, clients: ClientResolver): FormHandler {
  const assets = openFormAssets({
    'copy.js': new URL('../../kernel/html/assets/copy.js', import.meta.url),
    'admin.css': new URL('assets/admin.css', import.meta.url),
  });
  const { world, site, sessions } = deps;
  const area = { ...deps, assets };
  const messages = adminMessages(site.language);
  const handle = openOperatorArea({
    world,
    clients,
    sessions,
    path: '/admin',
    networks: deps.networks,
    sessionMs: SESSION_MS,
    layout: area,
    messages,
    siteUrl: deps.areaUrl ?? (() => site.url),
    fieldTexts: fieldTexts(site.language),
    cookies: { session: 'gateway_admin', visitor: 'gateway_visitor' },
    signInPage: {
      label: `${site.name} · ${messages.areaName}`,
      back: { href: '/console', label: messages.toConsole },
    },
    handle: (session, request) => {
      const formToken = sessions.formToken({ kind: 'session', id: session.id });
      const context = { ...area, session, formToken };
      return handleOperatorRoute(adminRoutes, context, request, renderAdminPage);
    },
  });
  return { assets: assets.all, handle };
}

/** Names of the fields of money, prices, invitations and operators. */
function fieldTexts(language: Language): FieldTexts {
  const messages = adminMessages(language);
  const { labels, choices } = operatorFieldTexts(language);
  return {
    labels: {
      ...labels,
      ...messages.skus,
      amount: messages.amountCny,
      kind: messages.creditKind,
      mode: messages.mode,
      reference: messages.reference,
      reason: messages.reason,
      note: messages.note,
      count: messages.batchFields.count,
      days: messages.voucherDays,
      starts: messages.starts,
    },
    choices: {
      ...choices,
      kind: messages.creditKinds,
      mode: { live: messages.live, test: messages.test },
    },
  };
}
