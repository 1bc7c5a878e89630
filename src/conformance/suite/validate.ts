import { readdirSync, readFileSync } from 'node:fs';
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import { isRecord } from '../../common/text.ts';
import { assertIterable } from '../../errors.ts';
import { operations } from '../adapter/operations.ts';
import { loadFlags, VECTORS } from './load.ts';
import { loadRules } from './rules.ts';

/** Something that is wrong with a file of vectors. */
export interface Fault {
  /** The vector, where it has an id; otherwise its place in the file, or `''` for the whole. */
  readonly id: string;
  readonly message: string;
}

/** Checks files of vectors. */
export interface Validator {
  /**
   * Checks the content of a file.
   * @param content - as JSON gives it
   * @returns every fault that was found
   */
  check(content: unknown): Fault[];
}

/** A schema of vectors/schema/ as far as it is looked into here. */
interface Schema {
  readonly $defs?: Readonly<
    Record<string, { readonly properties?: { readonly operation?: { readonly const?: string } } }>
  >;
}

/** Names of schemas that are not those of groups. */
const OTHERS: ReadonlySet<string> = new Set(['common', 'flags', 'manifest', 'mutants']);

/**
 * Makes a validator for files of vectors, those of others too: the schemas of vectors/schema/, ids each once, rules and
 * flags that exist. It remembers the ids of all the files that it checks.
 * @param known - ids that are taken already
 */
export function createValidator(known: Iterable<string> = []): Validator {
  assertIterable('known', known, 'an iterable of ids');
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  const forms = new Map<string, { readonly group: string; readonly validate: ValidateFunction }[]>();
  const folder = new URL('schema/', VECTORS);
  const schemas = readdirSync(folder).filter((name) => name.endsWith('.schema.json'));
  const contents = new Map(
    schemas.map((name) => [name, JSON.parse(readFileSync(new URL(name, folder), 'utf8')) as Schema]),
  );
  for (const [name, schema] of contents) ajv.addSchema(schema as object, name);
  for (const [name, schema] of contents) {
    const group = name.slice(0, -'.schema.json'.length);
    if (OTHERS.has(group)) continue;
    for (const [definition, { properties }] of Object.entries(schema.$defs ?? {})) {
      const operation = properties?.operation?.const;
      if (operation === undefined) continue;
      const validate = ajv.getSchema(`${name}#/$defs/${definition}`)!;
      forms.set(operation, [...(forms.get(operation) ?? []), { group, validate }]);
    }
  }
  const fileSchema = ajv.getSchema('common.schema.json#/$defs/group')!;
  const rules = loadRules();
  const flags = new Set(loadFlags().map(({ name }) => name));
  const ids = new Set(known);

  function checkVector(vector: unknown, index: number, group: string): Fault[] {
    const id = isRecord(vector) && typeof vector['id'] === 'string' ? vector['id'] : `vectors[${index}]`;
    const faults: string[] = [];
    if (!isRecord(vector)) return [{ id, message: 'expected an object' }];
    const operation = String(vector['operation']);
    const known = forms.get(operation);
    if (known === undefined || !Object.hasOwn(operations, operation))
      return [{ id, message: `expected a known "operation", got ${JSON.stringify(vector['operation'])}` }];
    // A group of the suite has a form of its own; a foreign group may use any.
    const own = known.filter((form) => form.group === group);
    const failed = (own.length > 0 ? own : known).map(({ validate }) =>
      validate(vector) ? null : messages(validate.errors),
    );
    if (!failed.includes(null)) faults.push(...failed[0]!);
    if (ids.has(id)) faults.push('its id is that of another vector');
    ids.add(id);
    if (!id.startsWith(`${group}/`)) faults.push(`expected an id that begins with ${JSON.stringify(`${group}/`)}`);
    for (const rule of textsOf(vector['rules'])) if (!rules.has(rule)) faults.push(`no such rule: ${rule}`);
    for (const flag of textsOf(vector['flags'])) if (!flags.has(flag)) faults.push(`no such flag: ${flag}`);
    return faults.map((message) => ({ id, message }));
  }

  return {
    check(content) {
      if (!fileSchema(content)) return messages(fileSchema.errors).map((message) => ({ id: '', message }));
      const { group, vectors } = content as { readonly group: string; readonly vectors: readonly unknown[] };
      return vectors.flatMap((vector, index) => checkVector(vector, index, group));
    },
  };
}

function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
}

/** What the errors of a schema say, without those that only repeat that an alternative did not fit. */
function messages(errors: readonly ErrorObject[] | null | undefined): string[] {
  const all = errors ?? [];
  const telling = all.filter(({ keyword }) => !['oneOf', 'anyOf', 'not', 'if', 'false schema'].includes(keyword));
  const lines = (telling.length > 0 ? telling : all).map(({ instancePath, message, params }) => {
    const { additionalProperty, unevaluatedProperty, allowedValue, allowedValues } = params as Readonly<
      Record<string, unknown>
    >;
    const extra = additionalProperty ?? unevaluatedProperty ?? allowedValue ?? allowedValues;
    return `${instancePath === '' ? '' : `${instancePath}: `}${message}${extra === undefined ? '' : ` (${JSON.stringify(extra)})`}`;
  });
  return [...new Set(lines)];
}
