// `radar channel …`: destinations of notifications.
import { Command, Option } from 'commander';
import type { App } from '../app.ts';
import { collectValues } from '../program-values.ts';
import { type ChannelAddOptions, unknownChannelFault } from './channel-options.ts';

export function channelCommand(app: App): Command {
  const command = new Command('channel').description(
    'Channels: the services that receive notifications.',
  );
  command
    .command('add')
    .description('Adds a channel. Without fields it prints the fields of the kind.')
    .argument(
      '<kind>',
      'webhook, email, feishu, lark, wecom, dingtalk, telegram, slack, discord, ntfy or bark',
    )
    .option('--name <name>', 'name that operators see; default: the kind')
    .option('--set <field=value>', 'a field of the kind; may be repeated', collectValues)
    .addOption(
      new Option('--when-unsure <action>', 'what happens to deliveries that may have arrived')
        .choices(['send', 'drop'])
        .default('send'),
    )
    .action(async (kind: string, options: ChannelAddOptions) => {
      const { addChannelFromOptions } = await import('./change-channels.ts');
      await addChannelFromOptions(app, kind, options);
    });
  command
    .command('list')
    .description('Lists all channels with their states.')
    .option('--json', 'as JSON')
    .action(async (options: { json?: boolean }) => {
      const { printChannels } = await import('./change-channels.ts');
      await printChannels(app, options.json ?? false);
    });
  command
    .command('test')
    .description('Sends a test message once and prints the response of the service.')
    .argument('<id>')
    .action(async (id: string) => {
      const { testChannelById } = await import('./change-channels.ts');
      await testChannelById(app, id);
    });
  command
    .command('resume')
    .description('Retries a broken channel and sends its held deliveries.')
    .argument('<id>')
    .action(async (id: string) => {
      const { resumeChannel } = await import('./change-channels.ts');
      await resumeChannel(app, id);
    });
  command
    .command('remove')
    .description('Removes a channel with its subscriptions.')
    .argument('<id>')
    .action(async (id: string) => {
      const { removeChannel } = await import('../../notifications/channels.ts');
      await app.withApp(async ({ db }) => {
        if (!(await removeChannel(db, id))) throw unknownChannelFault(id);
        app.terminal.out(`${id} is removed.\n`);
      });
    });
  return command;
}
