import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Script } from 'node:vm';
import { parse } from 'yaml';
import { PRODUCT_FLAGS } from '../../scripts/node.mjs';
import { read, root } from '../support/tree.js';

interface Instruction {
  readonly word: string;
  readonly rest: string;
}

/** One entry per instruction, continuation lines joined, comments left out. */
function instructions(text: string): Instruction[] {
  return text
    .replace(/\\\n/g, ' ')
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.trimStart().startsWith('#'))
    .map((line) => {
      const [, word, rest] = /^\s*([A-Z]+)\s+(.*)$/.exec(line) ?? [];
      if (word === undefined || rest === undefined) throw new Error(`not an instruction: ${line}`);
      return { word, rest };
    });
}

/** Inline JSON forms must be JSON: a stray quote turns them into a shell string. */
const execForm = (rest: string): string[] => JSON.parse(rest.slice(rest.indexOf('['))) as string[];

const dockerfile = instructions(read('docker/Dockerfile'));
const lastStage = dockerfile.slice(dockerfile.findLastIndex(({ word }) => word === 'FROM'));
const only = (word: string): string => lastStage.find((row) => row.word === word)?.rest ?? '';

interface Service {
  readonly build?: { context: string; dockerfile: string };
  readonly image?: string;
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly security_opt?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly volumes?: readonly string[];
  readonly depends_on?: Readonly<Record<string, { condition: string }>>;
  readonly healthcheck?: { test: readonly string[] };
}
interface Compose {
  readonly services: Readonly<Record<string, Service>>;
  readonly volumes?: Readonly<Record<string, unknown>>;
}
const embedded = parse(read('docker/compose.yaml')) as Compose;
const postgres = parse(read('docker/compose.postgres.yaml')) as Compose;

describe('Dockerfile', () => {
  it('builds in one stage and runs in another', () => {
    expect(dockerfile.filter(({ word }) => word === 'FROM')).toHaveLength(2);
    expect(dockerfile[0]?.rest).toContain(' AS build');
  });

  it('copies only what is there', () => {
    const copied = dockerfile
      .filter(({ word, rest }) => word === 'COPY' && !rest.includes('--from'))
      .flatMap(({ rest }) => rest.split(/\s+/).slice(0, -1));
    expect(copied.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });

  it('runs without root, stops on SIGTERM, and starts the built product without a shell', () => {
    expect(only('USER')).toBe('node');
    expect(only('STOPSIGNAL')).toBe('SIGTERM');
    const command = execForm(only('CMD'));
    expect(command[0]).toBe('node');
    expect(command).toEqual(expect.arrayContaining(PRODUCT_FLAGS));
    const script = command.find((word) => word.endsWith('.js')) ?? 'none';
    expect(existsSync(join(root, script))).toBe(true);
  });

  it('asks its own health route, without a shell', () => {
    const [program, flag, script] = execForm(only('HEALTHCHECK'));
    expect([program, flag]).toEqual(['node', '-e']);
    expect(script).toContain('/health');
    expect(() => new Script(script ?? '')).not.toThrow();
  });
});

describe('compose files', () => {
  it('run read-only, without capabilities, with the data on a volume', () => {
    const service = embedded.services['countersign'];
    expect(service).toMatchObject({ read_only: true, cap_drop: ['ALL'], security_opt: ['no-new-privileges:true'] });
    expect(service?.volumes).toContain('data:/data');
    expect(existsSync(join(root, 'docker', service?.build?.context ?? '', service?.build?.dockerfile ?? ''))).toBe(true);
  });

  it('name only volumes that they declare', () => {
    for (const { services, volumes = {} } of [embedded, postgres]) {
      const named = Object.values(services).flatMap((service) =>
        (service.volumes ?? []).map((mount) => mount.split(/(?<!:-\w*):(?=\/)/)[0] ?? ''),
      );
      const plain = named.filter((name) => /^\w+$/.test(name));
      expect(plain.filter((name) => !(name in volumes))).toEqual([]);
    }
  });

  it('wait for a healthy PostgreSQL that syncs to disk, and refuse to start without its secrets', () => {
    expect(postgres.services['countersign']?.depends_on).toEqual({ postgres: { condition: 'service_healthy' } });
    expect(postgres.services['postgres']?.healthcheck?.test).toContain('CMD-SHELL');
    expect(read('docker/compose.postgres.yaml')).toContain('fsync=on');
    expect(postgres.services['countersign']?.environment?.['DATABASE_URL']).toContain(':?');
  });

  it('set only settings that the product knows', () => {
    const documented = read('docs/configuration.md');
    const names = [embedded, postgres].flatMap(({ services }) => Object.keys(services['countersign']?.environment ?? {}));
    expect(names.filter((name) => !documented.includes(`\`${name}\``))).toEqual([]);
  });
});
