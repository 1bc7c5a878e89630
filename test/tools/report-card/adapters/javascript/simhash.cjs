// simhash: `require('simhash')()(tokens)` gives 32 digits 0 and 1, the least significant first.
const { hex16, load, serve } = require('./protocol.cjs');
const simhash = load('simhash')();

const numberOf = (digits) => digits.reduce((sum, digit, i) => sum + (digit ? 2 ** i : 0), 0);
const fingerprintOf = (tokens) => hex16(numberOf(simhash(tokens)));

serve('simhash', load('simhash/package.json').version, {
  // The hash of a token is the simhash of that token alone.
  'token-hash': ({ text, utf8 }) => ({ hash: fingerprintOf([text ?? Buffer.from(utf8, 'hex')]) }),
  'fingerprint-of-tokens': ({ tokens }) => ({ fingerprint: fingerprintOf(tokens) }),
});
