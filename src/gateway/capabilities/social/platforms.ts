// Lists the eleven platforms with the contract's ids and aliases.

export const platforms = [
  { id: 'douyin', name: '抖音', aliases: ['dy'] },
  { id: 'xiaohongshu', name: '小红书', aliases: ['xhs'] },
  { id: 'kuaishou', name: '快手', aliases: ['ks'] },
  { id: 'bilibili', name: '哔哩哔哩', aliases: ['bili'] },
  { id: 'weibo', name: '微博', aliases: ['wb'] },
  { id: 'zhihu', name: '知乎', aliases: [] },
  { id: 'wechat_channels', name: '微信视频号', aliases: ['channels'] },
  { id: 'tiktok', name: 'TikTok', aliases: ['tt'] },
  { id: 'youtube', name: 'YouTube', aliases: ['yt'] },
  { id: 'twitter', name: 'X', aliases: ['x'] },
  { id: 'instagram', name: 'Instagram', aliases: ['ig'] },
] as const;

export type PlatformId = (typeof platforms)[number]['id'];

export const actions = ['content', 'search'] as const;

/** Finds a platform by id or alias, regardless of upper and lower case; null: unknown. */
export function platformOf(name: string): PlatformId | null {
  const platformName = name.trim().toLowerCase();
  const platform = platforms.find(
    ({ id, aliases }) => id === platformName || aliases.some((alias) => alias === platformName),
  );
  return platform?.id ?? null;
}

/** Ids and aliases, for the message of a refusal. */
export function acceptedPlatforms(): string {
  return platforms
    .map(({ id, aliases }) => {
      const otherNames: readonly string[] = aliases;
      return otherNames.length === 0 ? id : `${id} (${otherNames.join(', ')})`;
    })
    .join(', ');
}

/** `GET /api/v1/capabilities/social/platforms`. */
export function describePlatforms() {
  return {
    platforms: platforms.map(({ id, name, aliases }) => ({
      id,
      name,
      actions,
      aliases,
    })),
  };
}
