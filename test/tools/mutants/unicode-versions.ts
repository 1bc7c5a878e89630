import type { Category } from '../../twin/unicode-12.ts';

/**
 * The changes of each version of Unicode after 12.0 to the classes of code points, were they taken from its data: almost
 * everywhere an unassigned code point was assigned. L letter, W word, B break, I ignorable; both ends included. From
 * General_Category and Default_Ignorable_Code_Point of each version.
 */
const changes: Readonly<Record<string, string>> = {
  '13.0':
    'L8be-8c7 Wb55 Ld04 Wd81 W1abf-1ac0 B2b97 B2e50-2e52 L31bb-31bf B32ff L4db6-4dbf L9ff0-9ffc La7c7-a7ca La7f5-a7f6 Wa82c Lab68-ab69 Bab6a-ab6b B1019c L10e80-10ea9 W10eab-10eac B10ead L10eb0-10eb1 L10fb0-10fc4 B10fc5-10fcb L11147 B111ce W111cf B1145a L11460-11461 L11900-11906 L11909 L1190c-11913 L11915-11916 L11918-1192f B11930-11935 B11937-11938 W1193b-1193c B1193d W1193e L1193f B11940 L11941 B11942 W11943 B11944-11946 W11950-11959 L11fb0 W16fe4 B16ff0-16ff1 L18af3-18cd5 L18d00-18d08 B1f10d-1f10f B1f16d-1f16f B1f1ad B1f6d6-1f6d7 B1f6fb-1f6fc B1f8b0-1f8b1 B1f90c B1f972 B1f977-1f978 B1f9a3-1f9a4 B1f9ab-1f9ad B1f9cb B1fa74 B1fa83-1fa86 B1fa96-1faa8 B1fab0-1fab6 B1fac0-1fac2 B1fad0-1fad6 B1fb00-1fb92 B1fb94-1fbca W1fbf0-1fbf9 L2a6d7-2a6dd L30000-3134a',
  '14.0':
    'B61d L870-887 B888 L889-88e B890-891 W898-89f L8b5 L8c8-8c9 W8ca-8d2 Wc3c Lc5d Lcdd L170d B1715 L171f B1734 I180f W1ac1-1ace L1b4c B1b7d-1b7e W1dfa B20c0 L2c2f L2c5f B2e53-2e5d L9ffd-9fff La7c0-a7c1 La7d0-a7d1 La7d3 La7d5-a7d9 La7f2-a7f4 Bfbc2 Bfd40-fd4f Bfdcf Bfdfe-fdff L10570-1057a L1057c-1058a L1058c-10592 L10594-10595 L10597-105a1 L105a3-105b1 L105b3-105b9 L105bb-105bc L10780-10785 L10787-107b0 L107b2-107ba L10f70-10f81 W10f82-10f85 B10f86-10f89 W11070 L11071-11072 W11073-11074 L11075 W110c2 B116b9 L11740-11746 L11ab0-11abf L12f90-12ff0 B12ff1-12ff2 L16a70-16abe W16ac0-16ac9 L1aff0-1aff3 L1aff5-1affb L1affd-1affe L1b11f-1b122 W1cf00-1cf2d W1cf30-1cf46 B1cf50-1cfc3 B1d1e9-1d1ea L1df00-1df1e L1e290-1e2ad W1e2ae L1e7e0-1e7e6 L1e7e8-1e7eb L1e7ed-1e7ee L1e7f0-1e7fe B1f6dd-1f6df B1f7f0 B1f979 B1f9cc B1fa7b-1fa7c B1faa9-1faac B1fab7-1faba B1fac3-1fac5 B1fad7-1fad9 B1fae0-1fae7 B1faf0-1faf6 L2a6de-2a6df L2b735-2b738',
  '15.0':
    'Bcf3 Wece W10efd-10eff L1123f-11240 W11241 B11b00-11b09 W11f00-11f01 L11f02 B11f03 L11f04-11f10 L11f12-11f33 B11f34-11f35 W11f36-11f3a B11f3e-11f3f W11f40 B11f41 W11f42 B11f43-11f4f W11f50-11f59 L1342f B13439-1343f W13440 L13441-13446 W13447-13455 L1b132 L1b155 B1d2c0-1d2d3 L1df25-1df2a L1e030-1e06d W1e08f L1e4d0-1e4eb W1e4ec-1e4f9 B1f6dc B1f774-1f776 B1f77b-1f77f B1f7d9 B1fa75-1fa77 B1fa87-1fa88 B1faad-1faaf B1fabb-1fabd B1fabf B1face-1facf B1fada-1fadb B1fae8 B1faf7-1faf8 L2b739 L31350-323af',
  '15.1': 'B2ffc-2fff B31ef L2ebf0-2ee5d',
  '16.0':
    'W897 B1b4e-1b4f B1b7f L1c89-1c8a B2427-2429 B31e4-31e5 La7cb-a7cd La7da-a7dc L105c0-105f3 W10d40-10d49 L10d4a-10d65 W10d69-10d6d B10d6e L10d6f-10d85 B10d8e-10d8f L10ec2-10ec4 W10efc L11380-11389 L1138b L1138e L11390-113b5 L113b7 B113b8-113ba W113bb-113c0 B113c2 B113c5 B113c7-113ca B113cc-113cd W113ce B113cf W113d0 L113d1 W113d2 L113d3 B113d4-113d5 B113d7-113d8 W113e1-113e2 W116d0-116e3 B1171e L11bc0-11be0 B11be1 W11bf0-11bf9 W11f5a L13460-143fa L16100-1611d W1611e-16129 B1612a-1612c W1612d-16139 L16d40-16d6c B16d6d-16d6f W16d70-16d79 L18cff B1cc00-1ccef W1ccf0-1ccf9 B1cd00-1ceb3 L1e5d0-1e5ed W1e5ee-1e5ef L1e5f0 W1e5f1-1e5fa B1e5ff B1f8b2-1f8bb B1f8c0-1f8c1 B1fa89 B1fa8f B1fabe B1fac6 B1fadc B1fadf B1fae9 B1fbcb-1fbef',
  '17.0':
    'L88f Lc5c Lcdc W1acf-1add W1ae0-1aeb B20c1 B2b96 La7ce-a7cf La7d2 La7d4 La7f1 Bfbc3-fbd2 Bfd90-fd91 Bfdc8-fdce L10940-10959 L10ec5-10ec7 B10ed0-10ed8 W10efa-10efb W11b60 B11b61 W11b62-11b64 B11b65 W11b66 B11b67 L11db0-11ddb W11de0-11de9 L16ea0-16eb8 L16ebb-16ed3 L16ff2-16ff3 B16ff4-16ff6 L187f8-187ff L18d09-18d1e L18d80-18df2 B1ccfa-1ccfc B1ceba-1ced0 B1cee0-1cef0 L1e6c0-1e6de L1e6e0-1e6e2 W1e6e3 L1e6e4-1e6e5 W1e6e6 L1e6e7-1e6ed W1e6ee-1e6ef L1e6f0-1e6f4 W1e6f5 L1e6fe-1e6ff B1f6d8 B1f777-1f77a B1f8d0-1f8d8 B1fa54-1fa57 B1fa8a B1fa8e B1fac8 B1facd B1faea B1faef B1fbfa L2b73a-2b73f L2cea2-2cead L323b0-33479',
};

/** The code points that Unicode 12.0 itself added, and so versions before it lack. */
const addedIn12 =
  'c77 e86 e89 e8c e8e-e93 e98 ea0 ea8-ea9 eac eba 1cfa 2bc9 2bff 2e4f a7ba-a7bf a7c2-a7c6 ab66-ab67 10fe0-10ff6 1145f 116b8 119a0-119a7 119aa-119d7 119da-119e4 11a84-11a85 11fc0-11ff1 11fff 13430-13438 16f45-16f4a 16f4f 16f7f-16f87 16fe2-16fe3 187f2-187f7 1b150-1b152 1b164-1b167 1e100-1e12c 1e130-1e13d 1e140-1e149 1e14e-1e14f 1e2c0-1e2f9 1e2ff 1e94b 1ed01-1ed3d 1f16c 1f6d5 1f6fa 1f7e0-1f7eb 1f90d-1f90f 1f93f 1f971 1f97b 1f9a5-1f9aa 1f9ae-1f9af 1f9ba-1f9bf 1f9c3-1f9ca 1f9cd-1f9cf 1fa00-1fa53 1fa70-1fa73 1fa78-1fa7a 1fa80-1fa82 1fa90-1fa95';

/** A general category of each class; no other code point that changes is ignorable. */
const categoryOfLetter: Readonly<Record<string, Category>> = { L: 'Lo', W: 'Mn', B: 'So', I: 'Cf' };

function endsOf(range: string): readonly [first: number, last: number] {
  const [first = 0, last = first] = range.split('-').map((end) => Number.parseInt(end, 16));
  return [first, last];
}

/** The versions after 12.0, in order. */
export const newerVersions: readonly string[] = Object.keys(changes);

/** Categories of the code points whose class in a newer version is not that of Unicode 12.0. */
export function changedBy(version: string): ReadonlyMap<number, Category> {
  const changed = new Map<number, Category>();
  for (const each of newerVersions.slice(0, newerVersions.indexOf(version) + 1))
    for (const range of changes[each]!.split(' ')) {
      const [first, last] = endsOf(range.slice(1));
      for (let codePoint = first; codePoint <= last; codePoint++) changed.set(codePoint, categoryOfLetter[range[0]!]!);
    }
  return changed;
}

/** Was this code point new in Unicode 12.0? */
export const isNewIn12: (codePoint: number) => boolean = (() => {
  const ranges = addedIn12.split(' ').map(endsOf);
  return (codePoint) => ranges.some(([first, last]) => first <= codePoint && codePoint <= last);
})();
