import { type Case, type CaseOf, type Group, list } from '../case.ts';

const BG1 = 'simhash-doc+bg1';

type TokenRow = readonly [name: string, title: string, rules: string, flags: string, text: string, tokens: string];

/** Tokens separated by spaces: no token holds one. */
const tokenRows: readonly TokenRow[] = [
  ['pairs', 'three ideographs give two overlapping pairs', 'BIG-3', 'Pairs', '文書館', '文書 書館'],
  ['one', 'one ideograph is one token', 'BIG-3', 'Pairs', '文', '文'],
  ['two', 'two ideographs are one token', 'BIG-3', 'Pairs', '文書', '文書'],
  ['repeated', 'each occurrence of a pair is a token', 'BIG-3', 'Pairs Deduplicated', '人人人人', '人人 人人 人人'],
  ['words', 'a text without joined code points keeps its tokens', 'BIG-4', 'Pairs', 'one naïve H2O', 'one naïve H2O'],
  ['border', 'pairs do not cross a break', 'BIG-2', 'Pairs', '文書、館内', '文書 館内'],
  [
    'latin',
    'a token is cut between ideographs and Latin letters',
    'BIG-2 BIG-4',
    'Pairs',
    '東京Tower行き',
    '東京 Tower 行き',
  ],
  ['latin-first', 'a token that begins with a Latin letter is cut', 'BIG-2', 'Pairs', 'Tシャツ', 'T シャ ャツ'],
  ['latin-last', 'a token that ends with a Latin letter is cut', 'BIG-2', 'Pairs', '第A', '第 A'],
  ['digits', 'digits between ideographs are dropped, and cut', 'BIG-4', 'Pairs', '平成30年度', '平成 年度'],
  ['digits-word', 'digits with a letter stay', 'BIG-4', 'Pairs', '新H2O水', '新 H2O 水'],
  ['underscore', 'a part of underscores is dropped', 'BIG-4', 'Pairs', '文__書', '文 書'],
  ['kana', 'hiragana and katakana are joined with ideographs', 'BIG-1', 'PairScripts', '飲みスギ', '飲み みス スギ'],
  ['prolonged', 'the prolonged sound mark is joined', 'BIG-1', 'PairScripts', 'データ', 'デー ータ'],
  ['halfwidth', 'halfwidth katakana and their voiced sound marks are joined', 'BIG-1', 'PairScripts', 'ｶﾞｽ', 'ｶﾞ ﾞｽ'],
  ['iteration', 'iteration marks are joined', 'BIG-1', 'PairScripts', '人々は', '人々 々は'],
  ['bopomofo', 'Bopomofo is joined', 'BIG-1', 'PairScripts', 'ㄅㄆㄇ', 'ㄅㄆ ㄆㄇ'],
  [
    'thai',
    'Thai is joined, its vowels above and tone marks stay with their consonant',
    'BIG-1 BIG-2',
    'PairScripts MarkClass',
    'ที่นี่',
    'ที่นี่',
  ],
  [
    'thai-three',
    'a Thai pair is two consonants with their marks',
    'BIG-2 BIG-3',
    'PairScripts MarkClass',
    'ภาษาไทย',
    'ภา าษ ษา าไ ไท ทย',
  ],
  ['lao', 'Lao is joined', 'BIG-1', 'PairScripts', 'ພາສາ', 'ພາ າສ ສາ'],
  [
    'khmer',
    'Khmer is joined; a coeng belongs to the letter before it',
    'BIG-1 BIG-2',
    'PairScripts MarkClass',
    'ក្រុង',
    'ក្រុ រុង',
  ],
  [
    'myanmar',
    'Burmese is joined; asat belongs to the letter before it',
    'BIG-1 BIG-2',
    'PairScripts MarkClass',
    'ကန်တင်',
    'ကန် န်တ တင်',
  ],
  [
    'mark-kept',
    'a mark of another script behind an ideograph belongs to it',
    'BIG-2',
    'MarkClass',
    '文\u0302書館',
    '文\u0302書 書館',
  ],
  [
    'marks-kept',
    'all marks behind a letter belong to its unit',
    'BIG-2',
    'MarkClass',
    'か\u0302\u0323き',
    'か\u0323\u0302き',
  ],
  [
    'mark-first',
    'a mark before the first letter is a part of its own, without a letter',
    'BIG-2 BIG-4',
    'MarkClass',
    '\u0302文書',
    '文書',
  ],
  [
    'mark-latin',
    'a mark behind a Latin letter belongs to the others',
    'BIG-2',
    'MarkClass',
    'x\u0323\u0302文',
    'x\u0323\u0302 文',
  ],
  [
    'mark-digit',
    'a mark behind a digit belongs to the others, and is dropped with them',
    'BIG-2 BIG-4',
    'MarkClass',
    '文1\u0302書',
    '文 書',
  ],
  ['hangul', 'Hangul is left as it is', 'BIG-1', 'PairScripts', '한국어 문서', '한국어 문서'],
  ['hangul-han', 'Hangul behind ideographs is another part', 'BIG-1 BIG-2', 'PairScripts', '大韓민국', '大韓 민국'],
  ['tibetan', 'Tibetan is left as it is', 'BIG-1', 'PairScripts', 'ཀཁག', 'ཀཁག'],
  ['yi', 'Yi is left as it is', 'BIG-1', 'PairScripts', 'ꀀꀁꀂ', 'ꀀꀁꀂ'],
  ['zero', 'the ideographic number zero is no letter', 'BIG-1 BIG-4', 'PairScripts', '二〇二六', '二 二六'],
  [
    'extension-b',
    'an ideograph outside the BMP is one code point',
    'BIG-2',
    'PairScripts Utf16Units',
    '𠀀𠀁𠀂',
    '𠀀𠀁 𠀁𠀂',
  ],
  [
    'extension-e',
    'ideographs of Unicode 8.0 are joined',
    'BIG-1',
    'PairScripts',
    '\u{2b820}\u{2cea1}書',
    '\u{2b820}\u{2cea1} \u{2cea1}書',
  ],
  [
    'compatibility',
    'compatibility ideographs that NFC keeps are joined',
    'BIG-1',
    'PairScripts',
    '﨎文書',
    '﨎文 文書',
  ],
  [
    'small-kana',
    'small kana of 2019 are joined',
    'BIG-1',
    'PairScripts',
    '\u{1b150}\u{1b164}あ',
    '\u{1b150}\u{1b164} \u{1b164}あ',
  ],
  ['first', 'U+0E01 is joined', 'BIG-1', 'PairScripts', '\u0e01\u0e02\u0e03', '\u0e01\u0e02 \u0e02\u0e03'],
  [
    'last',
    'the last ideographs of the table are joined',
    'BIG-1',
    'PairScripts',
    '\u{2ebdf}\u{2ebe0}文',
    '\u{2ebdf}\u{2ebe0} \u{2ebe0}文',
  ],
  ['none', 'a text without letters has no tokens', 'BIG-4', 'EmptyInput', '12 _ 、', ''],
];

type DocumentRow = readonly [name: string, title: string, rules: string, flags: string, label: string, text: string];

const documentRows: readonly DocumentRow[] = [
  ['bg1', 'a Japanese sentence', 'BIG-3', 'Pairs', BG1, '類似した文書を検索するための指紋です。'],
  ['bg1-thai', 'a Thai sentence', 'BIG-3', 'Pairs', BG1, 'ลายนิ้วมือสำหรับค้นหาเอกสารที่คล้ายกัน'],
  [
    'bg1-mixed',
    'Chinese, Latin letters, digits and a locator',
    'BIG-2 BIG-4',
    'Pairs',
    BG1,
    '使用Unicode12的文档https://example.org/文档与PDF文件3个',
  ],
  ['bg1-nfc', 'pairs are those of the normalised text', 'BIG-3', 'Pairs', BG1, 'カ\u3099イト\u3099フ\u3099ック'],
  [
    'bg1-words',
    'a text in other scripts has the fingerprint of the bare scheme',
    'BIG-4',
    'Pairs',
    BG1,
    'Съешь ещё этих мягких французских булок 한국어',
  ],
];

const spaced = (tokens: string): string[] => (tokens === '' ? [] : tokens.split(' '));

const cases: readonly Case[] = [
  ...tokenRows.map(
    ([name, title, rules, flags, text, tokens]): CaseOf<'tokenise'> => ({
      ...{ name: `bg1-tokens-${name}`, operation: 'tokenise', title, rules: list(rules), flags: list(flags) },
      input: { text: text.normalize('NFC'), label: BG1 },
      hand: { tokens: spaced(tokens.normalize('NFC')) },
    }),
  ),
  ...documentRows.map(
    ([name, title, rules, flags, label, text]): CaseOf<'fingerprint'> => ({
      ...{ name: `document-${name}`, operation: 'fingerprint', title, rules: list(rules), flags: list(flags) },
      input: { text, label },
    }),
  ),
];

export const variantsGroup: Group = {
  group: 'variants',
  description: 'bg1: pairs of characters after step 5.',
  cases,
};
