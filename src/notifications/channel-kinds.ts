// Every kind of channel, in the order in which pages and the command line offer them.
import type { ChannelKind, ChannelKindName } from './channel-kind.ts';
import { bark } from './kinds/bark.ts';
import { dingtalk } from './kinds/dingtalk.ts';
import { discord } from './kinds/discord.ts';
import { email } from './kinds/email.ts';
import { feishu, lark } from './kinds/feishu.ts';
import { ntfy } from './kinds/ntfy.ts';
import { slack } from './kinds/slack.ts';
import { telegram } from './kinds/telegram.ts';
import { webhook } from './kinds/webhook.ts';
import { wecom } from './kinds/wecom.ts';

export const channelKinds: Readonly<Record<ChannelKindName, ChannelKind>> = {
  webhook,
  email,
  feishu,
  lark,
  wecom,
  dingtalk,
  telegram,
  slack,
  discord,
  ntfy,
  bark,
};

/** Null: unknown kind. */
export function channelKindOf(name: string): ChannelKind | null {
  return Object.hasOwn(channelKinds, name) ? channelKinds[name as ChannelKindName] : null;
}
