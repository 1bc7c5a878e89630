// simhash-js: `new SimHash().hash(text)` gives 32 bits; `Comparator` takes two of them as hexadecimal texts.
const { hex16, load, serve } = require('./protocol.cjs');
const { Comparator, Jenkins, SimHash } = load('simhash-js');

const narrow = (digits) => (digits.startsWith('00000000') ? digits.slice(8) : undefined);

serve('simhash-js', load('simhash-js/package.json').version, {
  fingerprint: ({ text }) => (text === undefined ? undefined : { fingerprint: hex16(new SimHash().hash(text)) }),
  // The hash of 64 bits, as the library writes it. SimHash uses hash32.
  'token-hash': ({ text }) => (text === undefined ? undefined : { hash: new Jenkins().hash64(text) }),
  distance({ a, b }) {
    const [x, y] = [narrow(a), narrow(b)];
    return x === undefined || y === undefined ? undefined : { distance: Comparator.hammingDistance(x, y) };
  },
});
