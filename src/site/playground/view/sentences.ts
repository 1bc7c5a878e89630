/** The first words of messages whose subject is the document. */
const PREDICATE = /^(?:is|has|holds|contains|needs|draws|decompresses|cannot be)\b/;

export function failureSentence(name: string, message: string): string {
  const [, data] = /^cannot (?:read|decode) (.*)$/s.exec(message) ?? [];
  if (data !== undefined) return `${name} is not read: this page cannot read ${data}.`;
  return PREDICATE.test(message) ? `${name} ${message}.` : `${name} cannot be read: ${message}.`;
}

export function capitalise(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
