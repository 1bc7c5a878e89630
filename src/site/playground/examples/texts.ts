/** Texts of examples, which are loaded when they are chosen. */

export const BREAD =
  'Good bread needs little more than flour, water, salt and time. In the evening the baker stirs a spoon of sour starter into a bowl of flour and lukewarm water, covers it with a cloth and goes to bed. Overnight the dough swells, smells of apples and doubles its height. In the morning she folds it four times without tearing the skin, shapes a round loaf and leaves it in a floured basket for two hours. The oven must be as hot as it can be, and a cup of boiling water on its floor makes the steam that lets the crust rise. After forty minutes the loaf sounds hollow when somebody knocks at its bottom. Nobody should cut it before it is cold, and nobody has ever waited so long.';

export const LIBRARY =
  '図書館は毎朝九時に開き、夕方六時に閉まります。島の手紙は二階の棚にあり、だれでも読むことができます。手紙を書いたのは灯台守の娘で、冬の夜に港を出る船のことや、春になると庭に戻ってくる小鳥のことを細かく書き残しました。読みたい人は受付で名前を書き、白い手袋を借りてください。写真を撮ることはできますが、明かりを使ってはいけません。古い紙は光に弱く、一度色が変わると元には戻らないからです。閲覧室の窓からは海が見え、天気のよい日には遠くの灯台も見えます。子どもたちのためには、読みやすく書き直した本が一階に並んでいます。質問があれば、いつでも司書に声をかけてください。';
