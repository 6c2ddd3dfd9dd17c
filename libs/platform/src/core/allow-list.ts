const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'] as const;
const WILDCARD_HOSTS: ReadonlySet<string> = new Set(['0.0.0.0', '::', '[::]']);
const DEFAULT_PORTS: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 };

export interface Allowed {
  /** The address that the server is bound to. */
  readonly host: string;
  readonly publicUrl: URL | undefined;
  readonly allowedOrigins: readonly string[];
}

/**
 * Which names this server answers for, so that a foreign page cannot reach it through a name of its own that leads here.
 * Known are the loopback names and the bound address on the listening port, and the host of PUBLIC_URL.
 */
export class AllowList {
  readonly #allowed: Allowed;
  #port: number | undefined;
  #hosts: ReadonlySet<string> = new Set();
  #origins: ReadonlySet<string> = new Set();

  constructor(allowed: Allowed) {
    this.#allowed = allowed;
  }

  /** `host` is the header as it came; a request without one is refused. */
  hasHost(host: string | undefined, port: number): boolean {
    this.#prepare(port);
    return host !== undefined && this.#hosts.has(host.toLowerCase());
  }

  /** Only browsers send an origin; a request without one is not judged here. */
  hasOrigin(origin: string | undefined, port: number): boolean {
    this.#prepare(port);
    return origin === undefined || this.#origins.has(origin.toLowerCase());
  }

  #prepare(port: number): void {
    if (port === this.#port) return;
    const { host, publicUrl, allowedOrigins } = this.#allowed;
    const names = WILDCARD_HOSTS.has(host) ? LOOPBACK : [...LOOPBACK, host.includes(':') && !host.startsWith('[') ? `[${host}]` : host];
    const local = names.flatMap((name) => spellings(name.toLowerCase(), port, 'http:'));
    const known = publicUrl
      ? spellings(publicUrl.hostname, Number(publicUrl.port) || defaultPort(publicUrl.protocol), publicUrl.protocol)
      : [];
    this.#hosts = new Set([...local, ...known]);
    this.#origins = new Set([...local.map((name) => `http://${name}`), ...(publicUrl ? [publicUrl.origin] : []), ...allowedOrigins]);
    this.#port = port;
  }
}

/** A host as clients may write it: without the port too where that is the default. */
function spellings(name: string, port: number, protocol: string): string[] {
  const full = `${name}:${String(port)}`;
  return port === defaultPort(protocol) ? [full, name] : [full];
}

function defaultPort(protocol: string): number {
  return DEFAULT_PORTS[protocol] ?? 80;
}
