// The operators' desk over a test's database: a server with the public API and `/admin`, a clock
// that stands until it is set, and a browser's worth of cookies.
import { pacedClock } from '../../src/kernel/clock.ts';
import type { Db } from '../../src/kernel/db.ts';
import type { Language } from '../../src/kernel/desk/language.ts';
import type { World } from '../../src/kernel/world.ts';
import { makeFirstPassword } from '../../src/operators/password.ts';
import { openOperatorSessions } from '../../src/operators/sessions.ts';
import type { Setting } from '../../src/radar/admin/admin-context.ts';
import { openAdmin } from '../../src/radar/admin/open-admin.ts';
import type { Publication } from '../../src/radar/publication/open-publication.ts';
import { readEditorial } from '../../src/radar/understand/read-editorial.ts';
import { openReportDesk } from '../../src/serve/open-report-desk.ts';
import { type Answered, ask } from '../support/ask.ts';
import { openTestServer } from '../support/radar-server.ts';
import { openTestDatabase } from '../support/test-database.ts';
import { openTestPublication } from '../support/test-publication.ts';
import { TEST_NOW, testWorld } from '../support/test-world.ts';

export type TestDesk = {
  readonly origin: string;
  readonly world: World;
  readonly db: Db;
  readonly publication: Publication;
  readonly password: string;
  /** Sources that a worker was asked to read. */
  readonly asked: string[];
  setClock(at: number): void;
  /** A browser that has signed in. */
  signIn(name?: string): Promise<Browser>;
  browser(): Browser;
};

export type Fields = Readonly<Record<string, string | readonly string[]>>;

export type Browser = {
  get(path: string): Promise<Answered>;
  /** Sends a form as it is. */
  post(path: string, fields: Fields): Promise<Answered>;
  /**
   * Loads a page, takes the form that goes to `action` as it stands there, and sends it with these
   * fields changed; then the page that follows.
   */
  submit(page: string, action: string, fields?: Fields): Promise<Answered>;
  readonly cookies: ReadonlyMap<string, string>;
};

export type DeskOptions = {
  readonly language?: Language;
  readonly url?: string;
  readonly settings?: readonly Setting[];
};

/** Call at the top of a test file. */
export async function openTestDesk(options: DeskOptions = {}): Promise<TestDesk> {
  const { language = 'en', url = 'http://radar.example', settings = [] } = options;
  const test = testWorld(11);
  const clock = pacedClock(TEST_NOW);
  const world = { ...test.world, clock };
  const { db } = await openTestDatabase();
  const publication = await openTestPublication(world, db);
  const { categories } = await readEditorial('editorial');
  let password = '';
  await makeFirstPassword(world, db, (made) => {
    password = made;
  });
  const asked: string[] = [];
  const admin = openAdmin(
    {
      ...{ world, db, publication, robots: test.robots, settings },
      site: { url, name: 'Content Radar', language },
      categories: categories.map(({ id }) => id),
      labels: Object.fromEntries(categories.map(({ id, label }) => [id, label[language]])),
      reports: await openReportDesk('editorial', { language, categories }),
      sessions: await openOperatorSessions(world, db),
      jobs: {
        readSoon: async (id) => {
          asked.push(id);
        },
        depths: async () => [{ name: 'read-source', queued: 2, active: 1 }],
      },
    },
    [],
  );
  const origin = await openTestServer(world, publication, undefined, { admin });
  // No two acts in one millisecond: what is newest is then known.
  const tick = () => clock.set(clock.now() + 1);
  const browser = () => openBrowser(origin, tick);
  return {
    ...{ origin, world, db, publication, password, asked, setClock: clock.set, browser },
    signIn: async (name = 'Ada') => {
      const signed = browser();
      const fields = { password, name };
      await signed.submit('/admin/sign-in', '/admin/sign-in', fields);
      return signed;
    },
  };
}

function openBrowser(origin: string, tick: () => void): Browser {
  const cookies = new Map<string, string>();
  const send = async (method: string, path: string, body?: string): Promise<Answered> => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const type = { 'content-type': 'application/x-www-form-urlencoded' };
    const headers = { ...(cookie !== '' && { cookie }), ...(body !== undefined && type) };
    const answer = await ask(origin, {
      method,
      path,
      headers,
      ...(body !== undefined && { body }),
    });
    for (const line of answer.headers['set-cookie'] ?? []) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === '') cookies.delete(name);
      else cookies.set(name, value);
    }
    return answer;
  };
  const get = (path: string) => send('GET', path);
  const post = (path: string, fields: Fields) => {
    tick();
    return send('POST', path, encoded(fields));
  };
  return {
    get,
    post,
    cookies,
    submit: async (page, action, fields = {}) => {
      const { text } = await get(page);
      const answer = await post(action, { ...formIn(text, action), ...fields });
      let last = answer;
      while (last.headers.location !== undefined) last = await get(last.headers.location);
      return last;
    },
  };
}

function encoded(fields: Fields): string {
  const pairs = Object.entries(fields).flatMap(([name, value]) =>
    (typeof value === 'string' ? [value] : value).map((one) => [name, one]),
  );
  return new URLSearchParams(pairs as [string, string][]).toString();
}

const entities: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
};
const plain = (text: string) =>
  text.replace(/&(amp|lt|gt|quot|#39);/g, (all) => entities[all] ?? '');

/** What a browser would send of the form that goes there, ticks left out. */
export function formIn(page: string, action: string): Record<string, string> {
  const from = page.indexOf(`action="${action}"`);
  if (from === -1) throw new Error(`no form to ${action} in ${page.slice(0, 2_000)}`);
  const form = page.slice(from, page.indexOf('</form>', from));
  const fields: Record<string, string> = {};
  for (const [, tag = ''] of form.matchAll(/<input([^>]*)>/g)) {
    const name = /name="([^"]*)"/.exec(tag)?.[1];
    if (name === undefined || tag.includes('type="checkbox"')) continue;
    fields[name] = plain(/value="([^"]*)"/.exec(tag)?.[1] ?? '');
  }
  for (const [, name = '', text = ''] of form.matchAll(
    /<textarea[^>]* name="([^"]*)"[^>]*>\n([^<]*)<\/textarea>/g,
  )) {
    fields[name] = plain(text);
  }
  for (const [, name = '', choices = ''] of form.matchAll(
    /<select[^>]* name="([^"]*)"[^>]*>(.*?)<\/select>/gs,
  )) {
    const chosen = /value="([^"]*)" selected/.exec(choices) ?? /value="([^"]*)"/.exec(choices);
    fields[name] = plain(chosen?.[1] ?? '');
  }
  return fields;
}
