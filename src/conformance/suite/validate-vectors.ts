import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import { isRecord } from '../../common/text.ts';
import { assertIterable } from '../../errors.ts';
import { listFiles, readVectors } from './load-suite.ts';

/** A fault in a file of vectors. */
export interface Fault {
  /** The id of the vector, or its place in the file if it has no id; `''` for the whole file. */
  readonly id: string;
  readonly message: string;
}

/** Checks files of vectors. */
export interface Validator {
  /**
   * Checks the content of a file.
   * @param content - the parsed JSON
   * @returns all faults
   */
  check(content: unknown): Fault[];
}

interface Schema {
  readonly $defs?: Readonly<Record<string, { readonly properties?: { readonly operation?: { const?: string } } }>>;
}

interface Form {
  readonly group: string;
  /** Compiles the form when it is first requested. */
  validator(): ValidateFunction;
}

const OTHERS: ReadonlySet<string> = new Set(['common', 'flags', 'manifest', 'mutants']);
const SUFFIX = '.schema.json';

function loadForms() {
  const ajv = new Ajv2020({ strict: true, allErrors: true, verbose: true });
  const schemas = new Map<string, Schema>();
  for (const name of listFiles('schema/').filter((each) => each.endsWith(SUFFIX)))
    schemas.set(name, readVectors(`schema/${name}`) as Schema);
  for (const [name, schema] of schemas) ajv.addSchema(schema as object, name);
  const byOperation = new Map<string, Form[]>();
  for (const [name, schema] of schemas) {
    const group = name.slice(0, -SUFFIX.length);
    if (OTHERS.has(group)) continue;
    for (const [definition, { properties }] of Object.entries(schema.$defs ?? {})) {
      const operation = properties?.operation?.const;
      if (operation === undefined) continue;
      const form = { group, validator: () => ajv.getSchema(`${name}#/$defs/${definition}`)! };
      byOperation.set(operation, [...(byOperation.get(operation) ?? []), form]);
    }
  }
  return { file: ajv.getSchema('common.schema.json#/$defs/group')!, byOperation };
}

function checkForm(forms: readonly Form[], vector: unknown, group: string): string[] {
  // A group of the suite has its own form; other groups may use any.
  const own = forms.filter((form) => form.group === group);
  const failed = (own.length > 0 ? own : forms).map((form) => {
    const validate = form.validator();
    return validate(vector) ? [] : formatErrors(validate.errors);
  });
  return failed.find((messages) => messages.length === 0) ?? failed[0]!;
}

/**
 * Makes a validator for files of vectors, also of other authors: the schemas of vectors/schema/ and unique ids. It
 * remembers the ids of all files that it checks.
 * @param known - ids that are already taken
 * @throws TypeError `wrong-type`
 */
export function createValidator(known: Iterable<string> = []): Validator {
  assertIterable('known', known, 'an iterable of ids');
  const { file, byOperation } = loadForms();
  const ids = new Set(known);

  function checkVector(vector: unknown, index: number, group: string): Fault[] {
    const id = isRecord(vector) && typeof vector['id'] === 'string' ? vector['id'] : `vectors[${index}]`;
    if (!isRecord(vector)) return [{ id, message: 'expected an object' }];
    const forms = byOperation.get(String(vector['operation']));
    if (forms === undefined)
      return [{ id, message: `expected a known "operation", got ${JSON.stringify(vector['operation'])}` }];
    const faults = checkForm(forms, vector, group);
    if (ids.has(id)) faults.push('another vector has the same id');
    ids.add(id);
    if (!id.startsWith(`${group}/`)) faults.push(`expected an id that begins with ${JSON.stringify(`${group}/`)}`);
    return faults.map((message) => ({ id, message }));
  }

  return {
    check(content) {
      if (!file(content)) return formatErrors(file.errors).map((message) => ({ id: '', message }));
      const { group, vectors } = content as { readonly group: string; readonly vectors: readonly unknown[] };
      return vectors.flatMap((vector, index) => checkVector(vector, index, group));
    },
  };
}

/** Formats schema errors, without those that only report that no alternative matched. */
function formatErrors(errors: readonly ErrorObject[] | null | undefined): string[] {
  const all = errors ?? [];
  // Members count as unevaluated after any other fault.
  const others = all.filter(({ keyword }) => keyword !== 'unevaluatedProperties');
  const list = others.length > 0 ? others : all;
  const telling = list.filter(({ keyword }) => !['oneOf', 'anyOf', 'not', 'if', 'false schema'].includes(keyword));
  const lines = (telling.length > 0 ? telling : list).map(({ instancePath, keyword, message, params, data }) => {
    const [, named] = (keyword === 'pattern' && /^\/(rule|flag)s\/\d+$/.exec(instancePath)) || [];
    if (named !== undefined) return `no such ${named}: ${data}`;
    const { additionalProperty, unevaluatedProperty, allowedValue, allowedValues } = params as Readonly<
      Record<string, unknown>
    >;
    const extra = additionalProperty ?? unevaluatedProperty ?? allowedValue ?? allowedValues;
    return `${instancePath === '' ? '' : `${instancePath}: `}${message}${extra === undefined ? '' : ` (${JSON.stringify(extra)})`}`;
  });
  return [...new Set(lines)];
}
