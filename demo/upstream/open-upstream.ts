// Opens all upstream services of the demonstration, as servers on loopback in the formats of real
// providers. Builds the configuration that uses them.
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sampleVideo } from '../../src/gateway/capabilities/video/sample-video.ts';
import { arkEndpoints, arkKey } from './ark-endpoints.ts';
import { type ChatServer, chatKey, openChatServer } from './chat/open-chat-server.ts';
import { handleMedia } from './media-endpoints.ts';
import { handleResults, openaiEndpoints, openaiKey } from './openai-endpoints.ts';
import {
  handleBilibili,
  handleOembed,
  handleShortLinks,
  handleYoutubeData,
  shortHosts,
  youtubeKey,
} from './public-endpoints.ts';
import {
  braveKey,
  handleBrave,
  handleSearxng,
  handleTavily,
  tavilyKey,
} from './search-endpoints.ts';
import { openServer, type Reply, type UpstreamRequest, type UpstreamServer } from './server.ts';
import { handleTikhub, tikhubKey } from './tikhub-endpoints.ts';

const serverNames = [
  ...(['tikhub', 'bilibili', 'oembed', 'youtube', 'openai', 'ark'] as const),
  ...(['searxng', 'brave', 'tavily', 'media'] as const),
] as const;

export type UpstreamName = (typeof serverNames)[number];

type Servers = Readonly<Record<UpstreamName, UpstreamServer>>;
type Links = ReadonlyMap<string, UpstreamServer>;

export type Upstream = {
  readonly servers: Servers;
  /** Servers of short links, by their real host. */
  readonly links: Links;
  /** The `providers` section of `radar.config.json`, with all these servers. */
  readonly config: ReturnType<typeof configOf>;
  /** The `relay` section of that file. Two of its chat servers share a model. */
  readonly relay: ReturnType<typeof relayOf>;
  close(): Promise<void>;
};

export async function openUpstream(): Promise<Upstream> {
  const responders = respondersOf((seconds) => Buffer.from(sampleVideo(seconds)));
  const entries = await Promise.all(
    serverNames.map(async (name) => [name, await openServer(responders[name])] as const),
  );
  const servers = Object.fromEntries(entries) as Servers;
  const links = new Map(
    await Promise.all(
      shortHosts.map(async (host) => [host, await openServer(handleShortLinks(host))] as const),
    ),
  );
  const chatServers = await Promise.all([
    ...['demo-chat-mini', 'demo-chat-max'].map((model) =>
      openChatServer({
        models: ['demo-chat', model],
        hasPromptFaults: false,
        pauseMs: CHAT_PAUSE_MS,
      }),
    ),
    // Only upstreams for faults fail on request, so that no visitor affects the other models.
    openChatServer({ models: ['demo-faults'], pauseMs: CHAT_PAUSE_MS }),
  ]);
  const otherServers = await Promise.all(
    otherModels.map(async ({ kind, model, hasPromptFaults = false }) => {
      const chat = await openChatServer({
        models: [model],
        hasPromptFaults,
        pauseMs: CHAT_PAUSE_MS,
      });
      return { kind, chat, name: `demo-${kind}${hasPromptFaults ? '-faults' : ''}` };
    }),
  );
  const folder = mkdtempSync(join(tmpdir(), 'radar-upstream-'));
  const toolPath = writeTool(folder, servers.media.url);
  return {
    servers,
    links,
    config: configOf(servers, links, toolPath),
    relay: relayOf(chatServers, otherServers),
    close: async () => {
      await Promise.all(
        [
          ...Object.values(servers),
          ...links.values(),
          ...chatServers,
          ...otherServers.map(({ chat }) => chat),
        ].map((server) => server.close()),
      );
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Delay between two events of a stream, so that its text appears gradually. */
const CHAT_PAUSE_MS = 30;

/** Upstreams of the other dialects. Each dialect has a working model and a model for faults. */
const otherModels: readonly {
  readonly kind: string;
  readonly model: string;
  readonly hasPromptFaults?: boolean;
}[] = [
  { kind: 'anthropic-messages', model: 'claude-demo' },
  { kind: 'anthropic-messages', model: 'claude-faults', hasPromptFaults: true },
  { kind: 'openai-responses', model: 'demo-responses' },
  { kind: 'openai-responses', model: 'demo-responses-faults', hasPromptFaults: true },
  { kind: 'embeddings', model: 'demo-embeddings' },
  { kind: 'embeddings', model: 'demo-embeddings-faults', hasPromptFaults: true },
];

type OtherUpstream = { readonly kind: string; readonly name: string; readonly chat: ChatServer };

/** CNY per million tokens of input and output, below the prices of the demonstration's models. */
const tokenCosts = (input: string, output: string) => [
  { class: 'input', cny: input },
  { class: 'output', cny: output },
];

/** After a broken stream, models for faults cost more than their price, so margins are small. */
const upstreamPrices: Readonly<Record<string, object>> = {
  'demo-chat-mini': tokenCosts('1.5', '6'),
  'demo-chat': tokenCosts('6', '24'),
  'demo-chat-max': tokenCosts('15', '60'),
  'demo-faults': tokenCosts('7', '30'),
  'claude-demo': [...tokenCosts('15', '75'), { class: 'cache_read', cny: '1.5' }],
  'claude-faults': tokenCosts('20', '100'),
  'demo-responses': tokenCosts('6', '24'),
};

const relayOf = (chatServers: readonly ChatServer[], others: readonly OtherUpstream[]) => ({
  upstreams: [
    ...chatServers.map(({ url }, index) => ({
      name: `demo-${index + 1}`,
      publicName: `demo-${index + 1}`,
      url,
      key: chatKey,
      priority: index,
      upstreamPrices,
    })),
    ...others.map(({ kind, name, chat: { url } }) => {
      return { name, publicName: name, kind, url, key: chatKey, priority: 1, upstreamPrices };
    }),
  ],
  models: {
    'demo-chat-mini': {
      fallbacks: ['demo-chat'],
      contextFallbacks: ['demo-chat-max'],
      maxInput: 128_000,
      maxOutput: 8_192,
    },
    'demo-chat-max': { maxInput: 1_000_000, maxOutput: 32_768 },
    'claude-demo': { maxInput: 1_000_000, maxOutput: 32_000 },
    'claude-faults': { fallbacks: ['claude-demo'], continue: 'across' },
    'demo-responses': { maxOutput: 16_384, reasoning: true },
  },
});

function respondersOf(
  video: (seconds: number) => Buffer,
): Readonly<Record<UpstreamName, (request: UpstreamRequest) => Reply>> {
  const openai = openaiEndpoints({ video });
  return {
    tikhub: handleTikhub,
    bilibili: handleBilibili,
    oembed: handleOembed,
    youtube: handleYoutubeData,
    openai: (request) =>
      request.path.startsWith('/results/') ? handleResults(request) : openai(request),
    ark: arkEndpoints({ video }),
    searxng: handleSearxng,
    brave: handleBrave,
    tavily: handleTavily,
    media: handleMedia,
  };
}

/** Writes a command with yt-dlp's arguments and the address of this run's files. */
function writeTool(folder: string, mediaUrl: string): string {
  const path = join(folder, 'yt-dlp');
  const node = join(import.meta.dirname, '../../bin/node24');
  const toolPath = join(import.meta.dirname, 'media-tool.ts');
  writeFileSync(path, `#!/bin/sh\nexec '${node}' '${toolPath}' '${mediaUrl}' "$@"\n`);
  chmodSync(path, 0o755);
  return path;
}

function configOf(servers: Servers, links: Links, toolPath: string) {
  const openai = { kind: 'openai', url: `${servers.openai.url}/v1`, key: openaiKey } as const;
  const { host } = servers.media;
  return {
    social: [
      { kind: 'tikhub', url: servers.tikhub.url, key: tikhubKey, timeoutMs: 5_000 },
      { kind: 'bilibili', url: servers.bilibili.url, timeoutMs: 5_000 },
      { kind: 'youtube-data', url: servers.youtube.url, key: youtubeKey, timeoutMs: 5_000 },
      ...(['youtube', 'tiktok', 'twitter'] as const).map((platform) => {
        return { kind: 'oembed' as const, platform, url: servers.oembed.url, timeoutMs: 5_000 };
      }),
    ],
    links: { hosts: Object.fromEntries([...links].map(([name, { url }]) => [name, url])) },
    ocr: { privateHosts: [host] },
    speech: [{ ...openai, model: 'demo-speech', timeoutMs: 20_000 }],
    download: { command: toolPath, privateHosts: [host], timeoutMs: 60_000 },
    image: [{ ...openai, model: 'demo-image', timeoutMs: 20_000 }],
    video: [
      { ...openai, model: 'demo-video', timeoutMs: 20_000 },
      { kind: 'ark', url: servers.ark.url, key: arkKey, model: 'demo-ark', timeoutMs: 20_000 },
    ],
    search: [
      { kind: 'searxng', url: servers.searxng.url, timeoutMs: 5_000 },
      { kind: 'brave', url: servers.brave.url, key: braveKey, timeoutMs: 5_000 },
      { kind: 'tavily', url: servers.tavily.url, key: tavilyKey, timeoutMs: 5_000 },
    ],
  } as const;
}
