/** The digest of an accumulated vector, and the independent implementations that gave it when it was found. */
export interface FoundDigest {
  readonly digest: string;
  readonly agrees: readonly string[];
}

/** Written by test/tools/generate/accumulated.ts; by the names of the vectors, those that the twin is too slow for. */
export const digests: Readonly<Record<string, FoundDigest>> = {
  'decode-10000': {
    digest: '5dc9fa5138567315045247e308166b38c90326bc6d5c13fac2e85a536a780ed6',
    agrees: ['c', 'python'],
  },
  'decode-100000': {
    digest: '3d0092c3d28b397da2bb6c404747504f1e263cfaa9f4d92c08c4950b972fce38',
    agrees: ['c'],
  },
  'classify-10000': {
    digest: 'cc6a5f15d5d121dbf3557005dea7705e6f8f96b344b0c8cb82ce7cd5eb3d9c4b',
    agrees: ['c', 'python'],
  },
  'classify-100000': {
    digest: '3b5d7507fb289db76a3af199cd5cc53ef9139e3de1ef535d5e9556a7b3513e12',
    agrees: ['c'],
  },
  'normalise-10000': {
    digest: '342b0ea31770390ef09bbdef21c2a2ee6f52ab543de2c3a36351294c60e8d642',
    agrees: ['python'],
  },
  'normalise-100000': {
    digest: 'c62acb866b54d6f14deb4889a049ea69fbb5adfba9be7ae68bcd6a68f7fdc78e',
    agrees: ['python'],
  },
  'normalise-any-10000': {
    digest: '7934d4093bb649ad1d98282b10da7e67d1bd1c8edc38fcdf59c25a5b725b5d83',
    agrees: ['python'],
  },
  'normalise-any-100000': {
    digest: '6b9f87959543a56e9ae0f4b189f0dba5f4fbe06548cb3c5872c7bca4ab585417',
    agrees: ['python'],
  },
  'normalise-plain-10000': {
    digest: '53edc086f13b7feb7fef202460b87c6904cc353b2d6df5aae473cf9c1152f1dc',
    agrees: ['c', 'python'],
  },
  'normalise-plain-100000': {
    digest: 'd5ab0b1f3bed691824bf1abaab83315b3ab4000c3dd92460d6cf7714b475fefd',
    agrees: ['c'],
  },
  'strip-locators-10000': {
    digest: 'b4ed8b366a443ae80e26bc3c1f7daaec929a12db8a75d8273caecf55f3fced0b',
    agrees: ['c', 'python'],
  },
  'strip-locators-100000': {
    digest: 'e8a8f33fe16fd73d217b4b726081654e916280680381102c11ffebdc019a5315',
    agrees: ['c'],
  },
  'tokenise-10000': {
    digest: '289feea3ee78b85d86d3cd7235e670a2f807cb562966d31db2e29cc5e34234dd',
    agrees: ['c', 'python'],
  },
  'tokenise-100000': {
    digest: '65acc80fac9e994df62a148cee670d50e90299309a312ddd2724b9d688f770a9',
    agrees: ['c'],
  },
  'tokenise-words-10000': {
    digest: '27df4b4e4a711b5a4e2332e1eb47a0fdff3cb0a928761471797a9d9f95c83b78',
    agrees: ['c', 'python'],
  },
  'tokenise-words-100000': {
    digest: '8059af5e2e2d5e2442bf2f35479d9bad11bca0be0ce6d52b2b47e2f168e8a498',
    agrees: ['c'],
  },
  'token-hash-10000': {
    digest: 'd5b60955f9c19172991437a50f82fc094fe2d991c93cfa3631212abb478a12ff',
    agrees: ['c', 'python'],
  },
  'token-hash-100000': {
    digest: '6328b47bf62d66ce2c02fe4b3b66e0da84a377293e29e0ce75e8de43b47364bd',
    agrees: ['c'],
  },
  'simhash-10000': {
    digest: '8d8a2236695179b401f161e3a7ddaffc073e4563bc5b074034d581daa6a70b71',
    agrees: ['c', 'python'],
  },
  'simhash-100000': {
    digest: '09bcef31826230b7fd17fe041aa6764a192262b07fbe57ad474c1761cb499f34',
    agrees: ['c'],
  },
  'serialise-10000': {
    digest: '117ef118b1dca7bff18ec8b293fa28cb70449c3890fc74459baceba472725d73',
    agrees: ['c', 'python'],
  },
  'serialise-100000': {
    digest: 'b571f0093c1a292c406261b41b689715f6534743c77bf5546247dbdc41d8b371',
    agrees: ['c'],
  },
  'parse-10000': {
    digest: 'ceebdccec0d34b1683879b297eeb0a25d42db97c6bbcd3ab6d204dc040772443',
    agrees: ['c', 'python'],
  },
  'parse-100000': {
    digest: '4b3df1560348772e1f8a00d1d6ffdb6f55206e10b88a28fee31832e9f901cd9f',
    agrees: ['c'],
  },
  'parse-padded-10000': {
    digest: '7f39940fc2d42c5ed05e3939d80cae05ee702fea4a23823e1ae36764f23a4460',
    agrees: ['c', 'python'],
  },
  'parse-padded-100000': {
    digest: 'f38ca0f1313107c9963697b3f5c8c928daad90a582804a185c93152a4fc6c3c3',
    agrees: ['c'],
  },
  'tables-10000': {
    digest: '2ed0f1df982ae3e87dd1f1cf8b931da99b2affd24b22ed14cfa6b98d4cf2c96f',
    agrees: ['c', 'python'],
  },
  'tables-100000': {
    digest: 'd043edfb16273fdd82930562de255c6b706d57ce661fe7574da58b12bcb4b894',
    agrees: ['c'],
  },
  'probe-10000': {
    digest: '90a84403917ab49cfc8d58daa4ecd7f3c577de7b190548912707e53784223a26',
    agrees: ['c', 'python'],
  },
  'probe-100000': {
    digest: '573c32521ce19e6182406428277d771e6f9ee8958aa047e200d1509d0ab7a874',
    agrees: ['c'],
  },
  'fingerprint-10000': {
    digest: 'f4a166d7ad67e4365735ecb3efa39a06df0b0e9b281fedfa7d6291139889f3df',
    agrees: ['python'],
  },
  'fingerprint-100000': {
    digest: 'd56daa2ffab1fcdd9799da37087a2001d501aa044166c95775aa86eee8e105b4',
    agrees: ['python'],
  },
  'fingerprint-plain-10000': {
    digest: 'bb2b41649aeae01944c9047f9745da72d83b58c07f1478cb8d50a6092455d8e0',
    agrees: ['c', 'python'],
  },
  'fingerprint-plain-100000': {
    digest: '55fd7a03abed23e8d706b90cb374ae295991196b8ff59e3c08a7e14b5820601b',
    agrees: ['c'],
  },
  'fingerprint-octets-10000': {
    digest: '75da40c1d065c85f20775c5ee09a10e02aee0d64ef27679965993c6df62d5e46',
    agrees: ['python'],
  },
  'fingerprint-octets-100000': {
    digest: '1f76e3be5ade5674212d4ab61ac81b14d373394c9bd5238590b3a260bab2b2ae',
    agrees: ['python'],
  },
};
