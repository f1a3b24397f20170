// Actions of `radar channel`: add, list, test and resume. `add` reports all invalid fields at once.
import { Fault } from '../../kernel/errors/fault.ts';
import type { ChannelField, ChannelKind } from '../../notifications/channel-kind.ts';
import { channelKindOf, channelKinds } from '../../notifications/channel-kinds.ts';
import {
  addChannel,
  findChannel,
  listChannels,
  switchChannel,
} from '../../notifications/channels.ts';
import type { App } from '../app.ts';
import { textTable } from '../text-table.ts';
import { type ChannelAddOptions, unknownChannelFault } from './channel-options.ts';

export async function addChannelFromOptions(
  app: App,
  kindName: string,
  options: ChannelAddOptions,
): Promise<void> {
  const kind = channelKindOf(kindName);
  if (kind === null) {
    const kindNames = Object.keys(channelKinds).join(', ');
    throw new Fault('invalid_request', `${kindName} is no kind of channel. Kinds: ${kindNames}`);
  }
  if (options.set === undefined) {
    app.terminal.out(`${describeFields(kind)}\n`);
    return;
  }
  const fields = Object.fromEntries(options.set.map(parseField));
  await app.withApp(async ({ world, db, openChannels }) => {
    const { smtp } = await openChannels();
    const { name = kind.title, whenUnsure } = options;
    const input = { kind: kindName, name, whenUnsure, fields };
    const addedChannel = await addChannel(world, db, input, { hasSmtp: smtp !== null });
    if (addedChannel.kind === 'invalid') {
      const lines = addedChannel.problems.map(
        ({ field, problem }) => `${field}: ${problemTexts[problem]}`,
      );
      throw new Fault('invalid_request', `${lines.join('; ')}. ${describeFields(kind)}`);
    }
    app.terminal.out(`added ${addedChannel.id}. Test it: radar channel test ${addedChannel.id}\n`);
    if (addedChannel.secret !== null) {
      app.terminal.out(`Its signing secret, shown only once: ${addedChannel.secret}\n`);
    }
  });
}

const problemTexts = {
  missing: 'is required',
  malformed: 'is not valid',
  unknown: 'is unknown',
  refused_address:
    'this address is private or redirects; give the final public address, ' +
    'or allow a private host in network.privateHosts of radar.config.json',
  no_smtp: 'needs a mail server (smtp in radar.config.json)',
} as const;

function parseField(text: string): readonly [string, string] {
  const index = text.indexOf('=');
  if (index < 1) throw new Fault('invalid_request', `--set ${text}: write it as field=value`);
  return [text.slice(0, index), text.slice(index + 1)];
}

const describeFields = ({ title, fields }: ChannelKind) =>
  `Fields of ${title}: ${fields
    .filter(({ isForRotation }) => isForRotation !== true)
    .map(describeField)
    .join(', ')}`;

const describeField = ({ name, isRequired, preset }: ChannelField) =>
  `${name}${isRequired ? '' : ' (optional)'}${preset === undefined ? '' : ` [${preset}]`}`;

export async function printChannels(app: App, isJson: boolean): Promise<void> {
  await app.withApp(async ({ db }) => {
    const channels = await listChannels(db);
    if (isJson) {
      app.terminal.out(`${JSON.stringify(channels, null, 2)}\n`);
      return;
    }
    if (channels.length === 0) {
      app.terminal.out('No channels yet. Add one: radar channel add <kind>\n');
      return;
    }
    const rows = channels.map(({ id, kind, name, label, state, reason }) => [
      id,
      kind,
      name,
      label,
      reason === null ? state : `${state}: ${reason}`,
    ]);
    app.terminal.out(textTable([['ID', 'KIND', 'NAME', 'ADDRESS', 'STATE'], ...rows]));
  });
}

export async function testChannelById(app: App, id: string): Promise<void> {
  const { testChannel } = await import('../../notifications/test-channel.ts');
  await app.withApp(async ({ world, db, openChannels }) => {
    const testResult = await testChannel(world, db, await openChannels(), id);
    if (testResult.kind === 'not_found') throw unknownChannelFault(id);
    if (testResult.kind === 'unreadable') {
      throw new Fault('invalid_request', 'The secret of the channel cannot be read.');
    }
    const { result } = testResult;
    if (result.kind === 'delivered') {
      app.terminal.out(`delivered: status ${result.status}\n`);
      return;
    }
    const reason = 'reason' in result ? result.reason : `the chat has the id ${result.chat} now`;
    throw new Fault('temporarily_unavailable', `${testFailures[result.kind]}: ${reason}`);
  });
}

const testFailures = {
  retry: 'not delivered; a later attempt may succeed',
  too_long: 'not delivered; the service refuses the length',
  refused: 'not delivered; the service refuses the message',
  broken: 'not delivered; the channel is broken',
  moved: 'not delivered',
} as const;

export async function resumeChannel(app: App, id: string): Promise<void> {
  await app.withApp(async ({ world, db }) => {
    const channel = await findChannel(db, id);
    if (channel === null) throw unknownChannelFault(id);
    await switchChannel(world, db, channel, 'on');
    app.terminal.out(`${id} is on.\n`);
  });
}
