// Pages with forms on the gateway's port, in a run.
import type { ConsoleParts } from '../gateway/console/console-context.ts';
import type { Db } from '../kernel/db.ts';
import type { DeskDoor } from '../kernel/desk/open-door.ts';
import type { World } from '../kernel/world.ts';
import { openConsole, signUpRules } from './open-console.ts';
import { hostInUrl, type Run } from './run.ts';

type Given = Omit<Parameters<typeof openConsole>[2], 'site'> & {
  readonly world: World;
  readonly site: Pick<ConsoleParts['site'], 'url' | 'name'>;
  readonly radarUrl: () => string;
};

/** By the path below which each is. */
export async function openGatewayDesks(
  { config, opened }: Run,
  db: Db,
  { world, radarUrl, ...given }: Given,
): Promise<Readonly<Record<string, DeskDoor>>> {
  const { host, trustProxy, language } = config;
  const site = {
    // Read when they are needed: with port 0 the address is known only once it is open.
    get url() {
      return given.site.url;
    },
    get radarUrl() {
      return radarUrl();
    },
    relayUrl: config.relayUrl ?? `http://${hostInUrl(host)}:${config.relayPort}`,
    ...{ name: given.site.name, language },
  };
  const rules = signUpRules(config);
  const { smtp } = config.file;
  const options = { smtp, rules, trustProxy, opened };
  return { '/console': await openConsole(world, db, { ...given, site }, options) };
}
