/** A docstring by its tags. Texts are Markdown. */
export interface Docstring {
  readonly summary: string;
  /** By the name of the parameter, without the hyphen before its text. */
  readonly parameters: ReadonlyMap<string, string>;
  readonly returns?: string;
  readonly throws: readonly string[];
  /** Parts of the specification, such as `spec/simhash-doc.md#TOK-2`. */
  readonly see: readonly string[];
  readonly examples: readonly string[];
}

export function parseDocstring(doc: string): Docstring {
  const [summary, ...tags] = doc.split(/^@(?=[a-z])/m);
  const parameters = new Map<string, string>();
  const texts: Record<string, string[]> = {};
  for (const tag of tags) {
    const [, name, text] = /^([a-z]+)\s*(.*)$/s.exec(tag.trimEnd())!;
    const [, parameter, about] = /^(\S+)\s+-\s+(.*)$/s.exec(text!) ?? [];
    if (name === 'param' && parameter !== undefined) parameters.set(parameter, about!);
    else {
      texts[name!] ??= [];
      texts[name!]!.push(text!);
    }
  }
  const [returns] = texts['returns'] ?? [];
  return {
    summary: summary!.trim(),
    parameters,
    ...(returns !== undefined && { returns }),
    throws: texts['throws'] ?? [],
    see: texts['see'] ?? [],
    examples: texts['example'] ?? [],
  };
}
