/** The lines of CDXJ and the keys that Python's web archive tools make. */
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';

const read = (name: string): Buffer<ArrayBuffer> => readFileSync(new URL(name, import.meta.url));

/** A WARC file that warcio 1.8.1 wrote (sample.py), compressed and not, and the lines of cdxj-indexer 1.5.0. */
export const SAMPLES: Readonly<Record<string, Buffer<ArrayBuffer>>> = {
  'sample.warc': gunzipSync(read('sample.warc.gz')),
  ...Object.fromEntries(
    ['sample.warc.gz', 'sample.warc.cdxj', 'sample.warc.gz.cdxj'].map((name) => [name, read(name)]),
  ),
};

/** A line of CDXJ as an object; a media type in lower case, as ours are, and `unk` if there is none. */
export function entriesOf(cdxj: string): Record<string, string>[] {
  return cdxj
    .trimEnd()
    .split('\n')
    .map((line) => {
      const [, key, timestamp, json] = /^(\S+) (\d{14}) (.*)$/.exec(line)!;
      const entry = JSON.parse(json!) as Record<string, string>;
      return { key: key!, timestamp: timestamp!, ...entry, mime: (entry['mime'] ?? 'unk').toLowerCase() };
    });
}

/** URIs and their keys, as the Python package surt 0.3.1 makes them. */
export const URIS: readonly (readonly [uri: string, key: string])[] = [
  ['http://www.example.org/', 'org,example)/'],
  ['https://example.org', 'org,example)/'],
  ['http://WWW2.Example.ORG:80/A/B/../c//d/./e/?b=2&a=1#f', 'org,example)/a/c/d/e?a=1&b=2'],
  ['https://example.org:443/x', 'org,example)/x'],
  ['https://example.org:8443/x/', 'org,example:8443)/x'],
  ['http://example.org/?', 'org,example)/'],
  ['http://example.org/?a&a=&a=1&A=0', 'org,example)/?a&a=&a=0&a=1'],
  ['http://example.org/a%2520b%20c d', 'org,example)/a%20b%20c%20d'],
  ['http://example.org/ü/é?ö=ä', 'org,example)/%c3%bc/%c3%a9?%c3%b6=%c3%a4'],
  ['http://bücher.example/', 'example,xn--bcher-kva)/'],
  ['http://xn--bcher-kva.example/', 'example,xn--bcher-kva)/'],
  ['ftp://ftp.example.org/pub/', 'org,example,ftp)/pub'],
  ['http://user:pw@example.org/', 'org,example)/'],
  ['http://127.0.0.1:8080/x', '1,0,0,127:8080)/x'],
  ['http://2130706433/', '1,0,0,127)/'],
  ['http://0177.0.0.1/', '1,0,0,127)/'],
  ['urn:uuid:ABC', 'urn:uuid:abc'],
  ['urn:pageinfo:http://Ex.org/A?b=2&a=1', 'urn:pageinfo:http://ex.org/a?a=1&b=2'],
  ['mailto:A@b.org', 'mailto:a@b.org'],
  ['example.org/x', 'org,example)/x'],
  ['//example.org/x', 'org,example)/x'],
  ['http://https/order.1and1.com', 'https)/order.1and1.com'],
  ['http://http://example.org/', 'org,example)/'],
  ['https://http://x.org/', 'org,x)/'],
  [
    'http://example.org/a;jsessionid=0123456789ABCDEF0123456789abcdef?x=1',
    'org,example)/a;jsessionid=0123456789abcdef0123456789abcdef?x=1',
  ],
  ['http://example.org/?x=1&jsessionid=0123456789ABCDEF0123456789abcdef', 'org,example)/?&x=1'],
  ['http://example.org/?sid=0123456789ABCDEF0123456789abcdef&x=1', 'org,example)/?x=1'],
  ['http://example.org/?PHPSESSID=0123456789ABCDEF0123456789abcdef', 'org,example)/'],
  ['http://example.org/?cfid=1&cftoken=2&z=3&y=4', 'org,example)/?y=4&z=3'],
  ['http://example.org/(S(abcdefghijklmnopqrstuvwx))/page.aspx', 'org,example)/page.aspx'],
  ['http://example.org/(abcdefghijklmnopqrstuvwx)/Page.ASPX?z', 'org,example)/page.aspx?z'],
  ['http://example.org/..', 'org,example)/..'],
  ['http://example.org/../a', 'org,example)/../a'],
  ['http://example.org/a/..', 'org,example)/'],
  ['http://example.org/a/.', 'org,example)/a'],
  ['http://example.org//', 'org,example)/'],
  ['http://example.org///a', 'org,example)/a'],
  ['http://example.org/a//', 'org,example)/a'],
  ['http://example..org./', 'org,example)/'],
  ['http://.example.org/', 'org,example)/'],
  ['http://example.org:/', 'org,example)/'],
  ['http://example.org/%7Ea/%41?%42=%43', 'org,example)/~a/a?b=c'],
  ['http://example.org/%ff%00', 'org,example)/%ff%00'],
  ['http://example.org/a\\b', 'org,example)/a\\b'],
  ['http://example.org/a|b<c>"`{}^\'', 'org,example)/a|b<c>"`{}^\''],
  ['http://www.com/', 'com)/'],
  ['http://www/', 'www)/'],
  ['http://wwww.example.org', 'org,example,wwww)/'],
  ['http://www1.www.example.org', 'org,example,www)/'],
  ['http://www12x.example.org/', 'org,example,www12x)/'],
  ['http://exa_mple.org/', 'org,exa_mple)/'],
  ['http://EXAMPLE.org/%E2%82%AC', 'org,example)/%e2%82%ac'],
  ['http://example.org?x=1', 'org,example)/?x=1'],
  ['http://example.org#x', 'org,example)/'],
  ['  http://example.org/ a \n', 'org,example)/%20a'],
  ['http://example.org/a?b=c?d=e&f', 'org,example)/a?b=c?d=e&f'],
  ['http://example.org/?&&a=1&&', 'org,example)/?&&&&a=1'],
  ['http://example.org/?a=b=c&a=b&a-=1&a!=0', 'org,example)/?a=b&a=b=c&a!=0&a-=1'],
  ['http://[::1]/x', '::1)/x'],
  ['http://[::1]:8080/x', '::1:8080)/x'],
  ['http://example.org/%2e%2e/a', 'org,example)/../a'],
  ['http://example.org/a%2fb/', 'org,example)/a/b'],
  ['http://example.org/?a=%26b=1&a=1', 'org,example)/?a=&a=1&b=1'],
  ['screenshot:http://Example.org/', 'screenshot:http://example.org'],
  ['http://example.org/a+b?c+d=%2B', 'org,example)/a+b?c+d=+'],
  ['HTTP://EXAMPLE.ORG/', 'org,example)/'],
  ['Https://Example.org:443/', 'org,example)/'],
  ['http://例え.jp/', 'jp,xn--r8jz45g)/'],
  ['http://example.org:080/', 'org,example)/'],
  ['ftp://example.org:21/', 'org,example:21)/'],
  ['http:/example.org/x', 'org,example)/x'],
  ['http:example.org/x', 'org,example)/x'],
  ['http:////example.org/x', 'org,example)/x'],
  ['http://a b.org/', 'org,a%20b)/'],
  ['http://ex%41mple.org/', 'org,example)/'],
  ['http://1.2.3/', '3,0,2,1)/'],
  ['http://1.2.3.4.5/', '5,4,3,2,1)/'],
  ['http://999.1.1.1/', '1,1,1,999)/'],
  ['http://example.org/a?b#c?d', 'org,example)/a?b'],
  ['data:text/html,x', 'data:text/html,x'],
  ['x:', 'x:'],
  ['http://example.org/?q=%23%25', 'org,example)/?q=%23%25'],
  ['http://www.B.c/B///:]http://', 'c,b)/b/:]http:'],
  ['http://a.orgA.+', '+,orga,a)/'],
];
