/** Digests of vectors that the twin is too slow for, by their names; written by test/tools/generate/accumulated.ts. */
const rows: Readonly<Record<string, readonly [digest: string, agrees: string]>> = {
  'decode-10000': ['5dc9fa5138567315045247e308166b38c90326bc6d5c13fac2e85a536a780ed6', 'c python'],
  'decode-100000': ['3d0092c3d28b397da2bb6c404747504f1e263cfaa9f4d92c08c4950b972fce38', 'c'],
  'classify-10000': ['cc6a5f15d5d121dbf3557005dea7705e6f8f96b344b0c8cb82ce7cd5eb3d9c4b', 'c python'],
  'classify-100000': ['3b5d7507fb289db76a3af199cd5cc53ef9139e3de1ef535d5e9556a7b3513e12', 'c'],
  'normalise-10000': ['342b0ea31770390ef09bbdef21c2a2ee6f52ab543de2c3a36351294c60e8d642', 'python'],
  'normalise-100000': ['c62acb866b54d6f14deb4889a049ea69fbb5adfba9be7ae68bcd6a68f7fdc78e', 'python'],
  'normalise-any-10000': ['7934d4093bb649ad1d98282b10da7e67d1bd1c8edc38fcdf59c25a5b725b5d83', 'python'],
  'normalise-any-100000': ['6b9f87959543a56e9ae0f4b189f0dba5f4fbe06548cb3c5872c7bca4ab585417', 'python'],
  'normalise-plain-10000': ['53edc086f13b7feb7fef202460b87c6904cc353b2d6df5aae473cf9c1152f1dc', 'c python'],
  'normalise-plain-100000': ['d5ab0b1f3bed691824bf1abaab83315b3ab4000c3dd92460d6cf7714b475fefd', 'c'],
  'strip-locators-10000': ['b4ed8b366a443ae80e26bc3c1f7daaec929a12db8a75d8273caecf55f3fced0b', 'c python'],
  'strip-locators-100000': ['e8a8f33fe16fd73d217b4b726081654e916280680381102c11ffebdc019a5315', 'c'],
  'tokenise-10000': ['289feea3ee78b85d86d3cd7235e670a2f807cb562966d31db2e29cc5e34234dd', 'c python'],
  'tokenise-100000': ['65acc80fac9e994df62a148cee670d50e90299309a312ddd2724b9d688f770a9', 'c'],
  'tokenise-words-10000': ['27df4b4e4a711b5a4e2332e1eb47a0fdff3cb0a928761471797a9d9f95c83b78', 'c python'],
  'tokenise-words-100000': ['8059af5e2e2d5e2442bf2f35479d9bad11bca0be0ce6d52b2b47e2f168e8a498', 'c'],
  'token-hash-10000': ['d5b60955f9c19172991437a50f82fc094fe2d991c93cfa3631212abb478a12ff', 'c python'],
  'token-hash-100000': ['6328b47bf62d66ce2c02fe4b3b66e0da84a377293e29e0ce75e8de43b47364bd', 'c'],
  'simhash-10000': ['8d8a2236695179b401f161e3a7ddaffc073e4563bc5b074034d581daa6a70b71', 'c python'],
  'simhash-100000': ['09bcef31826230b7fd17fe041aa6764a192262b07fbe57ad474c1761cb499f34', 'c'],
  'serialise-10000': ['117ef118b1dca7bff18ec8b293fa28cb70449c3890fc74459baceba472725d73', 'c python'],
  'serialise-100000': ['b571f0093c1a292c406261b41b689715f6534743c77bf5546247dbdc41d8b371', 'c'],
  'parse-10000': ['ceebdccec0d34b1683879b297eeb0a25d42db97c6bbcd3ab6d204dc040772443', 'c python'],
  'parse-100000': ['4b3df1560348772e1f8a00d1d6ffdb6f55206e10b88a28fee31832e9f901cd9f', 'c'],
  'parse-padded-10000': ['7f39940fc2d42c5ed05e3939d80cae05ee702fea4a23823e1ae36764f23a4460', 'c python'],
  'parse-padded-100000': ['f38ca0f1313107c9963697b3f5c8c928daad90a582804a185c93152a4fc6c3c3', 'c'],
  'tables-10000': ['2ed0f1df982ae3e87dd1f1cf8b931da99b2affd24b22ed14cfa6b98d4cf2c96f', 'c python'],
  'tables-100000': ['d043edfb16273fdd82930562de255c6b706d57ce661fe7574da58b12bcb4b894', 'c'],
  'probe-10000': ['90a84403917ab49cfc8d58daa4ecd7f3c577de7b190548912707e53784223a26', 'c python'],
  'probe-100000': ['573c32521ce19e6182406428277d771e6f9ee8958aa047e200d1509d0ab7a874', 'c'],
  'fingerprint-10000': ['f4a166d7ad67e4365735ecb3efa39a06df0b0e9b281fedfa7d6291139889f3df', 'python'],
  'fingerprint-100000': ['d56daa2ffab1fcdd9799da37087a2001d501aa044166c95775aa86eee8e105b4', 'python'],
  'fingerprint-plain-10000': ['bb2b41649aeae01944c9047f9745da72d83b58c07f1478cb8d50a6092455d8e0', 'c python'],
  'fingerprint-plain-100000': ['55fd7a03abed23e8d706b90cb374ae295991196b8ff59e3c08a7e14b5820601b', 'c'],
  'fingerprint-octets-10000': ['75da40c1d065c85f20775c5ee09a10e02aee0d64ef27679965993c6df62d5e46', 'python'],
  'fingerprint-octets-100000': ['1f76e3be5ade5674212d4ab61ac81b14d373394c9bd5238590b3a260bab2b2ae', 'python'],
};

/** The digest of an accumulated vector, and the independent implementations that gave it when it was found. */
export interface FoundDigest {
  readonly digest: string;
  readonly agrees: readonly string[];
}

export const digests: Readonly<Record<string, FoundDigest>> = Object.fromEntries(
  Object.entries(rows).map(([name, [digest, agrees]]) => [name, { digest, agrees: agrees.split(' ') }]),
);
