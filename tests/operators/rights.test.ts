// Tests the rights of operators: requests every route of both admin areas for every role and
// without a session. A route that is not in the table below fails the test.
import { describe, expect, test } from 'vitest';
import { adminRoutes as gatewayRoutes } from '../../src/gateway/admin/routes.ts';
import { matchRoute, type RoutePattern } from '../../src/kernel/web/match-route.ts';
import { type OperatorRole, operatorRoles } from '../../src/operators/roles.ts';
import { adminRoutes as radarRoutes } from '../../src/radar/admin/routes.ts';
import { openTestAdmin as openRadarAdmin } from '../admin/admin-session.ts';
import type { Browser } from '../support/form-browser.ts';
import { openTestAdmin as openGatewayAdmin } from './test-admin.ts';

type DeclaredRights = Readonly<Record<string, readonly string[]>>;

const roles: Readonly<Record<string, readonly OperatorRole[]>> = {
  sign_in: ['owner', 'editor', 'treasurer', 'support', 'auditor'],
  read_operators: ['owner', 'auditor'],
  manage_operators: ['owner'],
  delete_accounts: ['owner'],
  read_radar: ['owner', 'editor', 'auditor'],
  edit_radar: ['owner', 'editor'],
  configure: ['owner'],
  read_gateway: ['owner', 'treasurer', 'support', 'auditor'],
  operate_gateway: ['owner', 'support'],
  move_money: ['owner', 'treasurer'],
};

const sharedRights: DeclaredRights = {
  read_operators: ['GET /admin/operators'],
  manage_operators: [
    'POST /admin/operators/invite',
    'POST /admin/operators/:id/role',
    'POST /admin/operators/:id/remove',
    'POST /admin/operators/:id/factor-off',
  ],
  sign_in: [
    'GET /admin/profile',
    'POST /admin/profile/password',
    'GET /admin/profile/codes',
    'POST /admin/profile/codes',
    'POST /admin/profile/codes/off',
    'POST /admin/profile/codes/renew',
    'POST /admin/profile/sessions/end',
  ],
};

const radarRights: DeclaredRights = {
  read_radar: [
    'GET /admin',
    'GET /admin/setup',
    'GET /admin/setup/progress',
    'GET /admin/sources',
    'GET /admin/sources/add',
    'GET /admin/sources/import',
    'GET /admin/sources.opml',
    'GET /admin/sources/:id',
    'GET /admin/sources/:id/edit',
    'GET /admin/items',
    'GET /admin/items/:id',
    'GET /admin/items/:id/withdraw',
    'GET /admin/stories',
    'GET /admin/stories/:id',
    'GET /admin/stories/:id/merge',
    'GET /admin/ranking',
    'GET /admin/reports',
    'GET /admin/reports/next/:kind',
    'GET /admin/reports/:kind/:key',
    'GET /admin/channels',
    'GET /admin/channels/add',
    'GET /admin/channels/:id',
    'GET /admin/subscriptions',
    'GET /admin/subscriptions/add',
    'GET /admin/subscriptions/:id',
    'GET /admin/deliveries',
    'GET /admin/deliveries/:id',
    'GET /admin/runs',
    'GET /admin/health',
    'GET /admin/model',
    'GET /admin/settings',
    'GET /admin/audit',
    'GET /admin/audit.ndjson',
    'GET /admin/audit.csv',
  ],
  configure: ['POST /admin/setup'],
  edit_radar: [
    'POST /admin/sources/add',
    'POST /admin/sources/find',
    'POST /admin/sources/import',
    'POST /admin/sources/:id/edit',
    'POST /admin/sources/:id/pause',
    'POST /admin/sources/:id/resume',
    'POST /admin/sources/:id/read',
    'POST /admin/sources/:id/remove',
    'POST /admin/items/category',
    'POST /admin/items/:id/correct',
    'POST /admin/items/:id/withdraw',
    'POST /admin/items/:id/restore',
    'POST /admin/stories/:id/merge',
    'POST /admin/stories/:id/split',
    'POST /admin/stories/:id/placement',
    'POST /admin/stories/:id/pin',
    'POST /admin/stories/:id/unpin',
    'POST /admin/stories/:id/undo',
    'POST /admin/reports/due',
    'POST /admin/reports/:kind/:key',
    'POST /admin/channels/add',
    'POST /admin/channels/:id/test',
    'POST /admin/channels/:id/on',
    'POST /admin/channels/:id/off',
    'POST /admin/channels/:id/remove',
    'POST /admin/subscriptions/add',
    'POST /admin/subscriptions/:id',
    'POST /admin/subscriptions/:id/pause',
    'POST /admin/subscriptions/:id/resume',
    'POST /admin/subscriptions/:id/remove',
    'POST /admin/deliveries/:id/send',
    'POST /admin/deliveries/:id/drop',
    'POST /admin/model',
  ],
};

const gatewayRights: DeclaredRights = {
  read_gateway: [
    'GET /admin',
    'GET /admin/revenue',
    'GET /admin/revenue.csv',
    'GET /admin/accounts',
    'GET /admin/accounts/:id',
    'GET /admin/accounts/:id/credit',
    'GET /admin/accounts/:id/voucher',
    'GET /admin/accounts/:id/limits',
    'GET /admin/accounts/:id/keys/:keyId',
    'GET /admin/accounts/:id/suspend',
    'GET /admin/accounts/:id/resume',
    'GET /admin/accounts/:id/delete',
    'GET /admin/accounts/:id/calls',
    'GET /admin/accounts/:id/calls/:requestId',
    'GET /admin/accounts/:id/calls/:requestId/refund',
    'GET /admin/top-ups',
    'GET /admin/top-ups/:id',
    'GET /admin/top-ups/:id/settle',
    'GET /admin/vouchers',
    'GET /admin/vouchers/make',
    'GET /admin/vouchers/:id/withdraw',
    'GET /admin/invitations',
    'GET /admin/invitations/make',
    'GET /admin/prices',
    'GET /admin/prices/change',
    'GET /admin/prices/allowance',
    'GET /admin/prices/models',
    'GET /admin/prices/:version/withdraw',
    'GET /admin/providers',
    'GET /admin/providers/history',
    'GET /admin/providers/switch',
    'GET /admin/jobs',
    'GET /admin/jobs/:id',
    'GET /admin/jobs/:id/cancel',
    'GET /admin/chat',
    'GET /admin/chat.csv',
    'GET /admin/ledger',
    'GET /admin/audit',
    'GET /admin/audit.ndjson',
    'GET /admin/audit.csv',
  ],
  move_money: [
    'POST /admin/accounts/:id/credit',
    'POST /admin/accounts/:id/voucher',
    'POST /admin/accounts/:id/calls/:requestId/refund',
    'POST /admin/top-ups/:id/settle',
    'POST /admin/vouchers/make',
    'POST /admin/vouchers/:id/withdraw',
    'POST /admin/invitations/make',
    'POST /admin/invitations/:id/revoke',
    'POST /admin/prices/change',
    'POST /admin/prices/allowance',
    'POST /admin/prices/models',
    'POST /admin/prices/models/:id',
    'POST /admin/prices/:version/withdraw',
  ],
  delete_accounts: ['POST /admin/accounts/:id/delete'],
  operate_gateway: [
    'POST /admin/accounts/:id/limits',
    'POST /admin/accounts/:id/keys/:keyId',
    'POST /admin/accounts/:id/suspend',
    'POST /admin/accounts/:id/resume',
    'POST /admin/top-ups/:id/look',
    'POST /admin/providers/switch',
    'POST /admin/jobs/:id/cancel',
    'POST /admin/ledger/prove',
  ],
};

type Route = { readonly method: 'GET' | 'POST'; readonly path: string };

const areas = [
  ['radar', openRadarAdmin, radarRoutes, radarRights],
  ['gateway', openGatewayAdmin, gatewayRoutes, gatewayRights],
] as const;

const nameOf = ({ method, path }: Route) => `${method} ${path}`;
/** Fills the path with ids that no object has, so a permitted request changes nothing. */
const addressOf = ({ path }: Route) => path.replace(/:\w+/g, 'none');

const request = (browser: Browser, route: Route, token: string) =>
  route.method === 'GET'
    ? browser.get(addressOf(route))
    : browser.post(addressOf(route), { token });

for (const [area, openTestAdmin, routes, areaRights] of areas) {
  describe(`the ${area}'s admin area`, async () => {
    const admin = await openTestAdmin();
    const declaredRights = [...Object.entries(areaRights), ...Object.entries(sharedRights)].flatMap(
      ([right, names]) => names.map((name) => [name, roles[right] ?? []] as const),
    );

    test('has the declared routes and no others', () => {
      expect(routes.map(nameOf).sort()).toEqual(declaredRights.map(([name]) => name).sort());
    });

    test.each(operatorRoles)(
      'opens for the role %s the pages that the table declares',
      async (role) => {
        const browser = await admin.signIn(`${role}-of-${area}`, role);
        const { text } = await browser.get('/admin/profile');
        const token = /name="token" value="([^"]*)"/.exec(text)?.[1] ?? '';
        const rights = new Map(declaredRights);
        const problems: string[] = [];
        for (const route of routes) {
          const { status } = await request(browser, route, token);
          const isPermitted = rights.get(nameOf(route))?.includes(role) ?? false;
          const isAsDeclared = isPermitted ? ![401, 403, 405].includes(status) : status === 403;
          if (!isAsDeclared || status >= 500) problems.push(`${nameOf(route)}: ${status}`);
        }
        expect(problems).toEqual([]);
      },
    );

    test.each(operatorRoles)(
      'shows the role %s only the links and forms that the role may use',
      async (role) => {
        const browser = await admin.signIn(`${role}-at-${area}`, role);
        const isPermitted = (method: string, path: string): boolean => {
          const matchedRoute = matchRoute(routes as readonly RoutePattern[], method, path);
          if (matchedRoute.kind !== 'route') return true;
          return new Map(declaredRights).get(nameOf(matchedRoute.route))?.includes(role) ?? false;
        };
        const problems: string[] = [];
        let forms = 0;
        for (const route of routes) {
          if (route.method === 'POST' || route.path.includes(':')) continue;
          const { status, text } = await browser.get(route.path);
          if (status === 303 || !text.includes('<nav')) continue;
          const [nav = ''] = /<nav.*?<\/nav>/s.exec(text) ?? [];
          for (const [, path = ''] of nav.matchAll(/href="([^"]*)"/g)) {
            if (!isPermitted('GET', path)) problems.push(`${route.path}: link ${path}`);
          }
          for (const [, action = '', body = ''] of text.matchAll(
            /<form method="post" action="([^"]*)"[^>]*>(.*?)<\/form>/gs,
          )) {
            forms += 1;
            const isDisabled = body.includes('<fieldset class="refused" disabled');
            if (isDisabled === isPermitted('POST', action))
              problems.push(`${route.path}: form ${action}`);
          }
        }
        expect(problems).toEqual([]);
        expect(forms).toBeGreaterThan(5);
      },
    );

    test('explains a refusal within the area', async () => {
      const role = area === 'radar' ? 'treasurer' : 'editor';
      const browser = await admin.signIn(`lost-in-${area}`, role);
      const refusal = await browser.get(area === 'radar' ? '/admin/items' : '/admin/accounts');
      expect(refusal.status).toBe(403);
      expect(refusal.text).toContain('<h1>Your role does not permit this</h1>');
      expect(refusal.text).toContain('action="/admin/sign-out"');
      expect(refusal.text).not.toMatch(/<nav[^>]*><ul>\s*<li>/);
    });

    test('redirects to the sign-in without a session', async () => {
      const browser = admin.browser();
      for (const route of routes) {
        const { status, headers } = await request(browser, route, 'none');
        if (route.method === 'POST') expect([nameOf(route), status]).toEqual([nameOf(route), 401]);
        else expect([status, headers.location]).toEqual([303, expect.stringContaining('/sign-in')]);
      }
    });

    test('requires the password again for money and operators after ten minutes', async () => {
      const browser = await admin.signIn(`late-of-${area}`, 'owner');
      const { text } = await browser.get('/admin/profile');
      const token = /name="token" value="([^"]*)"/.exec(text)?.[1] ?? '';
      advanceClock(admin, 10 * 60_000);
      const sensitiveNames = [
        ...(areaRights.move_money ?? []),
        ...(areaRights.delete_accounts ?? []),
        ...(sharedRights.manage_operators ?? []),
      ];
      for (const route of routes.filter(({ method }) => method === 'POST')) {
        if (nameOf(route) === 'POST /admin/profile/sessions/end') continue;
        const { status, text: page } = await request(browser, route, token);
        const needsPassword = status === 401 && page.includes('name="password"');
        expect([nameOf(route), needsPassword]).toEqual([
          nameOf(route),
          sensitiveNames.includes(nameOf(route)),
        ]);
      }
    });
  });
}

function advanceClock(
  admin: Awaited<ReturnType<typeof openGatewayAdmin | typeof openRadarAdmin>>,
  ms: number,
): void {
  if ('setClock' in admin) admin.setClock(admin.world.clock.now() + ms);
  else admin.clock.advance(ms);
}
