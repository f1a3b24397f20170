// Renders posts of the demonstration in the formats of TikTok, YouTube, X and Instagram. Each
// function returns the platform's object of that name.
import { type DemoPost, hashToNumber, makeDigits, makeLetters } from './posts.ts';

const cdn = (kind: string, post: DemoPost) => `https://cdn.example/${kind}/${post.number}`;

export function itemStruct(post: DemoPost, id: string) {
  return {
    id,
    desc: `${post.text} ${post.tags.map((tag) => `#${tag}`).join(' ')}`,
    createTime: String(post.at),
    author: {
      id: makeDigits(post.handle, 19),
      uniqueId: post.handle,
      nickname: post.company.name,
      avatarThumb: `https://cdn.example/avatar/${post.handle}.jpeg`,
    },
    stats: {
      playCount: post.views,
      diggCount: post.likes,
      commentCount: post.comments,
      shareCount: post.shares,
      collectCount: String(post.favorites),
    },
    video: {
      playAddr: `${cdn('tt', post)}.mp4`,
      width: 576,
      height: 1024,
      duration: post.seconds,
    },
    challenges: post.tags.map((title) => ({ id: makeLetters(title, 8), title })),
    textLanguage: 'en',
  };
}

export function player(post: DemoPost, videoId: string) {
  return {
    playabilityStatus: { status: 'OK' },
    videoDetails: {
      videoId,
      title: post.title,
      lengthSeconds: String(post.seconds),
      keywords: post.tags,
      channelId: `UC${makeLetters(post.handle, 22)}`,
      shortDescription: post.text,
      viewCount: String(post.views),
      author: post.company.name,
    },
    microformat: {
      playerMicroformatRenderer: {
        publishDate: `${new Date(post.at * 1000).toISOString().slice(0, 19)}-00:00`,
        likeCount: String(post.likes),
      },
    },
  };
}

export function youtubeResult(post: DemoPost, videoId: string) {
  const minutes = Math.floor(post.seconds / 60);
  return {
    video_id: videoId,
    title: post.title,
    author: post.company.name,
    number_of_views: post.views,
    video_length: `${minutes}:${String(post.seconds % 60).padStart(2, '0')}`,
    description: post.text,
    is_live_content: null,
    published_time: '3 weeks ago',
    category: null,
    type: 'NORMAL',
    channel_id: `UC${makeLetters(post.handle, 22)}`,
    keywords: [],
    thumbnails: [{ url: `${cdn('yt', post)}.jpg`, width: 360, height: 202 }],
  };
}

function tweetTime(at: number): string {
  const [weekday, day, month, year, clock] = new Date(at * 1000).toUTCString().split(/,? /);
  return `${weekday} ${month} ${day} ${clock} +0000 ${year}`;
}

function tweetCommon(post: DemoPost) {
  return {
    created_at: tweetTime(post.at),
    text: `${post.text} ${post.tags.map((tag) => `#${tag}`).join(' ')}`,
    lang: 'en',
    views: String(post.views),
    replies: post.comments,
    retweets: post.shares,
    bookmarks: post.favorites,
    media: {
      photo: [{ media_url_https: `${cdn('x', post)}.jpg`, sizes: { w: 1200, h: 675 } }],
    },
  };
}

export function tweet(post: DemoPost, id: string) {
  return {
    id,
    ...tweetCommon(post),
    likes: post.likes,
    author: {
      rest_id: String(hashToNumber(post.handle)),
      name: post.company.name,
      screen_name: post.handle,
      image: `https://cdn.example/avatar/${post.handle}.jpeg`,
    },
  };
}

export function tweetRow(post: DemoPost, id: string) {
  return {
    type: 'tweet',
    tweet_id: id,
    screen_name: post.handle,
    ...tweetCommon(post),
    favorites: post.likes,
    user_info: {
      rest_id: String(hashToNumber(post.handle)),
      name: post.company.name,
      screen_name: post.handle,
      avatar: `https://cdn.example/avatar/${post.handle}.jpeg`,
    },
  };
}

export function instagramNode(post: DemoPost, shortcode: string) {
  const isVideo = post.number % 2 === 0;
  return {
    id: makeDigits(shortcode, 19),
    shortcode,
    is_video: isVideo,
    taken_at_timestamp: post.at,
    display_url: `${cdn('ig', post)}.jpg`,
    dimensions: { width: 1080, height: 1350 },
    ...(isVideo && {
      video_url: `${cdn('ig', post)}.mp4`,
      video_duration: post.seconds,
      video_play_count: post.views,
    }),
    owner: {
      id: String(hashToNumber(post.handle)),
      username: post.handle,
      full_name: post.company.name,
      profile_pic_url: `https://cdn.example/avatar/${post.handle}.jpeg`,
    },
    edge_media_to_caption: {
      edges: [{ node: { text: `${post.text} #${post.tags.join(' #')}` } }],
    },
    edge_media_preview_like: { count: post.likes },
    edge_media_to_parent_comment: { count: post.comments },
  };
}
