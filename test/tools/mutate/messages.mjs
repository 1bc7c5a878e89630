/** A StrykerJS plugin: code that only makes the text of an error message is not changed. Its wording is free. */

/** The positions of the first argument of the text, by the function. */
const FIRST_TEXT = { wrongValue: 1, wrongType: 0 };

function isText({ node, parent }) {
  if (parent?.type !== 'CallExpression' || parent.callee.type !== 'Identifier') return false;
  const at = parent.arguments.indexOf(node);
  if (at < 0) return false;
  const { name } = parent.callee;
  if (name in FIRST_TEXT) return at >= FIRST_TEXT[name];
  return name.startsWith('assert') && ['StringLiteral', 'TemplateLiteral'].includes(node.type);
}

export const strykerPlugins = [
  {
    kind: 'Ignore',
    name: 'messages',
    value: { shouldIgnore: (path) => (isText(path) ? 'changes only the text of an error message' : undefined) },
  },
];
