/** The adapter protocol (vectors/README.md) for libraries of npm. */
const { createInterface } = require('node:readline');
const { createRequire } = require('node:module');
const { join } = require('node:path');

/** The folder in which the library is installed. */
const folder = process.argv[2];

/** Loads a module of the library. */
exports.load = createRequire(join(folder, 'package.json'));

/** Writes a number of 64 bits. */
exports.hex16 = (number) => BigInt(number).toString(16).padStart(16, '0');

/** Answers requests by functions, one for each operation. One that returns nothing does not offer the operation for this input. */
exports.serve = async (name, version, operations) => {
  const hello = () => ({
    name,
    version,
    language: 'JavaScript',
    protocol: 1,
    unicode: null,
    operations: Object.keys(operations),
  });
  const answer = ({ id, op, input }) => {
    try {
      const ok = op === 'hello' ? hello() : operations[op]?.(input);
      return ok === undefined ? { id, unsupported: true } : { id, ok };
    } catch (error) {
      return { id, error: { code: 'internal', message: String(error) } };
    }
  };
  for await (const line of createInterface({ input: process.stdin }))
    process.stdout.write(`${JSON.stringify(answer(JSON.parse(line)))}\n`);
};
