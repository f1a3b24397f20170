// `radar source token`: creates or revokes the bearer token of a push source. A token is printed
// once and stored as a hash.
import { Fault } from '../../kernel/errors/fault.ts';
import {
  createPushToken,
  type PushTokenResult,
  revokePushToken,
} from '../../radar/sources/push-token.ts';
import type { App } from '../app.ts';

export async function changeToken(app: App, id: string, isRevocation: boolean): Promise<void> {
  const outcome = await app.withApp(({ world, db }) =>
    isRevocation ? revokePushToken(db, id) : createPushToken(world, db, id),
  );
  printToken(app, id, outcome);
}

function printToken({ terminal }: App, id: string, outcome: PushTokenResult): void {
  switch (outcome.kind) {
    case 'made':
      terminal.note(
        `The token of ${id}, shown only once; an older token is invalid from now on:\n`,
      );
      terminal.out(`${outcome.token}\n`);
      return;
    case 'revoked':
      terminal.out(`${id} has no token any more.\n`);
      return;
    case 'no_token':
      throw new Fault('not_found', `${id} has no token.`);
    case 'no_source':
      throw new Fault('not_found', `There is no source called ${id}. See: radar source list`);
    case 'not_push':
      throw new Fault('invalid_request', `${id} is fetched, so it needs no token.`);
  }
}
