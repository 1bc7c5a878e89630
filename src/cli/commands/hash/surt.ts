import { latin1 } from '../../../common/bytes.ts';

/** The longest URI that is taken apart, in UTF-16 units: some of these expressions take quadratic time. */
const MAX_URI = 1 << 13;

/** Parts of a URI (RFC 3986, appendix B), without its fragment. */
const URI = /^([a-z][a-z\d+.-]*):(?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?/is;

/** Host and port of an authority. */
const AUTHORITY = /^(?:.*@)?(\[.*\]|[^:]*)(?::(\d*))?:*$/s;

const DEFAULT_PORTS: Readonly<Record<string, string>> = { http: '80', https: '443' };

/** Session identifiers in paths and queries, which keys omit. */
const PATH_SESSIONS = [
  /^(.*\/)\((?:[a-z]\([0-9a-z]{24}\))+\)\/([^?]+\.aspx.*)$/is,
  /^(.*\/)\([0-9a-z]{24}\)\/([^?]+\.aspx.*)$/is,
];
const QUERY_SESSIONS = [
  /^(.*)jsessionid=[0-9a-z]{32}(?:&(.*))?$/is,
  /^(.*)phpsessid=[0-9a-z]{32}(?:&(.*))?$/is,
  /^(.*)sid=[0-9a-z]{32}(?:&(.*))?$/is,
  /^(.*)aspsessionid[a-z]{8}=[a-z]{24}(?:&(.*))?$/is,
  /^(.*)cfid=[^&]+&cftoken=[^&]+(?:&(.*))?$/is,
];

/** Makes the key by which web archives sort a URI (SURT), as the Python package surt does; a URI without a scheme is HTTP. */
export function surtOf(uri: string): string {
  const trimmed = uri.trim().replace(/[\n\r\t]/g, '');
  if (trimmed.length > MAX_URI) return escapeOnce(latin1(new TextEncoder().encode(trimmed)));
  const absolute = /^[a-z][a-z\d+.-]*:/i.test(trimmed) ? trimmed : `http://${trimmed}`;
  // Crawls also contain http://http://example.org and http:/example.org.
  const single = absolute.replace(/^(https?:\/\/)+/, '$1').replace(/^(https?:)\/*/i, '$1//');
  const [, scheme = '', authority = '', path = '', query = ''] = URI.exec(single)!;
  const [, host = '', port = ''] = AUTHORITY.exec(authority) ?? ['', authority];
  if (host === '') return `${scheme}:${stripPath(escapeOnce(unescapeAll(path)))}${keyOfQuery(query)}`;
  const isDefault = port === '' || DEFAULT_PORTS[scheme.toLowerCase()] === String(Number(port));
  const labels = keyOfHost(host).split('.').reverse().join(',');
  const key = stripPath(escapeOnce(normalisePath(unescapeAll(path))));
  return `${labels}${isDefault ? '' : `:${Number(port)}`})${key}${keyOfQuery(query)}`;
}

function keyOfHost(host: string): string {
  const bare = host.replace(/^\[(.*)\]$/s, '$1');
  const name = unescapeAll(bare)
    .replaceAll('..', '.')
    .replace(/^\.+|\.+$/g, '');
  return asciiHost(name).replace(/^www\d*\./, '');
}

/** A host in ASCII: internationalised names in Punycode, numbers as IPv4 addresses. */
function asciiHost(name: string): string {
  if (/^[!-~]*$/.test(name) && /[^\d.]/.test(name)) return escapeOnce(name.toLowerCase());
  try {
    const text = new TextDecoder().decode(Uint8Array.from(name, (byte) => byte.charCodeAt(0)));
    return new URL(`http://${text}`).hostname || name;
  } catch {
    return escapeOnce(name.toLowerCase());
  }
}

/** Resolves `.` and `..`, and removes empty segments but the last. */
function normalisePath(path: string): string {
  const kept: string[] = [];
  for (const segment of path.split('/').slice(1)) {
    if (segment === '.') continue;
    if (segment === '..' && kept.length > 0) kept.pop();
    else kept.push(segment);
  }
  const last = kept.pop() ?? '';
  return `/${kept
    .filter((segment) => segment !== '')
    .map((segment) => `${segment}/`)
    .join('')}${last}`;
}

function stripPath(path: string): string {
  const lower = PATH_SESSIONS.reduce((each, pattern) => each.replace(pattern, '$1$2'), path.toLowerCase());
  return lower.length > 1 ? lower.replace(/\/$/, '') : lower;
}

function keyOfQuery(query: string): string {
  const stripped = QUERY_SESSIONS.reduce(
    (each, pattern) => each.replace(pattern, '$1$2'),
    escapeOnce(unescapeAll(query)),
  );
  if (stripped === '') return '';
  // A parameter without a value sorts before the same one with a value, and a name before the names that it begins.
  const parameters = stripped
    .toLowerCase()
    .split('&')
    .map((each) => each.replace('=', '\0'));
  return `?${parameters
    .sort()
    .map((each) => each.replace('\0', '='))
    .join('&')}`;
}

/** Decodes percent-encoding until nothing is left to decode. Characters of the result are bytes. */
function unescapeAll(text: string): string {
  let bytes = latin1(new TextEncoder().encode(text));
  for (let before = ''; before !== bytes; ) {
    before = bytes;
    bytes = before.replace(/%([\da-f]{2})/gi, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)));
  }
  return bytes;
}

/** Percent-encodes bytes that are not printable ASCII, and `#` and `%`. */
function escapeOnce(bytes: string): string {
  return bytes.replace(/[^!"$&-~]/g, (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`);
}
