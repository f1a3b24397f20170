// Renders posts of the demonstration in the formats of the Chinese platforms, as a provider like
// TikHub returns them, with irregularities of the real responses. Each function returns the
// platform's object of that name.
import { type DemoPost, hashToNumber, makeDigits, makeLetters } from './posts.ts';

const cdn = (kind: string, post: DemoPost) => `https://cdn.example/${kind}/${post.number}`;

export function aweme(post: DemoPost, id: string) {
  return {
    aweme_id: id,
    desc: `${post.text} ${post.tags.map((tag) => `#${tag}`).join(' ')}`,
    create_time: post.at,
    author: {
      uid: makeDigits(post.handle, 15),
      sec_uid: `MS4wLjABAAAA${makeLetters(post.handle, 20)}`,
      nickname: post.company.zh,
      avatar_thumb: { url_list: [`https://cdn.example/avatar/${post.handle}.jpeg`] },
    },
    statistics: {
      aweme_id: id,
      play_count: 0,
      digg_count: post.likes,
      comment_count: post.comments,
      share_count: post.shares,
      collect_count: post.favorites,
    },
    video: {
      play_addr: { url_list: [`${cdn('dy', post)}.mp4`, `${cdn('dy2', post)}.mp4`] },
      width: 1080,
      height: 1920,
      duration: post.seconds * 1000,
    },
    images: null,
    text_extra: [...post.tags.map((tag) => ({ hashtag_name: tag, type: 1 })), { type: 0 }],
    share_url: `https://www.iesdouyin.com/share/video/${id}/?did=1`,
  };
}

export function note(post: DemoPost, id: string) {
  const isVideo = post.number % 3 === 0;
  return {
    id,
    title: post.title,
    desc: `${post.text}\n${post.tags.map((tag) => `#${tag}[话题]#`).join(' ')}`,
    type: isVideo ? 'video' : 'normal',
    time: post.at,
    user: {
      userid: `60967c79${makeLetters(post.handle, 16).toLowerCase()}`,
      nickname: post.company.zh,
      image: `https://cdn.example/avatar/${post.handle}.jpeg`,
    },
    images_list: [{ url: `${cdn('xhs', post)}.webp`, width: 1080, height: 1440 }],
    ...(isVideo && {
      video_info_v2: {
        media: {
          stream: {
            h264: [
              {
                master_url: `${cdn('xhs', post)}.mp4`,
                width: 720,
                height: 1280,
                duration: post.seconds * 1000,
              },
            ],
          },
        },
      },
    }),
    view_count: 0,
    liked_count: post.likes,
    comments_count: post.comments,
    shared_count: post.shares,
    collected_count: post.favorites,
    hash_tag: post.tags.map((name) => ({ id: makeLetters(name, 12), name, type: 'topic' })),
  };
}

export function photo(post: DemoPost, id: string) {
  return {
    photoId: id,
    caption: `${post.text} ${post.tags.map((tag) => `#${tag}`).join(' ')}`,
    timestamp: post.at * 1000,
    userEid: `3x${makeLetters(post.handle, 12).toLowerCase()}`,
    userName: post.company.zh,
    headUrl: `https://cdn.example/avatar/${post.handle}.jpeg`,
    viewCount: post.views,
    likeCount: post.likes,
    commentCount: post.comments,
    shareCount: post.shares,
    width: 720,
    height: 1280,
    duration: post.seconds * 1000,
    mainMvUrls: [{ cdn: 'a.example', url: `${cdn('ks', post)}.mp4` }],
    coverUrls: [{ cdn: 'a.example', url: `${cdn('ks', post)}.jpg` }],
  };
}

export function feed(post: DemoPost, id: string) {
  return {
    photo_id: hashToNumber(`inner ${id}`) * 1024,
    caption: `${post.text} ${post.tags.map((tag) => `#${tag}`).join(' ')}`,
    timestamp: post.at * 1000,
    user_name: post.company.zh,
    headurl: `https://cdn.example/avatar/${post.handle}.jpeg`,
    view_count: post.views,
    like_count: post.likes,
    comment_count: post.comments,
    forward_count: post.shares,
    share_info: `userId=3x${makeLetters(post.handle, 12).toLowerCase()}&photoId=${id}`,
    duration: post.seconds * 1000,
    main_mv_urls: [{ cdn: 'a.example', url: `${cdn('ks', post)}.mp4` }],
    cover_thumbnail_urls: [{ cdn: 'a.example', url: `${cdn('ks', post)}.jpg` }],
  };
}

export function view(post: DemoPost, bvid: string) {
  return {
    bvid,
    aid: hashToNumber(bvid),
    title: post.title,
    desc: post.text,
    pic: `http://i0.example/bfs/${post.number}.jpg`,
    pubdate: post.at,
    duration: post.seconds,
    dimension: { width: 1920, height: 1080, rotate: 0 },
    owner: {
      mid: hashToNumber(post.handle),
      name: post.company.zh,
      face: `https://cdn.example/avatar/${post.handle}.jpeg`,
    },
    stat: {
      aid: hashToNumber(bvid),
      view: post.views,
      danmaku: 12,
      reply: post.comments,
      favorite: post.favorites,
      coin: 7,
      share: post.shares,
      like: post.likes,
    },
  };
}

export function bilibiliResult(post: DemoPost, bvid: string, keyword: string) {
  const minutes = Math.floor(post.seconds / 60);
  return {
    type: 'video',
    bvid,
    aid: hashToNumber(bvid),
    mid: hashToNumber(post.handle),
    author: post.company.zh,
    title: post.title.replaceAll(keyword, `<em class="keyword">${keyword}</em>`),
    description: post.text,
    pic: `//i0.example/bfs/${post.number}.jpg`,
    upic: `//cdn.example/avatar/${post.handle}.jpeg`,
    pubdate: post.at,
    duration: `${minutes}:${String(post.seconds % 60).padStart(2, '0')}`,
    play: post.views,
    like: post.likes,
    review: post.comments,
    favorites: post.favorites,
    tag: post.tags.join(','),
  };
}

const months = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');
const days = 'Sun Mon Tue Wed Thu Fri Sat'.split(' ');

/** `Sat Aug 22 20:00:00 +0800 2026`. */
function weiboTime(at: number): string {
  const date = new Date((at + 8 * 3600) * 1000);
  const timeOfDay = date.toISOString().slice(11, 19);
  const day = String(date.getUTCDate()).padStart(2, '0');
  const weekday = days[date.getUTCDay()];
  const month = months[date.getUTCMonth()];
  return `${weekday} ${month} ${day} ${timeOfDay} +0800 ${date.getUTCFullYear()}`;
}

export function status(post: DemoPost, id: string) {
  const imageId = makeLetters(`wb ${post.number}`, 20);
  return {
    created_at: weiboTime(post.at),
    id: Number(id.slice(0, 15)),
    idstr: id,
    mid: id,
    mblogid: makeLetters(id, 9),
    user: {
      id: hashToNumber(post.handle),
      idstr: String(hashToNumber(post.handle)),
      screen_name: post.company.zh,
      avatar_hd: `https://cdn.example/avatar/${post.handle}.jpeg`,
    },
    text_raw: `${post.text} ${post.tags.map((tag) => `#${tag}#`).join(' ')}`,
    text: `${post.text} <a href="//s.weibo.com">#${post.tags[0]}#</a>`,
    pic_ids: [imageId],
    pic_num: 1,
    pic_infos: {
      [imageId]: { large: { url: `${cdn('wb', post)}.jpg`, width: 1200, height: 900 } },
    },
    reposts_count: post.shares,
    comments_count: post.comments,
    attitudes_count: post.likes,
    topic_struct: post.tags.map((topic_title) => ({ topic_title })),
  };
}

export function weiboResult(post: DemoPost, id: string) {
  return {
    weibo_id: id,
    content: post.text,
    publish_time: '06月11日 20:00',
    user_name: String(hashToNumber(post.handle)),
    user_nick: post.company.zh,
    user_avatar: `https://cdn.example/avatar/${post.handle}.jpeg`,
    interaction: {
      repost_count: post.shares,
      comment_count: `${post.comments}`,
      like_count: post.likes,
    },
    media: { images: [`${cdn('wb', post)}.jpg`], videos: [] },
    post_url: `//weibo.com/${hashToNumber(post.handle)}/${makeLetters(id, 9)}`,
  };
}

export function writing(post: DemoPost, id: string, type: 'article' | 'answer') {
  const question = { id: hashToNumber(`q ${id}`), name: post.title, title: post.title };
  return {
    id: Number(id),
    type,
    ...(type === 'answer' ? { question } : { title: post.title }),
    content: `<p>${post.text}</p><p>&quot;${post.company.zh}&quot;</p>`,
    excerpt: post.text,
    author: {
      id: makeLetters(post.handle, 24),
      name: post.company.zh,
      url_token: post.handle,
      avatar_url: `https://cdn.example/avatar/${post.handle}.jpeg`,
    },
    ...(type === 'article' ? { created: post.at } : { created_time: post.at }),
    voteup_count: post.likes,
    comment_count: post.comments,
    favorites_count: post.favorites,
    topics: post.tags.map((name) => ({ id: makeLetters(name, 8), name })),
  };
}

export function finderObject(post: DemoPost, id: string) {
  return {
    id,
    nickname: post.company.zh,
    username: `v2_${makeLetters(post.handle, 30)}@finder`,
    createtime: post.at,
    object_desc: {
      description: `${post.text} ${post.tags.map((tag) => `#${tag} `).join('')}`,
      media: [
        {
          url: `${cdn('wx', post)}?encfilekey=1`,
          url_token: '&token=expires-soon',
          media_type: 4,
          video_play_len: post.seconds,
          width: 1080,
          height: 1920,
          decode_key: '1298440738',
          full_url: '',
        },
      ],
    },
    read_count: 0,
    like_count: post.likes,
    comment_count: post.comments,
    forward_count: post.shares,
    fav_count: post.favorites,
  };
}
