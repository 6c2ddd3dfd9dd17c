import * as fc from 'fast-check';
import type { Decision, Mode, StageFacts } from '#contracts';
import { aDecision } from '../../../../test/support/plans.js';
import { boundedLimits } from './limits.js';
import { withNetwork } from './network-grant.js';
import { allows, canonicalHost, hostRule, hostText } from './network-hosts.js';
import { registryHosts } from './registry-hosts.js';

describe('hosts that a run may reach', () => {
  it.each([
    ['Example.COM', 'example.com'],
    ['example.com.', 'example.com'],
    ['example.com:443', 'example.com'],
    ['example.com:8443', 'example.com:8443'],
    ['*.example.com', '*.example.com'],
    ['bücher.example', 'xn--bcher-kva.example'],
    ['127.0.0.1:8080', '127.0.0.1:8080'],
    ['0x7f.1:80', '127.0.0.1:80'],
    ['2130706433', '127.0.0.1'],
    ['[::1]:80', '[::1]:80'],
    ['[0:0::1]', '[::1]'],
    ['localhost:3000', 'localhost:3000'],
  ])('%s is kept as %s', (text, kept) => {
    const rule = hostRule(text);
    expect(rule && hostText(rule)).toBe(kept);
  });

  it.each([
    ...[
      '',
      '*',
      '*.',
      '*.com',
      '*.127.0.0.1',
      'a.*.com',
      '**.a.com',
      'https://a.com',
      'a.com/x',
      'a.com?x',
      'user@a.com',
      'a b',
      'a.com:0',
    ],
    ...['a.com:65536', 'a.com:x', 'a.com:80:80', '::1', '[::1', 'a%2ecom', 'a\\b', '.a.com', '-', 'a\n.com', 'a'.repeat(254)],
  ])('%j is no host', (text) => {
    expect(hostRule(text)).toBeUndefined();
  });

  it('reads back what it writes', () => {
    fc.assert(
      fc.property(fc.domain(), fc.integer({ min: 1, max: 65_535 }), fc.boolean(), (name, port, isBelow) => {
        const rule = hostRule(`${isBelow ? '*.' : ''}${name}:${String(port)}`);
        expect(rule && hostRule(hostText(rule))).toEqual(rule);
      }),
    );
  });

  it.each([
    ['example.com', 443, true],
    ['example.com', 80, false],
    ['a.example.com', 443, false],
    ['api.example.org', 443, true],
    ['deep.api.example.org', 443, true],
    ['example.org', 443, false],
    ['evilexample.org', 443, false],
    ['example.com.evil.org', 443, false],
  ])('%s:%i', (host, port, isAllowed) => {
    const rules = ['example.com', '*.example.org'].flatMap((text) => hostRule(text) ?? []);
    expect(allows(rules, canonicalHost(host) ?? '', port)).toBe(isAllowed);
  });
});

describe('the hosts of a plan', () => {
  const machine = { kind: 'bwrap', network: 'none' } as const;
  const stage = (facts: Partial<StageFacts>): StageFacts => ({ ...(aDecision().stages[0] as StageFacts), ...facts }); // a decision has a stage
  const grant = (
    decision: Partial<Decision>,
    wished: readonly string[] = [],
    mode: Mode = 'confirm',
    packageSettings: readonly string[] = [],
  ) => withNetwork(aDecision(decision), { mode, wished, packageSettings, machine });
  const connecting = (facts: Partial<StageFacts>) => ({
    outcome: 'ask' as const,
    rules: ['network.connect'],
    reasons: ['It connects.'],
    stages: [stage({ effects: ['network'], ...facts })],
  });

  it('are none without a reason for them', () => {
    expect(grant({})).toEqual({ decision: aDecision(), hosts: [] });
  });

  it('follow from the command', () => {
    const { decision, hosts } = grant(connecting({ tool: 'curl', hosts: ['Example.com', 'localhost:3000'] }));
    expect(hosts).toEqual(['example.com', 'localhost:3000']);
    expect(decision.outcome).toBe('ask');
  });

  it('follow from the registry of a package tool, that of the workspace first', () => {
    expect(grant(connecting({ tool: 'npm' })).hosts).toEqual(['registry.npmjs.org']);
    const settings = '# mine\nregistry = https://npm.example.org/x/\n@a:registry=http://127.0.0.1:4873/\n';
    const { decision, hosts } = grant(connecting({ tool: 'npm' }), [], 'confirm', [settings]);
    expect(hosts).toEqual(['npm.example.org', '127.0.0.1:4873', 'registry.npmjs.org']);
    expect(decision.stages[0]?.touches.map(({ target }) => target)).toEqual(expect.arrayContaining(hosts));
    expect(registryHosts('pip', [settings])).toEqual(['pypi.org', 'files.pythonhosted.org']);
  });

  it('are asked about when the plan names more, in every mode that runs such things', () => {
    for (const mode of ['confirm', 'trusted'] as const) {
      const { decision, hosts } = grant({}, ['api.example.org'], mode);
      expect(hosts).toEqual(['api.example.org']);
      expect(decision).toMatchObject({ outcome: 'ask', risk: 'high', rules: ['network.hosts'] });
      expect(decision.stages[0]).toMatchObject({ effects: expect.arrayContaining(['network']) as unknown, hosts });
    }
    expect(grant({}, ['api.example.org'], 'inspect').decision).toMatchObject({ outcome: 'deny', risk: 'blocked' });
  });

  it('are the same when the plan is looked at again', () => {
    const first = grant(connecting({ tool: 'npm' }));
    expect(grant(connecting({ tool: 'npm' }), first.hosts)).toEqual(first);
    const wished = grant(connecting({ tool: 'npm' }), ['cdn.example.org']);
    expect(grant(connecting({ tool: 'npm' }), wished.hosts)).toEqual(wished);
  });

  it('must be known when the command connects', () => {
    const { decision, hosts } = grant(connecting({ tool: 'git', hosts: [] }));
    expect(hosts).toEqual([]);
    expect(decision).toMatchObject({ outcome: 'deny', risk: 'blocked' });
    expect(decision.reasons[0]).toContain('limits.network.hosts');
    expect(grant(connecting({ tool: 'git', hosts: [] }), ['git.example.org']).decision.outcome).toBe('ask');
  });

  it('never soften a refusal, and are put before a person where nothing holds the run to them', () => {
    expect(grant({ outcome: 'deny', risk: 'blocked' }, ['a.example.org']).decision.outcome).toBe('deny');
    const open = { kind: 'landlock', network: 'open' } as const;
    const { decision } = withNetwork(aDecision({ ...connecting({ tool: 'npm' }), outcome: 'allow' }), {
      mode: 'trusted',
      wished: [],
      packageSettings: [],
      machine: open,
    });
    expect(decision).toMatchObject({ outcome: 'ask', risk: 'high' });
    expect(decision.rules).toContain('network.not-held');
  });
});

describe('limits', () => {
  const defaults = { timeoutMs: 120_000, maxOutputBytes: 1_048_576 };

  it('are kept as they are wished, hosts in one spelling', () => {
    const wished = {
      cpuMs: 500,
      memoryBytes: 64 * 1_048_576,
      processes: 8,
      fileBytes: 0,
      openFiles: 64,
      network: { hosts: ['A.com', 'a.com:443'] },
    };
    expect(boundedLimits(wished, defaults)).toEqual({ ok: true, value: { ...defaults, ...wished, network: { hosts: ['a.com'] } } });
    expect(boundedLimits({ network: { hosts: [] } }, defaults)).toEqual({ ok: true, value: defaults });
  });

  it.each([
    [{ cpuMs: 1 }, 'cpuMs'],
    [{ memoryBytes: 1.5 }, 'memoryBytes'],
    [{ processes: 0 }, 'processes'],
    [{ openFiles: 1 }, 'openFiles'],
    [{ fileBytes: -1 }, 'fileBytes'],
    [{ network: { hosts: ['https://a.com'] } }, 'network'],
  ])('outside their bounds are refused: %j', (wished, limit) => {
    expect(boundedLimits(wished, defaults)).toMatchObject({ ok: false, code: 'LIMITS_INVALID', details: { limit } });
  });
});
