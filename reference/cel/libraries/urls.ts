import type { Environment } from '@marcbachmann/cel-js';
import { FunctionFault, parses } from './faults.ts';
import { registerAll, registerOpaque } from './register.ts';

/** An absolute URL or path, taken apart without normalising. */
class UrlValue {
  readonly text: string;
  readonly scheme: string;
  readonly host: string;
  readonly path: string;
  readonly query: string;

  constructor(text: string) {
    const parts = /^(?:([a-zA-Z][a-zA-Z0-9+.-]*):)?(?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?$/.exec(text);
    const [, scheme = '', authority, path = '', query = ''] = parts ?? [];
    const opaque = scheme !== '' && authority === undefined && !path.startsWith('/');
    const absolute = scheme !== '' || path.startsWith('/');
    // biome-ignore lint/suspicious/noControlCharactersInRegex: a URL has none of these
    if (!parts || !absolute || opaque || /[\u0000-\u0020\u007f]/.test(text) || /%(?![0-9a-fA-F]{2})/.test(path)) {
      throw new FunctionFault(
        `URL parse error during conversion from string: parse ${JSON.stringify(text)}: invalid URI for request`,
      );
    }
    this.text = text;
    this.scheme = scheme.toLowerCase();
    this.host = (authority ?? '').replace(/^[^@]*@/, '');
    this.path = path;
    this.query = query;
    if (!/^(\[[0-9a-fA-F:.%]+\]|[^:[\]]*)(:\d*)?$/.test(this.host)) {
      throw new FunctionFault(
        `URL parse error during conversion from string: parse ${JSON.stringify(text)}: invalid port`,
      );
    }
  }
  get hostname(): string {
    return this.host.replace(/:\d*$/, '').replace(/^\[|\]$/g, '');
  }
  get port(): string {
    return /:(\d*)$/.exec(this.host)?.[1] ?? '';
  }
  equals(other: unknown): boolean {
    return other instanceof UrlValue && other.text === this.text;
  }
}

const URL_TYPE = 'kubernetes.URL';

function queryOf({ query }: UrlValue): Map<string, string[]> {
  const values = new Map<string, string[]>();
  for (const [name, value] of new URLSearchParams(query)) values.set(name, [...(values.get(name) ?? []), value]);
  return values;
}

/** URLs and their parts. */
export function registerUrls(environment: Environment): void {
  registerOpaque(environment, URL_TYPE, UrlValue);
  environment.registerOperator(`${URL_TYPE} == ${URL_TYPE}`, (a: UrlValue, b: UrlValue) => a.equals(b));
  registerAll(environment, {
    [`url(string): ${URL_TYPE}`]: (text: string) => new UrlValue(text),
    'isURL(string): bool': (text: string) => parses(() => new UrlValue(text)),
    [`${URL_TYPE}.getScheme(): string`]: ({ scheme }: UrlValue) => scheme,
    [`${URL_TYPE}.getHost(): string`]: ({ host }: UrlValue) => host,
    [`${URL_TYPE}.getHostname(): string`]: ({ hostname }: UrlValue) => hostname,
    [`${URL_TYPE}.getPort(): string`]: ({ port }: UrlValue) => port,
    [`${URL_TYPE}.getEscapedPath(): string`]: ({ path }: UrlValue) => path,
    [`${URL_TYPE}.getQuery(): map<string, list<string>>`]: queryOf,
  });
}
