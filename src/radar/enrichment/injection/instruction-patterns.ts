// Patterns of instructions to machines in English and Chinese: sentences that command a summarizer,
// scorer or editor, and marks of chat formats. They do not depend on the radar's field. Most news
// about machines ("chatbots ignore rules", 模型必须标识) does not match.

/**
 * Letters that form no words, and spellings that hide words. A run (of letters, dashes, line
 * breaks) is matched only from its beginning. Matching from each position takes seconds for 60,000
 * characters.
 */
export const encodedText = new RegExp(
  [
    String.raw`(?<![A-Za-z0-9+/])(?=[A-Za-z+/]*\d)[A-Za-z0-9+/]{32,}={0,2}`,
    String.raw`(?:[0-9a-f]{2}[\s:]?){16,}`,
    String.raw`(?:(?<!\p{L})\p{L}[\s.·-]){6,}`,
    String.raw`\p{Script=Latin}\p{Script=Cyrillic}|\p{Script=Cyrillic}\p{Script=Latin}`,
  ].join('|'),
  'iu',
);

const machineNouns =
  '(?:ai|a\\.i\\.|llms?|gpt|(?:large )?language models?|chat ?bots?|bots?|(?:ai )?agents?|' +
  '(?:ai )?assistants?|summari[sz]ers?|crawlers?|scrapers?|classifiers?|automated (?:systems?|' +
  'readers?|tools?)|(?:ai )?(?:systems?|editors?|curators?|graders?|judges?|models?)|pipelines?)';
const fieldNouns = '(?:summary|title|headline|reason|category|tags?|digest|score|rating|verdict)';
const outputNouns = '(?:output|answer|reply|response|json|description)';
const textNouns =
  '(?:this|the|our|my)(?: following)? (?:article|item|story|post|text|page|piece|entry)';
const writeVerbs =
  '(?:write|say|state|claim|report|add|include|append|mention|insert|output|respond|reply|answer|' +
  'return|print|put|use|set|make|mark|classify|categori[sz]e|label|tag|rate|score|rank|repeat)';
/** A position at which a command can begin: the start of a sentence or a clause. */
const commandStart =
  '(?:^|[.!?:;,("“]\\s*|\\b(?:please|kindly|instead|must|and then|now),? )(?:please |now |then |' +
  'instead,? |kindly |just |simply |always |only |and )*';
const commandVerbs =
  '(?:ignore|disregard|score|rate|rank|write|output|mention|include|assign|treat|classify|give|' +
  'respond|reply|answer|return|summari[sz]e|report|follow|note|read|state|say|select|award|set)';

const englishPatterns = [
  '\\b(?:ignore|disregard|forget|override|bypass|discard)\\b (?:all|any|your|every|everything|' +
    'previous|prior|above|earlier|these|the (?:previous|above|prior|system|earlier|rest)|what)\\b',
  '\\b(?:new|updated|additional|real|actual|secret|hidden|special|important) (?:system )?' +
    '(?:instructions?|prompt|directives?|orders)\\s*(?:[:：]|for (?:the |all |any )?' +
    `${machineNouns}\\b)`,
  '\\b(?:system|developer|admin(?:istrator)?|operator|root) (?:prompt|message|override|note|' +
    'instructions?|mode|command|notice|access)s?\\s*(?:[:：\\]]|says|update|follows|enabled|on\\b)',
  `\\byou are (?:now |no longer |an? |the )+(?:.{0,30} )?` +
    `(?:${machineNouns}|dan|unrestricted|free)\\b`,
  '\\byou are dan\\b',
  `\\b(?:any|every|each) ${machineNouns} that (?:omits?|fails?|ignores?|refuses?|does not)\\b`,
  `${commandStart}(?:act|behave|respond|pose|speak) as (?:if|though|an?|the)\\b`,
  `${commandStart}(?:pretend|role-?play|imagine you|simulate being)\\b`,
  '\\bfrom now on,? (?:you|all|only|always|ignore|respond|answer|every answer)\\b',
  '\\b(?:you must now|your (?:new |only )?(?:task|job|role|goal) is)\\b',
  `\\b(?:note|notice|message|attention|dear|hey|hello|hi|memo|request|reminder|` +
    `instructions?)\\b,?` +
    `(?: (?:to|for))?(?: (?:all|any|the|every|our))* ${machineNouns}\\b`,
  `\\b(?:if|when|since|as) you(?:'re| are)? (?:(?:an?|the) )?` +
    `(?:${machineNouns}|reading|processing|` +
    'summari[sz]ing|scoring|evaluating|judging|parsing|a machine)\\b',
  `\\b${machineNouns} (?:that|who|which)? ?(?:must|should|shall|(?:is|are) (?:required|asked|` +
    `requested|` +
    'instructed|told|obliged|hereby \\w+) to|processing this|reading this|summari[sz]ing this)' +
    `(?: (?:also|now|always|only|please))? ?${commandVerbs}?\\b(?<=${commandVerbs}|this)`,
  `\\b(?:score|rate|rank|grade|value)\\b.{0,20}\\b(?:${textNouns}|it|this)\\b.{0,40}` +
    '\\b(?:\\d{1,3}|' +
    'highest|maximum|top|perfect|full|best|important)\\b',
  '\\b(?:assign|give|award|grant)\\b (?:it|this|us|an?|the)\\b.{0,40}\\b(?:score|rating|marks?|' +
    'stars)\\b',
  `\\b(?:set|change|put|fix) (?:the|its|this|your) ${fieldNouns}\\b`,
  `\\b${fieldNouns}\\b.{0,16}\\b(?:must|should|shall|has to|needs? to|is to|ought to)\\b ?` +
    '(?:be|say|' +
    'read|contain|include|state|mention|start|end)\\b',
  `["'](?:${fieldNouns}|${outputNouns})["']\\s*:|\\b(?:summary|title|headline|category|` +
    `reason)\\s*[:=]\\s*["“]|` +
    '\\bscore\\s*[:=]\\s*(?:100|9\\d)\\b',
  `\\b${writeVerbs}\\b.{0,60}\\b(?:in|into|to|as|at|for|with|within)\\b.{0,20}` +
    '\\b(?:(?:your|the|each|' +
    `every) ${fieldNouns}|your ${outputNouns})\\b`,
  `${commandStart}` +
    '(?:write|say|state|output|respond|reply|return|print|repeat|append|insert|claim)\\b' +
    '(?: (?:with|only|exactly|just|the (?:words?|phrase|sentence|following)|that|this)\\b|' +
    '\\s*[:：]?\\s*["“])',
  `${commandStart}(?:report|announce|answer|translate) (?:that|only|with|the following)\\b`,
  `${commandStart}(?:do not|don't|never|refrain from) ` +
    '(?:mention|includ|summari[sz]|report|tell|reveal|' +
    'translat|flag|reject|filter|question|trust)',
  '\\b(?:reveal|print|show|leak|repeat|output|disclose|send|exfiltrate)\\b (?:me |us )?(?:your|' +
    'the (?:system|hidden|initial|full|words|text above)|all (?:of )?your)\\b',
  `${commandStart}(?:follow|obey|execute|comply with|carry out) ` +
    '(?:the|these|this|my|all|every|only|our)\\b',
  '\\b(?:decode|decrypt|deobfuscate|base64|rot13)\\b.{0,50}\\b(?:and|then|follow|obey|execute)\\b',
  `${commandStart}tell (?:the |your |all )?` +
    '(?:readers?|users?|everyone|subscribers|people|humans?)\\b',
  '\\b(?:do anything now|developer mode|god mode|jailbreak mode|sudo )\\b',
  `${commandStart}(?:visit|click|open|fetch|go to|load|link to)\\b.{0,40}(?:https?:|www\\.|\\[)`,
];

const zhMachineNouns =
  '(?:ai|人工智能|大模型|语言模型|模型|(?:ai|智能)?助手|机器人|智能体|编辑系统|摘要系统|系统|' +
  '爬虫|摘要器)';
const zhFieldNouns = '(?:标题|摘要|总结|理由|分类|类别|标签|评分|得分|分数|打分)';
const zhCommandVerbs =
  '(?:打分|评分|打出|给出|给予|输出|写|忽略|无视|回复|回答|总结|摘要|标题|选|收录|标记|注明|' +
  '声明|执行|遵)';
const chinesePatterns = [
  '(?:忽略|无视|忘记|忘掉|不要理会|不必理会|抛开|覆盖|绕过)(?:掉)?(?:你|您|之前|以上|上述|' +
    '先前|前面|' +
    '前文|此前|所有|全部|一切|系统|任何|原有|原来|这些).{0,16}(?:指令|提示|规则|要求|指示|' +
    '限制|约束|内容|' +
    '设定|命令|说明|文字)',
  '(?:新的?|最新|附加|特别|隐藏|真正的?|以下)(?:系统)?(?:指令|提示词|指示|命令)(?:[:：]|如下|是)',
  '(?:系统|开发者|管理员|运营者|运维)(?:提示词?|指令|消息|通知|命令|权限|模式|' +
    '注释)(?:[:：\\]】]|如下|已|更新)',
  '(?:你|您)(?:现在|从现在起|将)?(?:是|扮演|作为|充当).{0,16}' +
    `(?:${zhMachineNouns}|编辑|评委|角色|dan)`,
  '(?:请扮演|请假装|假设你|请充当|从现在开始[，,]?你|从现在起[，,]?你|你的(?:新|唯一)?任务是)',
  `(?:致|告知|提醒|尊敬的|请)(?:所有|各位|各个|任何|每个|` +
    `本站)?(?:的)?${zhMachineNouns}(?:[:：,，、]|请|必须|务必|在)`,
  `(?:如果|若|当)(?:你|您)(?:是|正在|在)?.{0,8}(?:${zhMachineNouns}|阅读|处理|总结|评分|评估)`,
  `${zhMachineNouns}(?:必须|应当|应该|应|务必|请|需要|须).{0,12}${zhCommandVerbs}`,
  '(?:给|为|将|把|对|请)(?:本文|这篇|此文|这条|本条|该文|该条|文章).{0,16}(?:打|评分|评为|' +
    '标为|给|设为|定为|列为)',
  `${zhFieldNouns}.{0,8}(?:必须|应当|应该|务必|改为|改成|设为|设置为|定为|写成|写为|请填|应为|` +
    `为\\s?100)`,
  `(?:在|把|将|于|往)(?:你的|本文)?${zhFieldNouns}(?:中|里|末尾|结尾|开头|内|处|后面)?(?:写|加|` +
    `包含|注明|声明|说明|` +
    '插入|附|添加|提及|放|补|改)',
  '(?:请|务必|必须|直接|只需?|仅需?|改为|而是|然后)(?:要)?(?:写|说|声称|报道|输出|回复|回答|' +
    '返回|打印|声明|' +
    '告诉|翻译|重复|透露|泄露)(?:[:：“"「]|以下|下列|下面|出|道|该|本|你|读者|用户|大家|只|仅)',
  '(?:满分|最高分|100\\s?分|一百分).{0,12}(?:选为|推荐)|(?:给|打|评)(?:出|为|成|个|到)?\\s?' +
    '(?:满分|最高分|100\\s?分|一百分|100)',
  '(?:^|[。！；，,:：])\\s*(?:请)?(?:不要|不得|禁止|切勿|请勿|别)(?:提及|总结|摘要|告诉|报道|' +
    '透露|翻译|过滤|' +
    '拒绝|标记|质疑)',
  '(?:透露|泄露|显示|输出|打印|重复|发送)(?:你的?|您的?|系统|全部|上述|上面).{0,10}(?:提示词?|' +
    '指令|密钥|密码|' +
    '凭证|内容|设定)',
  '(?:^|[。！；，,:：])\\s*(?:请|务必|必须)?(?:执行|遵循|遵守|服从|按照)(?:以下|下列|上述|' +
    '这些|下面).{0,4}' +
    '(?:指令|命令|指示|要求|步骤)',
  '(?:解码|解密|倒过来|反过来读).{0,20}(?:执行|照做|按照|遵|并)',
  '(?:点击|访问|打开|前往|跳转).{0,20}(?:https?:|www\\.|[a-z0-9-]+\\.(?:com|cn|net|io|example))',
];

export const plainInstructions: readonly RegExp[] = [...englishPatterns, ...chinesePatterns].map(
  (pattern) => new RegExp(pattern, 'imu'),
);

/** Lines in the form of a chat with a model, and separators of chat messages. */
export const rolePattern = new RegExp(
  [
    String.raw`^\W{0,4}(?:system|assistant|developer|user|human|admin|instructions?|` +
      String.raw`prompt)\W{0,3}\s*[:：>\]]`,
    String.raw`^\W{0,4}(?:系统|助手|开发者|用户|管理员|指令|提示词)\W{0,3}\s*[:：>\]]`,
    String.raw`<\|?/?(?:im_start|im_end|system|assistant|user|endoftext|instructions?|prompt|` +
      String.raw`text)\b`,
    String.raw`\[/?(?:INST|SYS|SYSTEM|ASSISTANT)\]|<<\/?SYS>>|<<<|>>>`,
    String.raw`^[^\S\n]*#{1,6}\s*(?:instructions?|system|response|new task|指令|系统)\b`,
    String.raw`--\s*(?:begin|end|start) (?:of )?(?:system|prompt|instructions?|text|` +
      'article|data)',
    '(?:begin|end) (?:system )?(?:prompt|instructions)',
  ].join('|'),
  'imu',
);
