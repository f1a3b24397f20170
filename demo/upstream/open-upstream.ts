// Every upstream service of the demonstration world, each a real server on loopback with a port of
// its own that speaks a real provider's format, and the configuration that leads to them.
import {
  answerBilibili,
  answerOembed,
  answerShortLinks,
  answerYoutubeData,
  shortHosts,
  youtubeKey,
} from './answer-open.ts';
import { answerTikhub, tikhubKey } from './answer-tikhub.ts';
import { type Asked, openServer, type Reply, type UpstreamServer } from './server.ts';

const answers = {
  tikhub: answerTikhub,
  bilibili: answerBilibili,
  oembed: answerOembed,
  youtube: answerYoutubeData,
} as const satisfies Readonly<Record<string, (asked: Asked) => Reply>>;

export type UpstreamName = keyof typeof answers | 'links';

export type Upstream = {
  readonly servers: Readonly<Record<keyof typeof answers, UpstreamServer>>;
  /** By the host of the short links that it answers for. */
  readonly links: ReadonlyMap<string, UpstreamServer>;
  /** The `providers` section of `radar.config.json`. */
  readonly config: UpstreamConfig;
  close(): Promise<void>;
};

type UpstreamConfig = ReturnType<typeof configOf>;

export async function openUpstream(): Promise<Upstream> {
  const names = Object.keys(answers) as (keyof typeof answers)[];
  const opened = await Promise.all(
    names.map(async (name) => [name, await openServer(answers[name])] as const),
  );
  const servers = Object.fromEntries(opened) as Upstream['servers'];
  const links = new Map(
    await Promise.all(
      shortHosts.map(async (host) => [host, await openServer(answerShortLinks(host))] as const),
    ),
  );
  return {
    ...{ servers, links, config: configOf(servers, links) },
    close: async () => {
      await Promise.all([...Object.values(servers), ...links.values()].map((s) => s.close()));
    },
  };
}

function configOf(servers: Upstream['servers'], links: Upstream['links']) {
  return {
    social: [
      { kind: 'tikhub', url: servers.tikhub.url, key: tikhubKey, timeoutMs: 5_000 },
      { kind: 'bilibili', url: servers.bilibili.url, timeoutMs: 5_000 },
      { kind: 'youtube-data', url: servers.youtube.url, key: youtubeKey, timeoutMs: 5_000 },
      ...(['youtube', 'tiktok', 'twitter'] as const).map((platform) => {
        return { kind: 'oembed' as const, platform, url: servers.oembed.url, timeoutMs: 5_000 };
      }),
    ],
    links: { hosts: Object.fromEntries([...links].map(([host, { url }]) => [host, url])) },
  } as const;
}
