// The radar's admin area over a test's database. It has a server with the public API and `/admin`,
// a clock that the test moves, and a browser with cookies.

import { readInstallationFacts } from '../../src/alerts/installation-facts.ts';
import { openReportContext } from '../../src/app/serve/open-report-context.ts';
import {
  type ClientResolver,
  openClientResolver,
} from '../../src/kernel/client-address/client-address.ts';
import { readNetworks } from '../../src/kernel/client-address/networks.ts';
import type { Db } from '../../src/kernel/ports/db.ts';
import { replayClock } from '../../src/kernel/time/clock.ts';
import type { Language } from '../../src/kernel/web/language.ts';
import type { World } from '../../src/kernel/world.ts';
import { createFirstOwner } from '../../src/operators/operators.ts';
import type { OperatorRole } from '../../src/operators/roles.ts';
import { openOperatorSessions } from '../../src/operators/sessions.ts';
import type { SettingView } from '../../src/radar/admin/admin-context.ts';
import { openAdmin } from '../../src/radar/admin/open-admin.ts';
import { openSetupAccess } from '../../src/radar/admin/setup/setup-access.ts';
import { readEditorial } from '../../src/radar/enrichment/read-editorial.ts';
import type { ModelSettings } from '../../src/radar/model/model-config.ts';
import type { Publication } from '../../src/radar/publication/open-publication.ts';
import { readPacks } from '../../src/radar/sources/setup/source-packs.ts';
import { readTemplateAddresses } from '../../src/radar/sources/setup/template-addresses.ts';
import { notificationContent } from '../../src/radar/subscriptions/notification-content.ts';
import { createOperator } from '../support/create-operator.ts';
import { type Browser, openBrowser } from '../support/form-browser.ts';
import { openTestServer } from '../support/radar-server.ts';
import { openTestDatabase } from '../support/test-database.ts';
import { openTestPublication } from '../support/test-publication.ts';
import { TEST_NOW, testWorld } from '../support/test-world.ts';

export type TestAdmin = {
  readonly origin: string;
  readonly world: World;
  readonly db: Db;
  readonly publication: Publication;
  readonly password: string;
  /** Ids of sources with a requested fetch. */
  readonly requests: string[];
  setClock(at: number): void;
  /** Creates the token of the one-time setup address. */
  issueSetupToken(): string;
  /** A signed-in browser. */
  signIn(name?: string, role?: OperatorRole): Promise<Browser>;
  browser(): Browser;
};

export type TestAdminOptions = {
  /** The proxies in front of the server; when absent, there is none. */
  readonly clients?: ClientResolver;
  readonly language?: Language;
  readonly url?: string;
  readonly settings?: readonly SettingView[];
  readonly model?: ModelSettings | null;
  /** Whether owners and treasurers need a second factor. */
  readonly isPublic?: boolean;
  /** Networks that may open the area. */
  readonly networks?: readonly string[];
};

/** Call at the top of a test file. */
export async function openTestAdmin(options: TestAdminOptions = {}): Promise<TestAdmin> {
  const { language = 'en', url = 'http://radar.example', settings = [], model = null } = options;
  const { isPublic = false, networks = null } = options;
  const test = testWorld(11);
  const clock = replayClock(TEST_NOW);
  const world = { ...test.world, clock };
  const { db } = await openTestDatabase();
  const publication = await openTestPublication(world, db);
  const { categories } = await readEditorial('editorial');
  let password = '';
  await createFirstOwner(world, db, (initialPassword) => {
    password = initialPassword;
  });
  const requests: string[] = [];
  const setup = openSetupAccess(world);
  const admin = openAdmin(
    {
      world,
      db,
      publication,
      robots: test.robots,
      settings,
      notifications: {
        smtp: null,
        site: { url, name: 'Content Radar', language },
        render: (request) => notificationContent(db, { url, wireItem: (item) => item }, request),
      },
      model,
      site: { url, name: 'Content Radar', language },
      categories: categories.map(({ id }) => id),
      labels: Object.fromEntries(categories.map(({ id, label }) => [id, label[language]])),
      reports: await openReportContext('editorial', { language, categories }),
      sessions: await openOperatorSessions(world, db, { isPublic }),
      networks: networks === null ? null : readNetworks(networks, 'admin.networks'),
      packs: await readPacks('editorial'),
      setup,
      templates: await readTemplateAddresses('editorial'),
      setupSettings: {
        isFixed: { language: false, name: false, model: false, editorial: false },
        language,
        zone: 'Asia/Shanghai',
        editorialFolder: 'editorial',
      },
      readInstallation: () => readInstallationFacts(db, { dataDir: null, program: '0.1.0' }),
      jobs: {
        queueFetch: async (id) => {
          requests.push(id);
        },
        depths: async () => [{ name: 'fetch-source', queued: 2, active: 1 }],
      },
    },
    options.clients ?? openClientResolver({ trustProxy: [] }),
  );
  const origin = await openTestServer(world, publication, undefined, { admin });
  // Each action has its own millisecond, so the newest action is unique.
  const advanceMillisecond = () => clock.set(clock.now() + 1);
  const browser = () => openBrowser(origin, { beforeSubmit: advanceMillisecond });
  return {
    origin,
    world,
    db,
    publication,
    password,
    requests,
    setClock: clock.set,
    issueSetupToken: setup.issue,
    browser,
    signIn: async (name = 'Ada', role = 'owner') => {
      const signedInBrowser = browser();
      await createOperator(world, db, { name, role, password });
      const fields = { password, name };
      await signedInBrowser.submit('/admin/sign-in', '/admin/sign-in', fields);
      return signedInBrowser;
    },
  };
}
