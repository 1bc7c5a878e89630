// node-simhash: `summary(a, b)` prints the fingerprints of two texts as 32 binary digits. It has no function that returns one.
const { hex16, load, serve } = require('./protocol.cjs');
const library = load('node-simhash');

function fingerprintOf(text) {
  const { log } = console;
  const lines = [];
  console.log = (...parts) => lines.push(parts);
  try {
    library.summary(text, text);
  } finally {
    console.log = log;
  }
  return hex16(Number.parseInt(lines[0][1], 2));
}

serve('node-simhash', load('node-simhash/package.json').version, {
  fingerprint: ({ text }) => (text === undefined ? undefined : { fingerprint: fingerprintOf(text) }),
  tokenise: ({ text }) => ({ tokens: [...library.shingles(text)] }),
});
