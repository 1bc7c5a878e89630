/**
 * One document in eight languages, written for the vectors: the same story of a ferry, written separately in each. In
 * a text, what stands between two asterisks is emphasised, which may be a part of a word.
 */
export interface MediaDocument {
  /** BCP 47. */
  readonly language: string;
  readonly direction: 'ltr' | 'rtl';
  readonly title: string;
  readonly abstract: string;
  readonly sections: readonly Section[];
  readonly referencesHeading: string;
  readonly references: readonly string[];
}

interface Section {
  readonly heading: string;
  readonly blocks: readonly Block[];
}

export type Block =
  | { readonly kind: 'paragraph'; readonly text: string; readonly note?: string }
  | { readonly kind: 'list'; readonly items: readonly string[] }
  | { readonly kind: 'table'; readonly caption: string; readonly rows: readonly (readonly string[])[] }
  | { readonly kind: 'figure'; readonly caption: string }
  | { readonly kind: 'quote'; readonly text: string };

interface Story {
  readonly language: string;
  readonly direction?: 'rtl';
  readonly title: string;
  readonly abstract: string;
  readonly headings: readonly [string, string, string, string];
  readonly why: string;
  readonly note: string;
  readonly list: readonly [string, string, string];
  readonly found: string;
  readonly table: string;
  /** Heads of the columns, then the names of three winters. */
  readonly cells: readonly [string, string, string, string, string, string];
  readonly figure: string;
  readonly quote: string;
  readonly again: string;
  readonly references: readonly [string, string];
}

/** Puts the parts of a story where they stand in a document. */
function documentOf(story: Story): MediaDocument {
  const { language, direction = 'ltr', title, abstract, headings, references, cells } = story;
  const [winter, mornings, rung, first, second, third] = cells;
  const rows = [
    [winter, mornings, rung],
    [first, '31', '112'],
    [second, '27', '96'],
    [third, '44', '180'],
  ];
  return {
    ...{ language, direction, title, abstract },
    sections: [
      {
        heading: headings[0],
        blocks: [
          { kind: 'paragraph', text: story.why, note: story.note },
          { kind: 'list', items: story.list },
        ],
      },
      {
        heading: headings[1],
        blocks: [
          { kind: 'paragraph', text: story.found },
          { kind: 'table', caption: story.table, rows },
          { kind: 'figure', caption: story.figure },
          { kind: 'quote', text: story.quote },
        ],
      },
      { heading: headings[2], blocks: [{ kind: 'paragraph', text: story.again }] },
    ],
    referencesHeading: headings[3],
    references,
  };
}

const STORIES: readonly Story[] = [
  {
    language: 'en',
    title: 'The bell on the river ferry',
    abstract:
      'For three winters the crew of a small ferry wrote down when fog hid the far bank and how often they rang the bell. The notes show that the fog comes earlier than people remember, and that a bell is heard best when the wind sleeps.',
    headings: ['Why we counted', 'What the notebook says', 'What we would do again', 'References'],
    why: "Nobody in the village agreed about the fog. The baker said that it came only in November; the *ferry*man's daughter said that it came whenever she wanted to cross. So a notebook was tied to the wheelhouse door, and everyone who steered the boat promised to write in it.",
    note: 'The first notebook fell into the river in its second week and was copied from memory.',
    list: [
      'the hour when the far bank disappeared',
      'the number of times the bell was rung',
      'the direction of the wind, if there was any',
    ],
    found:
      'Fog stayed longest in the weeks before the first frost. On calm mornings the bell was heard at the mill, which stands a long walk away; on windy ones *not even* the passengers on the landing heard it.',
    table: 'Mornings with fog in each winter',
    cells: ['Winter', 'Mornings with fog', 'Bell rung', 'first', 'second', 'third'],
    figure: 'The landing in January, drawn by a passenger who had missed the boat',
    quote: 'A bell does not shorten the river, but it tells you that the river has an end.',
    again:
      'We would count again, but with a pencil instead of a pen, because ink freezes. And we would ask the baker to ring the bell himself for one week before he speaks about the weather.',
    references: [
      'Adeyemi, K. Sound over cold water. Harbour Notes, second series, 2014.',
      'Lindqvist, M. and Oduya, P. How villages remember weather. River Press, 2019.',
    ],
  },
  {
    language: 'ru',
    title: 'Колокол на речном пароме',
    abstract:
      'Три зимы подряд команда маленького парома записывала, когда туман скрывал дальний берег и сколько раз звонили в колокол. Записи показывают, что туман приходит раньше, чем помнят люди, и что колокол лучше всего слышен, когда ветер спит.',
    headings: ['Зачем мы считали', 'О чём говорит тетрадь', 'Что мы сделали бы снова', 'Литература'],
    why: 'В деревне никто не мог договориться о тумане. Пекарь говорил, что он бывает только в ноябре; дочь *паром*щика говорила, что он приходит всякий раз, когда ей нужно на тот берег. Поэтому к двери рубки привязали тетрадь, и каждый, кто вёл лодку, обещал в неё писать.',
    note: 'Первая тетрадь упала в реку на второй неделе, и её переписали по памяти.',
    list: ['час, когда исчез дальний берег', 'сколько раз звонил колокол', 'откуда дул ветер, если он дул'],
    found:
      'Дольше всего туман стоял в недели перед первым морозом. В тихие утра колокол слышали на мельнице, до которой долго идти; в ветреные его *не слышали даже* пассажиры на пристани.',
    table: 'Утра с туманом по зимам',
    cells: ['Зима', 'Утра с туманом', 'Звонков', 'первая', 'вторая', 'третья'],
    figure: 'Пристань в январе, рисунок пассажира, который опоздал на паром',
    quote: 'Колокол не делает реку короче, но говорит, что у реки есть другой берег.',
    again:
      'Мы считали бы снова, но карандашом, а не ручкой, потому что чернила замерзают. И мы попросили бы пекаря неделю звонить самому, прежде чем говорить о погоде.',
    references: [
      'Адейеми К. Звук над холодной водой. Портовые заметки, вторая серия, 2014.',
      'Линдквист М., Одуя П. Как деревни помнят погоду. Речное издательство, 2019.',
    ],
  },
  {
    language: 'ar',
    direction: 'rtl',
    title: 'جرس العبّارة على النهر',
    abstract:
      'طوال ثلاثة شتاءات دوّن طاقم عبّارة صغيرة متى حجب الضباب الضفة البعيدة وكم مرة قُرع الجرس. وتبيّن الملاحظات أن الضباب يأتي أبكر مما يتذكره الناس، وأن الجرس يُسمع أفضل ما يكون حين تنام الريح.',
    headings: ['لماذا أحصينا', 'ماذا يقول الدفتر', 'ما كنا سنعيده', 'المراجع'],
    why: 'لم يتفق أحد في القرية على أمر الضباب. قال الخبّاز إنه لا يأتي إلا في نوفمبر، وقالت ابنة صاحب العبّارة إنه يأتي *كلما* أرادت أن تعبر. لذلك رُبط دفتر بباب غرفة القيادة، ووعد كل من قاد القارب أن يكتب فيه.',
    note: 'سقط الدفتر الأول في النهر في أسبوعه الثاني، فأُعيدت كتابته من الذاكرة.',
    list: ['الساعة التي اختفت فيها الضفة البعيدة', 'عدد المرات التي قُرع فيها الجرس', 'جهة الريح، إن كانت هناك ريح'],
    found:
      'مكث الضباب أطول ما مكث في الأسابيع التي تسبق الصقيع الأول. وفي الصباحات الهادئة كان الجرس يُسمع عند الطاحونة البعيدة، أما في الصباحات العاصفة فلم يسمعه *حتى* الركاب على الرصيف.',
    table: 'صباحات الضباب في كل شتاء',
    cells: ['الشتاء', 'صباحات الضباب', 'قرعات الجرس', 'الأول', 'الثاني', 'الثالث'],
    figure: 'الرصيف في يناير كما رسمه راكب فاته القارب',
    quote: 'الجرس لا يقصّر النهر، لكنه يخبرك أن للنهر نهاية.',
    again:
      'كنا سنحصي مرة أخرى، ولكن بقلم رصاص لا بالحبر، لأن الحبر يتجمد. وكنا سنطلب من الخبّاز أن يقرع الجرس بنفسه أسبوعًا قبل أن يتحدث عن الطقس.',
    references: [
      'أدييمي، ك. الصوت فوق الماء البارد. ملاحظات المرفأ، السلسلة الثانية، 2014.',
      'ليندكفيست، م. وأودويا، ب. كيف تتذكر القرى الطقس. دار النهر، 2019.',
    ],
  },
  {
    language: 'hi',
    title: 'नदी की नाव पर लगी घंटी',
    abstract:
      'तीन सर्दियों तक एक छोटी नाव के मल्लाहों ने लिखा कि कोहरे ने दूसरा किनारा कब छिपाया और घंटी कितनी बार बजाई गई। इन टिप्पणियों से पता चलता है कि कोहरा लोगों की याद से पहले आता है, और घंटी सबसे साफ तब सुनाई देती है जब हवा सो रही हो।',
    headings: ['हमने गिनती क्यों की', 'कॉपी क्या कहती है', 'हम फिर क्या करेंगे', 'संदर्भ'],
    why: 'गाँव में कोहरे के बारे में कोई एकमत नहीं था। नानबाई कहता था कि वह केवल नवंबर में आता है; मल्लाह की बेटी कहती थी कि वह *तभी* आता है जब उसे पार जाना होता है। इसलिए नाव के दरवाज़े से एक कॉपी बाँध दी गई, और नाव चलाने वाले हर आदमी ने उसमें लिखने का वचन दिया।',
    note: 'पहली कॉपी दूसरे ही सप्ताह नदी में गिर गई और याद से दोबारा लिखी गई।',
    list: ['वह समय जब दूसरा किनारा ओझल हुआ', 'घंटी कितनी बार बजी', 'हवा की दिशा, अगर हवा थी'],
    found:
      'पहले पाले से पहले के सप्ताहों में कोहरा सबसे देर तक ठहरा। शांत सुबहों में घंटी दूर खड़ी चक्की तक सुनाई दी; तेज़ हवा में उसे घाट पर खड़े यात्रियों ने *भी नहीं* सुना।',
    table: 'हर सर्दी में कोहरे वाली सुबहें',
    cells: ['सर्दी', 'कोहरे वाली सुबहें', 'घंटी बजी', 'पहली', 'दूसरी', 'तीसरी'],
    figure: 'जनवरी में घाट, उस यात्री का बनाया चित्र जिसकी नाव छूट गई थी',
    quote: 'घंटी नदी को छोटा नहीं करती, पर बताती है कि नदी का दूसरा किनारा है।',
    again:
      'हम फिर गिनेंगे, पर कलम की जगह पेंसिल से, क्योंकि स्याही जम जाती है। और हम नानबाई से कहेंगे कि मौसम पर बोलने से पहले एक सप्ताह खुद घंटी बजाए।',
    references: [
      'अडेयेमी, के. ठंडे पानी पर आवाज़. बंदरगाह टिप्पणियाँ, दूसरी शृंखला, 2014.',
      'लिंडक्विस्ट, एम. और ओडुया, पी. गाँव मौसम को कैसे याद रखते हैं. नदी प्रेस, 2019.',
    ],
  },
  {
    language: 'th',
    title: 'ระฆังบนเรือข้ามฟาก',
    abstract:
      'ตลอดสามฤดูหนาว ลูกเรือของเรือข้ามฟากลำเล็กจดไว้ว่า หมอกบังฝั่งตรงข้ามเมื่อใด และสั่นระฆังกี่ครั้ง บันทึกบอกว่าหมอกมาเร็วกว่าที่ผู้คนจำได้ และเสียงระฆังดังไกลที่สุดเมื่อลมสงบ',
    headings: ['เหตุใดเราจึงนับ', 'สมุดบันทึกบอกอะไร', 'สิ่งที่เราจะทำอีก', 'เอกสารอ้างอิง'],
    why: 'ในหมู่บ้านไม่มีใครเห็นตรงกันเรื่องหมอก คนทำขนมปังบอกว่าหมอกมาเฉพาะเดือนพฤศจิกายน ลูกสาวคนแจวเรือบอกว่า *หมอกมาทุกครั้ง* ที่เธออยากข้ามฟาก ดังนั้นจึงมีคนผูกสมุดไว้ที่ประตูห้องถือท้าย และทุกคนที่คุมเรือสัญญาว่าจะเขียนลงไป',
    note: 'สมุดเล่มแรกตกน้ำในสัปดาห์ที่สอง และถูกเขียนขึ้นใหม่จากความทรงจำ',
    list: ['เวลาที่ฝั่งตรงข้ามหายไป', 'จำนวนครั้งที่สั่นระฆัง', 'ทิศของลม ถ้ามีลม'],
    found:
      'หมอกอยู่นานที่สุดในช่วงก่อนน้ำค้างแข็งครั้งแรก เช้าที่ลมสงบ เสียงระฆังดังไปถึงโรงสีซึ่งต้องเดินไกล เช้าที่ลมแรง *แม้แต่ผู้โดยสาร* บนท่าก็ไม่ได้ยิน',
    table: 'เช้าที่มีหมอกในแต่ละฤดูหนาว',
    cells: ['ฤดูหนาว', 'เช้าที่มีหมอก', 'ครั้งที่สั่นระฆัง', 'แรก', 'ที่สอง', 'ที่สาม'],
    figure: 'ท่าเรือในเดือนมกราคม วาดโดยผู้โดยสารที่ตกเรือ',
    quote: 'ระฆังไม่ได้ทำให้แม่น้ำแคบลง แต่บอกเราว่าแม่น้ำมีอีกฝั่งหนึ่ง',
    again: 'เราจะนับอีก แต่จะใช้ดินสอแทนปากกา เพราะหมึกแข็งตัว และเราจะขอให้คนทำขนมปังสั่นระฆังเองหนึ่งสัปดาห์ ก่อนจะพูดเรื่องอากาศ',
    references: [
      'อเดเยมี เค. เสียงเหนือน้ำเย็น. บันทึกท่าเรือ ชุดที่สอง, 2014.',
      'ลินด์ควิสต์ เอ็ม. และ โอดูยา พี. หมู่บ้านจำอากาศอย่างไร. สำนักพิมพ์แม่น้ำ, 2019.',
    ],
  },
  {
    language: 'zh-Hans',
    title: '渡船上的钟',
    abstract:
      '连续三个冬天，一条小渡船的船员记下了雾何时遮住对岸，以及他们敲了多少次钟。记录表明，雾来得比人们记忆中更早；风静的时候，钟声传得最远。',
    headings: ['我们为什么要数', '本子里写了什么', '我们还会怎样做', '参考文献'],
    why: '村里没有人对雾的看法一致。面包师说，雾只在十一月来；船夫的女儿说，*每当她想过河*，雾就来了。于是有人把一个本子系在驾驶室的门上，凡是掌过舵的人，都答应往里面写字。',
    note: '第一个本子在第二周掉进了河里，后来凭记忆重抄。',
    list: ['对岸消失的时刻', '敲钟的次数', '风的方向，如果有风'],
    found:
      '初霜以前的几个星期，雾停留得最久。无风的早晨，远处的磨坊也听得见钟声；有风的早晨，*连码头上的乘客*，也听不见。',
    table: '每个冬天有雾的早晨',
    cells: ['冬天', '有雾的早晨', '敲钟次数', '第一个', '第二个', '第三个'],
    figure: '一月的码头，由一位误了船的乘客所画',
    quote: '钟不会让河变窄，但它告诉你，河有尽头。',
    again:
      '我们还会再数一遍，不过要用铅笔，不用钢笔，因为墨水会结冰。我们还会请面包师亲自敲一个星期的钟，然后再谈天气。',
    references: [
      '阿德耶米，《冷水上的声音》，港口札记，第二辑，2014年。',
      '林奎斯特、奥杜亚，《村庄如何记住天气》，河流出版社，2019年。',
    ],
  },
  {
    language: 'ja',
    title: '渡し船の鐘',
    abstract:
      '三度の冬のあいだ、小さな渡し船の乗組員は、霧がいつ向こう岸を隠したか、鐘を何回鳴らしたかを書きとめた。記録によれば、霧は人々の記憶より早く訪れ、鐘は風が眠っているときに最もよく聞こえる。',
    headings: ['なぜ数えたのか', '帳面に書いてあること', 'もう一度するなら', '参考文献'],
    why: '村では、霧について誰の意見も合わなかった。パン屋は、霧は十一月にしか来ないと言い、船頭の娘は、*渡りたいときには必ず*、霧が来ると言った。そこで操舵室の扉に帳面が結びつけられ、舵を取る者はみな、そこに書くと約束した。',
    note: '最初の帳面は二週目に川へ落ち、記憶をたよりに書き直された。',
    list: ['向こう岸が見えなくなった時刻', '鐘を鳴らした回数', '風の向き（風があれば）'],
    found:
      '霧は、初霜の前の数週間に、いちばん長くとどまった。静かな朝には、鐘は遠くの水車小屋でも聞こえたが、風の強い朝には、*桟橋の客でさえ*、聞くことができなかった。',
    table: '冬ごとの霧の朝',
    cells: ['冬', '霧の朝', '鐘の回数', '一度目', '二度目', '三度目'],
    figure: '一月の桟橋、船に乗り遅れた客の絵',
    quote: '鐘は川を短くはしないが、川に終わりがあることを教えてくれる。',
    again:
      'もう一度数えるだろうが、インクは凍るので、ペンではなく鉛筆を使う。そしてパン屋には、天気について語る前に、一週間、自分で鐘を鳴らしてもらう。',
    references: [
      'アデイェミ「冷たい水の上の音」『港の覚え書き』第二集、2014年。',
      'リンドクヴィスト、オドゥヤ『村は天気をどう覚えているか』川出版、2019年。',
    ],
  },
  {
    language: 'ko',
    title: '나룻배의 종',
    abstract:
      '세 번의 겨울 동안 작은 나룻배의 선원들은 안개가 언제 건너편 기슭을 가렸는지, 종을 몇 번 쳤는지 적어 두었다. 기록을 보면 안개는 사람들이 기억하는 것보다 일찍 오고, 종소리는 바람이 잠들 때 가장 잘 들린다.',
    headings: ['왜 세었는가', '공책이 말하는 것', '다시 한다면', '참고 문헌'],
    why: '마을에서는 안개를 두고 아무도 뜻이 맞지 않았다. 빵집 주인은 안개가 십일월에만 온다고 했고, *뱃사공*의 딸은 강을 건너려 할 때마다 온다고 했다. 그래서 조타실 문에 공책을 매어 두었고, 배를 모는 사람은 모두 거기에 쓰겠다고 약속했다.',
    note: '첫 공책은 두 번째 주에 강에 빠져서 기억을 더듬어 다시 적었다.',
    list: ['건너편 기슭이 사라진 시각', '종을 친 횟수', '바람의 방향, 바람이 있었다면'],
    found:
      '안개는 첫서리가 내리기 전 몇 주 동안 가장 오래 머물렀다. 고요한 아침에는 멀리 있는 방앗간에서도 종소리가 들렸지만, 바람 부는 아침에는 나루터의 *손님들조차* 듣지 못했다.',
    table: '겨울마다 안개 낀 아침',
    cells: ['겨울', '안개 낀 아침', '종을 친 횟수', '첫째', '둘째', '셋째'],
    figure: '일월의 나루터, 배를 놓친 손님이 그린 그림',
    quote: '종은 강을 줄여 주지 않지만, 강에 끝이 있다고 알려 준다.',
    again:
      '우리는 다시 세겠지만, 잉크는 얼기 때문에 펜 대신 연필을 쓸 것이다. 그리고 빵집 주인에게 날씨를 말하기 전에 한 주 동안 직접 종을 쳐 달라고 부탁할 것이다.',
    references: [
      '아데예미, 차가운 물 위의 소리, 항구 수첩 제이집, 2014년.',
      '린드크비스트와 오두야, 마을은 날씨를 어떻게 기억하는가, 강 출판사, 2019년.',
    ],
  },
];

/** The document in every language. */
export const MEDIA_DOCUMENTS: readonly MediaDocument[] = STORIES.map(documentOf);
