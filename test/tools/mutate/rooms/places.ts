import { parse } from '@babel/parser';

/** One change of a source file. */
export interface Change {
  /** The beginning and the end of the code that it replaces, in UTF-16 units. */
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
  /** The kind of change, such as `comparison`. */
  readonly kind: string;
  readonly line: number;
}

/** The body of a function: where it begins and ends, and whether it is a block or an expression. */
export interface Body {
  readonly start: number;
  readonly end: number;
  readonly isBlock: boolean;
}

/** The changes that can be made in a file, and its functions. */
export interface Places {
  readonly changes: readonly Change[];
  readonly bodies: readonly Body[];
}

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly loc: { readonly start: { readonly line: number } };
  readonly [member: string]: unknown;
}

/** The replacement of each operator. */
const OPERATORS: Readonly<Record<string, readonly [kind: string, replacement: string]>> = {
  '<': ['comparison', '<='],
  '<=': ['comparison', '<'],
  '>': ['comparison', '>='],
  '>=': ['comparison', '>'],
  '===': ['comparison', '!=='],
  '!==': ['comparison', '==='],
  '+': ['arithmetic', '-'],
  '-': ['arithmetic', '+'],
  '&&': ['logic', '||'],
  '||': ['logic', '&&'],
  '??': ['logic', '&&'],
};

/** Functions whose texts are only messages. */
const IS_MESSAGE = /error|fail|wrong|warn|refuse|assert|describe|usage/i;

const isNode = (value: unknown): value is Node => typeof (value as Node | null)?.type === 'string';

/** Finds all that can be changed in a module. Types, imports and the wording of messages are left alone. */
export function findPlaces(source: string): Places {
  const { program } = parse(source, { sourceType: 'module', plugins: ['typescript'] });
  const changes: Change[] = [];
  const bodies: Body[] = [];
  const visit = (node: Node): void => {
    if (isLeftAlone(node)) return;
    if (/Function|ObjectMethod|ClassMethod/.test(node.type) && isNode(node['body'])) {
      const { start, end, type } = node['body'];
      bodies.push({ start, end, isBlock: type === 'BlockStatement' });
    }
    for (const [kind, { start, end, loc }, replacement] of editsOf(node, source))
      if (source.slice(start, end) !== replacement)
        changes.push({ kind, start, end, replacement, line: loc.start.line });
    for (const child of childrenOf(node)) visit(child);
  };
  visit(program as unknown as Node);
  return { changes, bodies };
}

function childrenOf(node: Node): Node[] {
  const children = Object.entries(node).flatMap(([name, value]) =>
    ['loc', 'extra', 'leadingComments', 'trailingComments', 'innerComments'].includes(name) ? [] : value,
  );
  return children.filter(isNode);
}

function isLeftAlone(node: Node): boolean {
  if (/^(TS|Import|ExportAll)/.test(node.type) && !/^TS(As|NonNull|Satisfies)/.test(node.type)) return true;
  if (node.type === 'ThrowStatement') return true;
  if (node.type !== 'CallExpression' && node.type !== 'NewExpression') return false;
  const callee = node['callee'] as Node;
  const name = callee['name'] ?? (callee['property'] as Node | undefined)?.['name'];
  return typeof name === 'string' && IS_MESSAGE.test(name);
}

/** A change of the code of a node. */
type Edit = readonly [kind: string, node: Node, replacement: string];

/** Lists the changes of a node itself, without those of what it holds. */
function editsOf(node: Node, source: string): Edit[] {
  switch (node.type) {
    case 'BinaryExpression':
    case 'LogicalExpression':
      return operatorEdits(node, source);
    case 'UnaryExpression': {
      const { start, end } = node['argument'] as Node;
      return node['operator'] === '!' ? [['negation', node, source.slice(start, end)]] : [];
    }
    case 'IfStatement':
    case 'ConditionalExpression':
      return ['true', 'false'].map((value) => ['condition', node['test'] as Node, value]);
    case 'WhileStatement':
      return [['condition', node['test'] as Node, 'false']];
    case 'ExpressionStatement':
      return isCall(node['expression'] as Node) ? [['removed call', node, ';']] : [];
    case 'ReturnStatement':
      return isNode(node['argument']) ? [['return', node['argument'], 'undefined']] : [];
    case 'StringLiteral':
      // With white space, it is a text for people.
      return /\s/.test(node['value'] as string) ? [] : [['text', node, "''"]];
    case 'NumericLiteral':
      return [['number', node, `${(node['value'] as number) + 1}`]];
    case 'BooleanLiteral':
      return [['boolean', node, `${!node['value']}`]];
    case 'ArrayExpression':
      return (node['elements'] as unknown[]).length > 0 ? [['array', node, '[]']] : [];
    case 'UpdateExpression': {
      const code = source.slice(node.start, node.end);
      return [['arithmetic', node, node['operator'] === '++' ? code.replace('++', '--') : code.replace('--', '++')]];
    }
    default:
      return [];
  }
}

const isCall = (node: Node): boolean =>
  node.type === 'CallExpression' || (node.type === 'AwaitExpression' && isCall(node['argument'] as Node));

function operatorEdits(node: Node, source: string): Edit[] {
  const [left, right, operator] = [node['left'] as Node, node['right'] as Node, node['operator'] as string];
  const found = OPERATORS[operator];
  if (found === undefined) return [];
  const [kind, other] = found;
  // Texts are only added.
  if (kind === 'arithmetic' && /["'`]/.test(source.slice(node.start, node.end))) return [];
  const at = source.indexOf(operator, left.end);
  if (at >= right.start) return [];
  const [before, after] = [source.slice(node.start, at), source.slice(at + operator.length, node.end)];
  // Without parentheses, ?? goes with no other.
  return [[kind, node, kind === 'logic' ? `((${before}) ${other} (${after}))` : before + other + after]];
}
