// `/admin` on the gateway's port, the desk of whoever runs it: its pages behind the door that all
// desks share, with the operators' one password.
import { failurePage, openDeskAssets } from '../../kernel/desk/desk-page.ts';
import { keptPage } from '../../kernel/desk/kept-form.ts';
import { matchRoute } from '../../kernel/desk/match-route.ts';
import { type DeskDoor, noSuchPage, notAllowed } from '../../kernel/desk/open-door.ts';
import {
  type DeskAnswer,
  type DeskAsked,
  openOperatorDesk,
} from '../../kernel/desk/operator-desk.ts';
import { operatorSignIn } from '../../kernel/desk/operator-sign-in.ts';
import { SESSION_MS } from '../../operators/sessions.ts';
import type { AdminContext, DeskContext } from './admin-context.ts';
import { framedDesk } from './frame.ts';
import { adminRoutes } from './routes.ts';
import { adminWords } from './words.ts';

/** `trustProxy`: networks of proxies whose forwarding headers are believed. */
export function openAdmin(given: AdminContext, trustProxy: readonly string[]): DeskDoor {
  const assets = openDeskAssets({
    'copy.js': new URL('../../kernel/html/assets/copy.js', import.meta.url),
    'admin.css': new URL('assets/admin.css', import.meta.url),
  });
  const { world, site, sessions } = given;
  const desk = { ...given, assets };
  const words = adminWords(site.language);
  const answer = openOperatorDesk({
    ...{ world, trustProxy, sessions, path: '/admin', sessionMs: SESSION_MS },
    siteUrl: () => site.url,
    cookies: { session: 'gateway_admin', visitor: 'gateway_visitor' },
    signInPage: (page) => {
      const back = { href: '/console', label: words.toConsole };
      const label = `${site.name} · ${words.desk}`;
      const formToken = sessions.formToken(page.visitor);
      return operatorSignIn(desk, { ...page, formToken, label, back }, words);
    },
    keptPage: (kept, formToken) => keptPage(desk, kept, { formToken, path: '/admin' }),
    failurePage: (failure) => failurePage(desk, failure, { href: '/admin', label: words.toDesk }),
    answer: (session, asked) =>
      answerRoute({ ...desk, session, formToken: sessions.formToken(session.id) }, asked),
  });
  return { assets: assets.all, answer };
}

async function answerRoute(
  context: DeskContext,
  { method, pathname, query, form }: DeskAsked,
): Promise<DeskAnswer> {
  const matched = matchRoute(adminRoutes, method, pathname);
  if (matched.kind === 'unknown') throw noSuchPage();
  if (matched.kind === 'method') throw notAllowed();
  const answer = await matched.route.answer(context, { params: matched.params, query, form });
  if (answer.kind === 'moved') return answer;
  return { kind: 'page', status: answer.status ?? 200, document: framedDesk(context, answer) };
}
