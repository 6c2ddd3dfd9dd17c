import { toSettings } from './host-settings.js';

describe('settings of a host', () => {
  it('keeps what its kind knows, and nothing else', () => {
    expect(toSettings({ kind: 'attach', url: 'http://localhost:4000/x', model: 'm' })).toEqual({
      ok: true,
      value: { kind: 'attach', url: 'http://localhost:4000' },
    });
  });

  it.each([
    [{ kind: 'bridge', provider: 'p' }, ['settings.model']],
    [{ kind: 'bridge', provider: 'p', model: 'm', baseUrl: 'ftp://x' }, ['settings.baseUrl']],
    [{ kind: 'attach', url: 'http://10.0.0.1:4000' }, ['settings.url']],
    [{ kind: 'attach', url: 'https://localhost:4000' }, ['settings.url']],
    [{ kind: 'acp', argv: ['agent'] }, ['settings.argv']],
    [{ kind: 'acp', argv: ['/bin/agent'], env: { LD_PRELOAD: '/x' } }, ['settings.env']],
  ] as const)('refuses %j', (given, paths) => {
    expect(toSettings(given)).toMatchObject({ ok: false, code: 'INPUT_INVALID', details: { paths } });
  });
});
