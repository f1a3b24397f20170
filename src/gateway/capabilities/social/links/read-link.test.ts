// All known forms of links to the eleven platforms, at least fifteen each, with the expected post
// id or short link.
import { describe, expect, test } from 'vitest';
import { platforms } from '../platforms.ts';
import { bilibiliId } from './bilibili-id.ts';
import type { Link } from './link.ts';
import { readLink } from './read-link.ts';
import { weiboId } from './weibo-id.ts';

const describeLink = (link: Link | null): string => {
  if (link === null) return 'none';
  if (link.kind === 'post') return `${link.ref.platform} ${link.ref.type} ${link.ref.id}`;
  return link.kind === 'short' ? `${link.platform} short ${link.url}` : `${link.platform} other`;
};

const aweme = '7412345678901234567';
const note = '66d0a1b2000000001e01c3f4';
const bv = 'BV1ft6hYxE75';
const tik = '7399999999999999999';
const yt = 'dQw4w9WgXcQ';
const tweet = '1835124037934367098';

type Row = readonly [text: string, expected: string];

const linkForms: Readonly<Record<(typeof platforms)[number]['id'], readonly Row[]>> = {
  douyin: [
    [`https://www.douyin.com/video/${aweme}`, `douyin post ${aweme}`],
    [`https://www.douyin.com/note/${aweme}`, `douyin post ${aweme}`],
    [`https://www.douyin.com/slides/${aweme}`, `douyin post ${aweme}`],
    [`https://www.douyin.com/discover?modal_id=${aweme}`, `douyin post ${aweme}`],
    [`https://www.douyin.com/user/MS4wLjAB?modal_id=${aweme}`, `douyin post ${aweme}`],
    [`https://www.douyin.com/search/abc?aid=1&modal_id=${aweme}`, `douyin post ${aweme}`],
    [`https://www.iesdouyin.com/share/video/${aweme}/?region=CN`, `douyin post ${aweme}`],
    [`https://www.iesdouyin.com/share/note/${aweme}/`, `douyin post ${aweme}`],
    [`https://m.douyin.com/share/video/${aweme}`, `douyin post ${aweme}`],
    [`https://www.iesdouyin.com/share/slides/${aweme}/`, `douyin post ${aweme}`],
    [`https://www.douyin.com/article/${aweme}`, `douyin post ${aweme}`],
    [`https://www.douyin.com/light/${aweme}`, `douyin post ${aweme}`],
    [`https://www.amemv.com/share/video/${aweme}/`, `douyin post ${aweme}`],
    ['https://v.douyin.com/iRNBho6u/', 'douyin short https://v.douyin.com/iRNBho6u/'],
    [
      '7.99 复制打开抖音，看看【澄砚的作品】回顾 https://v.douyin.com/iRNBho6u/ 02/14 Abc:/',
      'douyin short https://v.douyin.com/iRNBho6u/',
    ],
    ['v.douyin.com/iRNBho6u/', 'douyin short https://v.douyin.com/iRNBho6u/'],
    ['https://v.iesdouyin.com/x1Y2z3/', 'douyin short https://v.iesdouyin.com/x1Y2z3/'],
    ['https://www.douyin.com/user/MS4wLjABAAAA', 'douyin other'],
  ],
  xiaohongshu: [
    [`https://www.xiaohongshu.com/explore/${note}`, `xiaohongshu post ${note}`],
    [`https://www.xiaohongshu.com/discovery/item/${note}`, `xiaohongshu post ${note}`],
    [
      `https://www.xiaohongshu.com/explore/${note}?xsec_token=AB%3D&xsec_source=pc_feed`,
      `xiaohongshu post ${note}`,
    ],
    [`https://www.xiaohongshu.com/items/${note}`, `xiaohongshu post ${note}`],
    [`https://m.xiaohongshu.com/explore/${note}`, `xiaohongshu post ${note}`],
    [`https://www.xiaohongshu.com/user/profile/${note}/${note}`, `xiaohongshu post ${note}`],
    [`https://www.xiaohongshu.com/board/${note}/${note}`, `xiaohongshu post ${note}`],
    [`http://www.xiaohongshu.com/discovery/item/${note}?app=ios`, `xiaohongshu post ${note}`],
    [`xiaohongshu.com/explore/${note}`, `xiaohongshu post ${note}`],
    [`https://www.xiaohongshu.com/note/${note}`, `xiaohongshu post ${note}`],
    [`https://www.xiaohongshu.com/search_result?note_id=${note}`, `xiaohongshu post ${note}`],
    [`https://www.xiaohongshu.com/goods?noteId=${note}`, `xiaohongshu post ${note}`],
    ['http://xhslink.com/a/EZ4M9TwMA6c3', 'xiaohongshu short http://xhslink.com/a/EZ4M9TwMA6c3'],
    ['https://xhslink.com/m/6qXx', 'xiaohongshu short https://xhslink.com/m/6qXx'],
    [
      '32 澄砚发布了一篇笔记，快来看吧！ 😆 x1 😆 http://xhslink.com/o/8Kd2Pq，复制本条信息！',
      'xiaohongshu short http://xhslink.com/o/8Kd2Pq',
    ],
    [`看这个 https://www.xiaohongshu.com/explore/${note}。`, `xiaohongshu post ${note}`],
    [`https://www.xiaohongshu.com/user/profile/${note}`, 'xiaohongshu other'],
  ],
  kuaishou: [
    ['https://www.kuaishou.com/short-video/3xtqg8m4w9yrvje', 'kuaishou post 3xtqg8m4w9yrvje'],
    ['https://www.kuaishou.com/photo/3xabc/3xtqg8m4w9yrvje', 'kuaishou post 3xtqg8m4w9yrvje'],
    ['https://www.kuaishou.com/photo/3xtqg8m4w9yrvje', 'kuaishou post 3xtqg8m4w9yrvje'],
    ['https://m.kuaishou.com/fw/photo/3xtqg8m4w9yrvje', 'kuaishou post 3xtqg8m4w9yrvje'],
    [
      'https://v.m.chenzhongtech.com/fw/photo/3xtqg8m4w9yrvje?cc=1',
      'kuaishou post 3xtqg8m4w9yrvje',
    ],
    ['https://www.kuaishou.com/long-video/3xtqg8m4w9yrvje', 'kuaishou post 3xtqg8m4w9yrvje'],
    ['https://m.gifshow.com/fw/photo/3xtqg8m4w9yrvje', 'kuaishou post 3xtqg8m4w9yrvje'],
    ['https://live.kuaishou.com/u/abc123/3xtqg8m4w9yrvje', 'kuaishou post 3xtqg8m4w9yrvje'],
    ['https://www.kuaishou.com/fw/long-video/3xtqg8m4w9yrvje', 'kuaishou post 3xtqg8m4w9yrvje'],
    ['https://www.gifshow.com/fw/photo/3xtqg8m4w9yrvje', 'kuaishou post 3xtqg8m4w9yrvje'],
    ['https://www.kuaishou.com/profile/a?photoId=3xtqg8m4w9yrvje', 'kuaishou post 3xtqg8m4w9yrvje'],
    ['https://m.kuaishou.com/x?shareObjectId=3xtqg8m4w9yrvje', 'kuaishou post 3xtqg8m4w9yrvje'],
    ['https://v.kuaishou.com/8qIlZu', 'kuaishou short https://v.kuaishou.com/8qIlZu'],
    ['https://v.kuaishou.com/s/8qIlZu', 'kuaishou short https://v.kuaishou.com/s/8qIlZu'],
    ['https://v.kuaishouapp.com/s/pprwLFYq', 'kuaishou short https://v.kuaishouapp.com/s/pprwLFYq'],
    [
      'https://www.kuaishou.com/f/X-4bKq8Wx2ds',
      'kuaishou short https://www.kuaishou.com/f/X-4bKq8Wx2ds',
    ],
    [
      '快手，记录世界 https://v.kuaishou.com/8qIlZu 新模型上手 点击链接，打开【快手】观看！',
      'kuaishou short https://v.kuaishou.com/8qIlZu',
    ],
  ],
  bilibili: [
    [`https://www.bilibili.com/video/${bv}`, `bilibili post ${bv}`],
    [
      `https://www.bilibili.com/video/${bv}/?spm_id_from=333.1007&vd_source=ab`,
      `bilibili post ${bv}`,
    ],
    ['https://www.bilibili.com/video/av113736958350047', `bilibili post ${bv}`],
    [`https://m.bilibili.com/video/${bv}`, `bilibili post ${bv}`],
    [`https://www.bilibili.com/s/video/${bv}`, `bilibili post ${bv}`],
    [`https://www.bilibili.com/video/${bv}?p=2`, `bilibili post ${bv}`],
    [`https://www.bilibili.com/${bv}`, `bilibili post ${bv}`],
    [`https://www.bilibili.com/list/watchlater?bvid=${bv}&oid=1`, `bilibili post ${bv}`],
    [`https://www.bilibili.com/list/12345/${bv}`, `bilibili post ${bv}`],
    [`https://www.bilibili.com/festival/2026x?bvid=${bv}`, `bilibili post ${bv}`],
    [`https://player.bilibili.com/player.html?bvid=${bv}&page=1`, `bilibili post ${bv}`],
    ['https://player.bilibili.com/player.html?aid=113736958350047', `bilibili post ${bv}`],
    [`https://b23.tv/${bv}`, `bilibili post ${bv}`],
    ['https://b23.tv/av113736958350047', `bilibili post ${bv}`],
    ['https://b23.tv/a7qkGiX', 'bilibili short https://b23.tv/a7qkGiX'],
    ['https://bili2233.cn/a7qkGiX', 'bilibili short https://bili2233.cn/a7qkGiX'],
    [
      '【发布会全程】 https://www.bilibili.com/video/BV1ft6hYxE75/?share_source=copy_web',
      `bilibili post ${bv}`,
    ],
    ['【发布会全程-哔哩哔哩】 https://b23.tv/a7qkGiX', 'bilibili short https://b23.tv/a7qkGiX'],
  ],
  weibo: [
    ['https://weibo.com/1642634100/z0JH2lOMb', 'weibo post 3501756485200075'],
    ['https://weibo.com/1642634100/z0JH2lOMb?type=comment', 'weibo post 3501756485200075'],
    ['https://www.weibo.com/1642634100/3501756485200075', 'weibo post 3501756485200075'],
    ['https://m.weibo.cn/status/3501756485200075', 'weibo post 3501756485200075'],
    ['https://m.weibo.cn/status/z0JH2lOMb?sourceType=weixin', 'weibo post 3501756485200075'],
    ['https://m.weibo.cn/detail/3501756485200075', 'weibo post 3501756485200075'],
    ['https://m.weibo.cn/1642634100/3501756485200075', 'weibo post 3501756485200075'],
    ['https://m.weibo.cn/statuses/3501756485200075', 'weibo post 3501756485200075'],
    ['https://weibo.cn/comment/z0JH2lOMb?uid=1642634100', 'weibo post 3501756485200075'],
    ['https://weibo.cn/repost/z0JH2lOMb', 'weibo post 3501756485200075'],
    ['https://weibo.com/detail/3501756485200075', 'weibo post 3501756485200075'],
    ['https://weibo.com/status/z0JH2lOMb', 'weibo post 3501756485200075'],
    ['https://weibo.com/u/1642634100/z0JH2lOMb', 'weibo post 3501756485200075'],
    [
      'https://share.api.weibo.cn/share/12345.html?weibo_id=3501756485200075',
      'weibo post 3501756485200075',
    ],
    ['https://weibo.com/ajax/statuses/3501756485200075', 'weibo post 3501756485200075'],
    ['https://www.weibo.com/ajax/statuses/show?id=z0JH2lOMb', 'weibo post 3501756485200075'],
    ['http://t.cn/A6Zwiwbs', 'weibo short http://t.cn/A6Zwiwbs'],
    ['澄砚科技的微博 http://t.cn/A6Zwiwbs ​', 'weibo short http://t.cn/A6Zwiwbs'],
    ['https://weibo.com/u/1642634100', 'weibo other'],
  ],
  zhihu: [
    ['https://www.zhihu.com/question/381784377/answer/1099438784', 'zhihu answer 1099438784'],
    [
      'https://www.zhihu.com/question/381784377/answer/1099438784?utm_id=0',
      'zhihu answer 1099438784',
    ],
    ['https://www.zhihu.com/question/381784377/answers/1099438784', 'zhihu answer 1099438784'],
    ['https://www.zhihu.com/answer/1099438784', 'zhihu answer 1099438784'],
    ['https://www.zhihu.com/appview/answer/1099438784', 'zhihu answer 1099438784'],
    ['https://www.zhihu.com/tardis/zm/ans/1099438784', 'zhihu answer 1099438784'],
    ['https://www.zhihu.com/tardis/bd/ans/1099438784?source_id=1', 'zhihu answer 1099438784'],
    ['https://zhuanlan.zhihu.com/p/661234567', 'zhihu article 661234567'],
    ['https://zhuanlan.zhihu.com/p/661234567?share_code=x', 'zhihu article 661234567'],
    ['https://www.zhihu.com/column/p/661234567', 'zhihu article 661234567'],
    ['https://zhuanlan.zhihu.com/api/articles/661234567', 'zhihu article 661234567'],
    ['https://www.zhihu.com/tardis/zm/art/661234567', 'zhihu article 661234567'],
    ['https://www.zhihu.com/appview/p/661234567', 'zhihu article 661234567'],
    ['https://www.zhihu.com/pin/1745623598123456789', 'zhihu pin 1745623598123456789'],
    ['https://www.zhihu.com/zvideo/1345678901234567890', 'zhihu zvideo 1345678901234567890'],
    [
      '新模型？ - 某人的回答 - 知乎 https://www.zhihu.com/question/381784377/answer/1099438784',
      'zhihu answer 1099438784',
    ],
    ['https://www.zhihu.com/question/381784377', 'zhihu other'],
    [
      'https://link.zhihu.com/?target=https%3A//example.com',
      'zhihu short https://link.zhihu.com/?target=https%3A//example.com',
    ],
  ],
  wechat_channels: [
    [
      'https://channels.weixin.qq.com/web/pages/feed?oid=14846516519852050449',
      'wechat_channels post 14846516519852050449',
    ],
    [
      'https://channels.weixin.qq.com/web/pages/feed?eid=export%2FUzFfAgtg',
      'wechat_channels share export/UzFfAgtg',
    ],
    [
      'https://channels.weixin.qq.com/finder/feed/14846516519852050449',
      'wechat_channels post 14846516519852050449',
    ],
    [
      'https://channels.weixin.qq.com/web/pages/feed?objectId=14846516519852050449',
      'wechat_channels post 14846516519852050449',
    ],
    [
      'https://channels.weixin.qq.com/mobile-support/pages/feed?feedId=14846516519852050449',
      'wechat_channels post 14846516519852050449',
    ],
    [
      'https://channels.weixin.qq.com/share/video?id=14846516519852050449',
      'wechat_channels post 14846516519852050449',
    ],
    ['https://channels.weixin.qq.com/share/video?id=AbCdEf12', 'wechat_channels share AbCdEf12'],
    ['https://channels.weixin.qq.com/share/video/AbCdEf12', 'wechat_channels share AbCdEf12'],
    ['https://channels.weixin.qq.com/media/pages/u1/AbCdEf12', 'wechat_channels share AbCdEf12'],
    ['https://weixin.qq.com/sph/AoJihY6Lsm', 'wechat_channels share AoJihY6Lsm'],
    ['http://weixin.qq.com/sph/AoJihY6Lsm', 'wechat_channels share AoJihY6Lsm'],
    ['weixin.qq.com/sph/AoJihY6Lsm', 'wechat_channels share AoJihY6Lsm'],
    [
      'https://channels.weixin.qq.com/web/pages/feed?exportId=export_UzFfAgtg',
      'wechat_channels share export_UzFfAgtg',
    ],
    [
      'https://channels.weixin.qq.com/video/14846516519852050449',
      'wechat_channels post 14846516519852050449',
    ],
    [
      'https://channels.weixin.qq.com/post/14846516519852050449',
      'wechat_channels post 14846516519852050449',
    ],
    ['快来看看这个视频号 https://weixin.qq.com/sph/AoJihY6Lsm', 'wechat_channels share AoJihY6Lsm'],
    ['https://channels.weixin.qq.com/platform', 'wechat_channels other'],
  ],
  tiktok: [
    [`https://www.tiktok.com/@tessarune/video/${tik}`, `tiktok post ${tik}`],
    [`https://www.tiktok.com/@tessarune/video/${tik}?is_from_webapp=1`, `tiktok post ${tik}`],
    [`https://www.tiktok.com/@tessarune/photo/${tik}`, `tiktok post ${tik}`],
    [`https://www.tiktok.com/@/video/${tik}`, `tiktok post ${tik}`],
    [`https://m.tiktok.com/v/${tik}.html`, `tiktok post ${tik}`],
    [`https://www.tiktok.com/embed/${tik}`, `tiktok post ${tik}`],
    [`https://www.tiktok.com/embed/v2/${tik}`, `tiktok post ${tik}`],
    [`https://www.tiktok.com/player/v1/${tik}`, `tiktok post ${tik}`],
    [`https://www.tiktok.com/share/video/${tik}`, `tiktok post ${tik}`],
    [`https://m.tiktok.com/i18n/share/video/${tik}/`, `tiktok post ${tik}`],
    [`https://www.tiktok.com/video/${tik}`, `tiktok post ${tik}`],
    [`https://www.tiktok.com/foryou?item_id=${tik}`, `tiktok post ${tik}`],
    [`https://www.tiktok.com/x?share_item_id=${tik}`, `tiktok post ${tik}`],
    ['https://vm.tiktok.com/ZMabc123/', 'tiktok short https://vm.tiktok.com/ZMabc123/'],
    ['https://vt.tiktok.com/ZSabc123/', 'tiktok short https://vt.tiktok.com/ZSabc123/'],
    ['https://www.tiktok.com/t/ZTabc123/', 'tiktok short https://www.tiktok.com/t/ZTabc123/'],
    ['Watch this! https://vm.tiktok.com/ZMabc123/', 'tiktok short https://vm.tiktok.com/ZMabc123/'],
    ['https://www.tiktok.com/@tessarune', 'tiktok other'],
  ],
  youtube: [
    [`https://www.youtube.com/watch?v=${yt}`, `youtube post ${yt}`],
    [`https://www.youtube.com/watch?list=PL1&v=${yt}&t=42s`, `youtube post ${yt}`],
    [`https://m.youtube.com/watch?v=${yt}`, `youtube post ${yt}`],
    [`https://music.youtube.com/watch?v=${yt}`, `youtube post ${yt}`],
    [`https://youtu.be/${yt}`, `youtube post ${yt}`],
    [`https://youtu.be/${yt}?si=AbC&t=3`, `youtube post ${yt}`],
    [`https://www.youtube.com/shorts/${yt}`, `youtube post ${yt}`],
    [`https://youtube.com/shorts/${yt}?feature=share`, `youtube post ${yt}`],
    [`https://www.youtube.com/live/${yt}`, `youtube post ${yt}`],
    [`https://www.youtube.com/embed/${yt}?autoplay=1`, `youtube post ${yt}`],
    [`https://www.youtube-nocookie.com/embed/${yt}`, `youtube post ${yt}`],
    [`https://www.youtube.com/v/${yt}`, `youtube post ${yt}`],
    [`https://www.youtube.com/e/${yt}`, `youtube post ${yt}`],
    [`https://www.youtube.com/watch_popup?v=${yt}`, `youtube post ${yt}`],
    [`https://www.youtube.com/?v=${yt}`, `youtube post ${yt}`],
    [`https://www.youtube.com/attribution_link?u=%2Fwatch%3Fv%3D${yt}`, `youtube post ${yt}`],
    [`youtube.com/watch?v=${yt}`, `youtube post ${yt}`],
    [`See https://youtu.be/${yt}, it is short.`, `youtube post ${yt}`],
    ['https://www.youtube.com/@tessarune', 'youtube other'],
  ],
  twitter: [
    [`https://x.com/tessarune/status/${tweet}`, `twitter post ${tweet}`],
    [`https://twitter.com/tessarune/status/${tweet}?s=20`, `twitter post ${tweet}`],
    [`https://mobile.twitter.com/tessarune/status/${tweet}`, `twitter post ${tweet}`],
    [`https://www.twitter.com/tessarune/statuses/${tweet}`, `twitter post ${tweet}`],
    [`https://x.com/i/status/${tweet}`, `twitter post ${tweet}`],
    [`https://x.com/i/web/status/${tweet}`, `twitter post ${tweet}`],
    [`https://twitter.com/statuses/${tweet}`, `twitter post ${tweet}`],
    [`https://twitter.com/#!/tessarune/status/${tweet}`, `twitter post ${tweet}`],
    [`https://x.com/tessarune/status/${tweet}/photo/1`, `twitter post ${tweet}`],
    [`https://x.com/tessarune/status/${tweet}/video/1`, `twitter post ${tweet}`],
    [`https://x.com/tessarune/article/${tweet}`, `twitter post ${tweet}`],
    [`https://twitter.com/i/videos/tweet/${tweet}`, `twitter post ${tweet}`],
    [`https://twitter.com/intent/tweet?in_reply_to=${tweet}`, `twitter post ${tweet}`],
    [`https://x.com/intent/like?tweet_id=${tweet}`, `twitter post ${tweet}`],
    [`x.com/tessarune/status/${tweet}`, `twitter post ${tweet}`],
    ['https://t.co/AbCdEf1234', 'twitter short https://t.co/AbCdEf1234'],
    [`New: https://t.co/AbCdEf1234.`, 'twitter short https://t.co/AbCdEf1234'],
    ['https://x.com/tessarune', 'twitter other'],
  ],
  instagram: [
    ['https://www.instagram.com/p/DPwhVB-jo9k/', 'instagram post DPwhVB-jo9k'],
    ['https://www.instagram.com/p/DPwhVB-jo9k/?img_index=2', 'instagram post DPwhVB-jo9k'],
    ['https://www.instagram.com/reel/DPwhVB-jo9k/', 'instagram post DPwhVB-jo9k'],
    ['https://www.instagram.com/reels/DPwhVB-jo9k/', 'instagram post DPwhVB-jo9k'],
    ['https://www.instagram.com/tv/DPwhVB-jo9k/', 'instagram post DPwhVB-jo9k'],
    ['https://www.instagram.com/tessarune/p/DPwhVB-jo9k/', 'instagram post DPwhVB-jo9k'],
    ['https://www.instagram.com/tessarune/reel/DPwhVB-jo9k/?igsh=x', 'instagram post DPwhVB-jo9k'],
    ['https://instagram.com/p/DPwhVB-jo9k', 'instagram post DPwhVB-jo9k'],
    ['https://m.instagram.com/p/DPwhVB-jo9k/', 'instagram post DPwhVB-jo9k'],
    ['http://instagr.am/p/DPwhVB-jo9k/', 'instagram post DPwhVB-jo9k'],
    ['https://www.instagram.com/p/DPwhVB-jo9k/embed/', 'instagram post DPwhVB-jo9k'],
    ['https://www.instagram.com/p/DPwhVB-jo9k/media/?size=l', 'instagram post DPwhVB-jo9k'],
    ['instagram.com/reel/DPwhVB-jo9k', 'instagram post DPwhVB-jo9k'],
    [
      'https://www.instagram.com/share/p/BAAAbCdEf',
      'instagram short https://www.instagram.com/share/p/BAAAbCdEf',
    ],
    [
      'https://www.instagram.com/share/reel/BAAAbCdEf/',
      'instagram short https://www.instagram.com/share/reel/BAAAbCdEf/',
    ],
    ['https://ig.me/AbCdEf', 'instagram short https://ig.me/AbCdEf'],
    ['https://www.instagram.com/tessarune/', 'instagram other'],
    ['https://www.instagram.com/reels/audio/123456/', 'instagram other'],
  ],
};

describe.each(platforms.map(({ id }) => id))('%s', (platform) => {
  const rows = linkForms[platform];

  test('has at least fifteen forms of links', () => {
    expect(rows.length).toBeGreaterThanOrEqual(15);
  });

  test.each(rows)('reads the link %s', (text, expected) => {
    expect(describeLink(readLink(text))).toBe(expected);
  });
});

describe('a text without a link of the eleven platforms', () => {
  test.each([
    'https://example.com/video/7412345678901234567',
    'https://www.douyin.com.example.com/video/7412345678901234567',
    'https://notdouyin.com/video/7412345678901234567',
    'https://user:secret@www.douyin.com/video/7412345678901234567',
    'https://www.douyin.com:8443/video/7412345678901234567',
    'ftp://www.douyin.com/video/7412345678901234567',
    'http://127.0.0.1/video/7412345678901234567',
    'no link at all',
    '',
  ])('%s gives no link', (text) => {
    expect(readLink(text)).toBeNull();
  });
});

test('a note keeps the token that makes it visible to strangers', () => {
  const link = readLink(`https://www.xiaohongshu.com/explore/${note}?xsec_token=AB%3D&a=1`);
  expect(link).toMatchObject({
    ref: { url: `https://www.xiaohongshu.com/explore/${note}?xsec_token=AB%3D` },
  });
});

test('av numbers become BV ids as on bilibili', () => {
  expect(bilibiliId('av2')).toBe('BV1xx411c7mD');
  expect(bilibiliId('av0')).toBeNull();
});

test('weibo ids of letters become numbers', () => {
  expect(weiboId('z0JH2lOMb')).toBe('3501756485200075');
  expect(weiboId('short')).toBeNull();
});
