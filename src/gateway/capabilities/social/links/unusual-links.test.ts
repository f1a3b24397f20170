// Unusual forms of links: sign-in and consent pages before a post, mirrors, embedded players, and
// texts that contain one or several links.
import { describe, expect, test } from 'vitest';
import { platforms } from '../platforms.ts';
import { platformOfLink, readLink } from './read-link.ts';

const aweme = '7412345678901234567';
const note = '66d0a1b2000000001e01c3f4';
const photo = '3xtqg8m4w9yrvje';
const bv = 'BV1ft6hYxE75';
const mid = '3501756485200075';
const video = '14846516519852050449';
const tik = '7399999999999999999';
const yt = 'dQw4w9WgXcQ';
const tweet = '1835124037934367098';
const reel = 'DPwhVB-jo9k';

const inField = (address: string) => encodeURIComponent(`https://www.${address}`);

/** The expected id of the post, or the short link to resolve. */
const shapes: Readonly<Record<(typeof platforms)[number]['id'], Readonly<Record<string, string>>>> =
  {
    douyin: {
      [`https://jingxuan.douyin.com/m/video/${aweme}?app=yumme`]: aweme,
      [`https://www.douyin.com/jingxuan?modal_id=${aweme}`]: aweme,
      [`https://open.douyin.com/player/video?vid=${aweme}&autoplay=0`]: aweme,
      [`https://www.douyin.com./video/${aweme}`]: aweme,
      [`https://www.douyin.com//video/${aweme}`]: aweme,
      [`看 https://www.douyin.com/search/新模型?modal_id=${aweme} 吧`]: aweme,
      [`主页 https://www.douyin.com/user/MS4w 视频 https://www.douyin.com/video/${aweme}`]: aweme,
      'HTTPS://V.DOUYIN.COM/iRNBho6u/': 'https://v.douyin.com/iRNBho6u/',
      '复制https://v.douyin.com/-6c8Ck2w_1Q/打开抖音': 'https://v.douyin.com/-6c8Ck2w_1Q/',
      'https://v.douyin.com/iRNBho6u/）快看～': 'https://v.douyin.com/iRNBho6u/',
    },
    xiaohongshu: {
      [`https://www.xiaohongshu.com/search_result/${note}?xsec_token=AB`]: note,
      [`https://www.rednote.com/explore/${note}?xsec_token=AB`]: note,
      [`https://www.xiaohongshu.com/login?redirectPath=${inField(`xiaohongshu.com/note/${note}`)}`]:
        note,
      [`https://oia.xiaohongshu.com/oia?deeplink=xhsdiscover%3A%2F%2Fitem%2F${note}%3Ftype%3Dn`]:
        note,
      [`https://www.xiaohongshu.com/discovery/item/${note}?app_platform=ios&amp;type=normal`]: note,
      [`XIAOHONGSHU.COM/explore/${note}`]: note,
      [`https://www.xiaohongshu.com/explore/${note}😆`]: note,
      'https://xhslink.cn/o/AbC123': 'https://xhslink.cn/o/AbC123',
      'https://xhs.cn/AbC123': 'https://xhs.cn/AbC123',
      '快来看吧！😆http://xhslink.com/AbC123，复制': 'http://xhslink.com/AbC123',
    },
    kuaishou: {
      [`https://c.kuaishou.com/fw/photo/${photo}?fid=1`]: photo,
      'https://www.kuaishou.com/photo/83855155/1570966666': '1570966666',
      [`https://m.kuaishou.com/photo/3xuser9/${photo}`]: photo,
      [`https://www.kuaishou.com/video/${photo}`]: photo,
      [`https://video.kuaishou.com/short-video/${photo}?authorId=3x`]: photo,
      [`https://m.yxixy.com/fw/photo/${photo}`]: photo,
      [`https://kphbeijing.m.chenzhongtech.com/fw/photo/${photo}`]: photo,
      'https://v.kuaishou.com/8qIlZu。': 'https://v.kuaishou.com/8qIlZu',
      'https://www.gifshow.com/s/abc123': 'https://www.gifshow.com/s/abc123',
      '→https://v.kuaishou.com/8qIlZu "新模型"': 'https://v.kuaishou.com/8qIlZu',
    },
    bilibili: {
      [`https://www.bilibili.com/medialist/play/watchlater/${bv}`]: bv,
      [`https://www.bilibili.com/medialist/play/ml123456/${bv}?oid=1`]: bv,
      'https://www.bilibili.com/list/ml123?oid=113736958350047&otype=2': bv,
      [`https://www.bilibili.com/watchlater/#/${bv}/p1`]: bv,
      'http://www.bilibili.com/mobile/video/av113736958350047.html': bv,
      [`https://passport.bilibili.com/login?gourl=https%3A%2F%2Fwww.bilibili.com%2Fvideo%2F${bv}`]:
        bv,
      [`//player.bilibili.com/player.html?bvid=${bv}`]: bv,
      [`https://www.bilibili.com/video/${bv}&amp;p=2`]: bv,
      [`https://www.bilibili.com/video/${bv}！好看`]: bv,
      '【【4K】新模型-哔哩哔哩】https://b23.tv/a7qkGiX': 'https://b23.tv/a7qkGiX',
    },
    weibo: {
      [`https://weibo.com/0/${mid}`]: mid,
      'https://weibo.com/tv/v/z0JH2lOMb?fid=1034:abc': mid,
      [`https://weibo.com/tv/show/1034:4987654321098765?mid=${mid}`]: mid,
      [`https://photo.weibo.com/1642634100/wbphotos/large/mid/${mid}/pid/61e36371`]: mid,
      [`https://passport.weibo.com/visitor/visitor?url=${inField('weibo.com/1/z0JH2lOMb')}&a=b`]:
        mid,
      [`http://api.weibo.com/2/statuses/go?uid=1642634100&id=${mid}`]: mid,
      [`https://overseas.weibo.com/detail/${mid}`]: mid,
      'https://weibo.com/1642634100/z0JH2lOMb"': mid,
      [`https://m.weibo.cn/detail/${mid}#&gid=1&pid=2`]: mid,
      [`https://m.weibo.cn/s/video/index?object_id=1034%3A43&blog_mid=${mid}`]: mid,
      [`https://weibo.com/u/1642634100?layerid=${mid}`]: mid,
      'https://mapp.api.weibo.cn/fx/233911ddcc6bffea835a55e725fb0ebc.html':
        'https://mapp.api.weibo.cn/fx/233911ddcc6bffea835a55e725fb0ebc.html',
      '@澄砚：https://t.cn/A6Zwiwbs。': 'https://t.cn/A6Zwiwbs',
    },
    zhihu: {
      'https://www.zhihu.com/oia/answers/1099438784': '1099438784',
      'https://www.zhihu.com/oia/pins/1745623598123456789': '1745623598123456789',
      'https://www.zhihu.com/signin?next=%2Fquestion%2F381784377%2Fanswer%2F1099438784':
        '1099438784',
      'https://link.zhihu.com/?target=https%3A//www.zhihu.com/answer/1099438784': '1099438784',
      'https://zhuanlan.zhihu.com/xiepanda/20012345': '20012345',
      'https://www.zhihu.com/tardis/landing/m/360/ans/1099438784': '1099438784',
      'https://www.zhihu.com/en/answer/1099438784': '1099438784',
      'https://www.zhihu.com/en/article/661234567': '661234567',
      'https://www.zhihu.com/appview/v2/answer/1099438784': '1099438784',
      'https://www.zhihu.com/aria/question/381784377/answer/1099438784': '1099438784',
      '问题 https://www.zhihu.com/question/1 回答 https://www.zhihu.com/answer/1099438784':
        '1099438784',
    },
    wechat_channels: {
      [`https://channels.weixin.qq.com/finder-preview/pages/feed?feedid=${video}`]: video,
      [`https://channels.weixin.qq.com/finder-h5/pages/video?id=${video}`]: video,
      [`https://channels.weixin.qq.com/web/pages/feed/?oid=${video}&nid=0`]: video,
      'https://channels.weixin.qq.com/finder-preview/pages/sph?id=AoJihY6Lsm': 'AoJihY6Lsm',
      'https://www.weixin.qq.com/sph/AoJihY6Lsm': 'AoJihY6Lsm',
      'https://channels.weixin.qq.com/web/pages/feed?oid=zglsHVXACBE&nid=d3pMFaDgxy4': video,
      'HTTPS://WEIXIN.QQ.COM/sph/AoJihY6Lsm': 'AoJihY6Lsm',
      'https://weixin.qq.com/sph/AoJihY6Lsm/?from=timeline': 'AoJihY6Lsm',
      'weixin.qq.com/sph/AoJihY6Lsm，快看': 'AoJihY6Lsm',
      '视频号：https://weixin.qq.com/sph/AoJihY6Lsm。': 'AoJihY6Lsm',
      '文章 https://mp.weixin.qq.com/s/AbCd 视频 https://weixin.qq.com/sph/AoJihY6Lsm':
        'AoJihY6Lsm',
    },
    tiktok: {
      [`https://www.tiktok.com/%40tessarune/video/${tik}`]: tik,
      [`https://www.tiktok.com/trending?shareId=${tik}`]: tik,
      [`https://www.tiktok.com/foryou?lang=en#/@tessarune/video/${tik}`]: tik,
      [`https://www.tiktok.com/oembed?url=https://www.tiktok.com/@x/video/${tik}`]: tik,
      [`https://www.tiktok.com/login?redirect_url=${inField(`tiktok.com/@a/video/${tik}`)}`]: tik,
      [`https://www.vxtiktok.com/@tessarune/video/${tik}`]: tik,
      [`https://us.tiktok.com/@tessa.rune_1/video/${tik}`]: tik,
      [`https://www.tiktok.com/@tessarune/story/${tik}`]: tik,
      [`https://www.tiktok.com/@tessarune/video/${tik}!!`]: tik,
      'https://lite.tiktok.com/t/ZSxyz/': 'https://lite.tiktok.com/t/ZSxyz/',
      '#TikTok >> https://vm.tiktok.com/ZM1/ via https://www.tiktok.com/tiktoklite':
        'https://vm.tiktok.com/ZM1/',
    },
    youtube: {
      [`https://consent.youtube.com/m?continue=${inField(`youtube.com/watch?v=${yt}`)}`]: yt,
      [`https://www.youtube.com/oembed?url=https%3A//youtu.be/${yt}&format=json`]: yt,
      [`https://studio.youtube.com/video/${yt}/edit`]: yt,
      [`https://img.youtube.com/vi/${yt}/hqdefault.jpg`]: yt,
      [`http://www.youtube.com/user/tessarune#p/u/1/${yt}`]: yt,
      [`http://m.youtube.com/#/watch?v=${yt}`]: yt,
      [`https://www.youtubekids.com/watch?v=${yt}`]: yt,
      [`https://www.youtube.com/live_chat?is_popout=1&v=${yt}`]: yt,
      [`https://www.youtube.com/source/${yt}/shorts`]: yt,
      [`https://www.youtube.com/watch?app=desktop&amp;v=${yt}`]: yt,
      [`[video](https://youtu.be/${yt})`]: yt,
      [`“https://youtu.be/${yt}”\u200b`]: yt,
    },
    twitter: {
      [`https://fxtwitter.com/a/status/${tweet}`]: tweet,
      [`https://fixupx.com/a/status/${tweet}`]: tweet,
      [`https://platform.twitter.com/embed/Tweet.html?dnt=false&id=${tweet}`]: tweet,
      [`https://x.com/i/flow/login?redirect_after_login=%2Fa%2Fstatus%2F${tweet}`]: tweet,
      [`https://publish.twitter.com/?query=https%3A%2F%2Ftwitter.com%2Fa%2Fstatus%2F${tweet}`]:
        tweet,
      [`https://x.com/intent/retweet?tweet_id=${tweet}`]: tweet,
      [`https://x.com/i/bookmarks?post_id=${tweet}`]: tweet,
      [`https://x.com/@a/status/${tweet}`]: tweet,
      'pic.x.com/AbCdEf1234': 'https://pic.x.com/AbCdEf1234',
      'https://pic.twitter.com/AbCdEf1234': 'https://pic.twitter.com/AbCdEf1234',
    },
    instagram: {
      [`https://www.instagram.com/accounts/login/?next=/p/${reel}/`]: reel,
      [`https://www.instagram.com/accounts/login/?next=${inField(`instagram.com/reel/${reel}/`)}`]:
        reel,
      [`https://l.instagram.com/?u=https%3A%2F%2Fwww.instagram.com%2Fp%2F${reel}%2F&e=AT`]: reel,
      [`https://api.instagram.com/oembed/?url=https%3A%2F%2Finstagram.com%2Fp%2F${reel}%2F`]: reel,
      [`https://www.kkinstagram.com/reel/${reel}/`]: reel,
      [`https://www.vxinstagram.com/reel/${reel}/`]: reel,
      [`https://www.instagram.com/p/${reel}/c/17912345678901234/`]: reel,
      [`INSTAGRAM.COM/p/${reel}`]: reel,
      [`https://www.instagram.com/reel/${reel}/?igsh=MzRlODBiNWFlZA==`]: reel,
      'https://www.instagram.com/share/r/BAAAbCdEf': 'https://www.instagram.com/share/r/BAAAbCdEf',
    },
  };

describe.each(platforms.map(({ id }) => id))('%s', (platform) => {
  test.each(Object.entries(shapes[platform]))('finds the post of %s', (text, expected) => {
    const link = readLink(text);
    const id = link?.kind === 'post' ? link.ref.id : link?.kind === 'short' ? link.url : null;
    expect([link && platformOfLink(link), id]).toEqual([platform, expected]);
  });
});

test('chooses the link of the requested platform among several links', () => {
  const text = `https://t.co/AbCdEf1234 and https://youtu.be/${yt}`;
  expect(readLink(text, 'youtube')).toMatchObject({ kind: 'post', ref: { id: yt } });
  expect(readLink(text, 'twitter')).toMatchObject({ kind: 'short', platform: 'twitter' });
  expect(readLink(text, 'weibo')).toMatchObject({ kind: 'short', platform: 'twitter' });
  const profile = `https://x.com/tessarune and https://youtu.be/${yt}`;
  expect(readLink(profile, 'twitter')).toEqual({ kind: 'other', platform: 'twitter' });
});

test('a playlist, a live stream, a WeChat article and a link to another site are no posts', () => {
  for (const name of ['videoseries?list=PL1', 'live_stream?channel=UC1']) {
    const link = readLink(`https://www.youtube.com/embed/${name}`);
    expect(link).toEqual({ kind: 'other', platform: 'youtube' });
  }
  expect(readLink('https://mp.weixin.qq.com/s/AbCdEfGh')).toBeNull();
  const outside = `https://www.youtube.com/redirect?q=https%3A%2F%2Fexample.com&v=${yt}`;
  expect(readLink(outside)).toEqual({ kind: 'other', platform: 'youtube' });
});
