// The gateway's console in a run.
import type { Config } from '../config.ts';
import { openSessions } from '../gateway/accounts/session.ts';
import { openSignIn } from '../gateway/accounts/sign-in.ts';
import type { ConsoleParts } from '../gateway/console/console-context.ts';
import { openConsole as openDoor } from '../gateway/console/open-console.ts';
import type { Db } from '../kernel/db.ts';
import { openFormTokens } from '../kernel/desk/form-token.ts';
import type { DeskDoor } from '../kernel/desk/open-door.ts';
import type { World } from '../kernel/world.ts';
import { sharedSecret } from '../store/secrets.ts';

type Given = Pick<ConsoleParts, 'site' | 'calls' | 'capabilities' | 'limits' | 'chat'>;

export async function openConsole(
  { trustProxy }: Config,
  world: World,
  db: Db,
  given: Given,
): Promise<DeskDoor> {
  const sessions = await openSessions(world, db);
  const parts: ConsoleParts = {
    ...{ world, db, sessions },
    site: given.site,
    calls: given.calls,
    capabilities: given.capabilities,
    limits: given.limits,
    ...(given.chat && { chat: given.chat }),
    tokens: openFormTokens(world, await sharedSecret(world, db, 'account forms')),
    signIn: openSignIn(world, db, sessions),
  };
  return openDoor(parts, trustProxy);
}
