import { resolve } from 'node:path';
import type * as z from 'zod';
import { PlatformEnv } from './core/settings.js';
import { readConfig } from './read-config.js';
import { ConfigError } from './start-error.js';
import { readVersion } from './version.js';

const WILDCARD_HOSTS = new Set(['0.0.0.0', '::', '[::]']);

/** The start-up settings of the server itself: read once, typed. Also the injection token. */
export class PlatformConfig {
  readonly host: string;
  readonly port: number;
  readonly basePath: string;
  readonly allowedOrigins: readonly string[];
  readonly trustProxy: boolean | number | string;
  readonly egressPrivateHosts: readonly string[];
  readonly dataDir: string;
  readonly databaseUrl: string | undefined;
  readonly secretKey: string | undefined;
  readonly maxRequestBytes: number;
  readonly rateLimitPerMinute: number;
  readonly logLevel: z.output<typeof PlatformEnv>['LOG_LEVEL'];
  readonly version = readVersion();
  /** PUBLIC_URL as it was given. */
  readonly givenUrl: URL | undefined;
  #boundPort: number | undefined;

  constructor(env: z.output<typeof PlatformEnv>) {
    this.host = env.HOST;
    this.port = env.PORT;
    this.basePath = basePathOf(env);
    this.allowedOrigins = env.ALLOWED_ORIGINS;
    this.trustProxy = env.TRUST_PROXY;
    this.egressPrivateHosts = env.EGRESS_PRIVATE_HOSTS;
    this.dataDir = resolve(env.COUNTERSIGN_DATA);
    this.databaseUrl = env.DATABASE_URL;
    this.secretKey = env.COUNTERSIGN_SECRET_KEY;
    this.maxRequestBytes = env.MAX_REQUEST_BYTES;
    this.rateLimitPerMinute = env.RATE_LIMIT_PER_MINUTE;
    this.logLevel = env.LOG_LEVEL;
    this.givenUrl = env.PUBLIC_URL;
  }

  /** Reads the environment once per call; every process calls it once. */
  static read(): PlatformConfig {
    return new PlatformConfig(readConfig(PlatformEnv));
  }

  /** Where people and agents reach the server, without a trailing slash. With PORT 0 it is known once the server listens. */
  get publicUrl(): string {
    if (this.givenUrl) return `${this.givenUrl.origin}${this.basePath}`;
    const host = WILDCARD_HOSTS.has(this.host) ? 'localhost' : this.host.includes(':') ? `[${this.host}]` : this.host;
    return `http://${host}:${String(this.#boundPort ?? this.port)}${this.basePath}`;
  }

  /** The port that the system gave. Called once by `listen`. */
  bound(port: number): void {
    this.#boundPort = port;
  }
}

/** The prefix stands in BASE_PATH or in the path of PUBLIC_URL; where both say it they must agree. */
function basePathOf({ BASE_PATH, PUBLIC_URL }: z.output<typeof PlatformEnv>): string {
  const path = PUBLIC_URL?.pathname.replace(/\/+$/, '') ?? '';
  if (path !== '' && BASE_PATH !== '' && path !== BASE_PATH) {
    throw new ConfigError(['BASE_PATH'], 'BASE_PATH and the path of PUBLIC_URL differ; set one of them, or both to the same path');
  }
  return BASE_PATH === '' ? path : BASE_PATH;
}
