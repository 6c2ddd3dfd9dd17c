import { Tokens } from '#auth';
import type { PolicyCheck, PolicyInForce, PolicyVersion } from '#contracts';
import { boot, type Booted } from '../support/boot.js';
import type { ConsoleClient } from '../support/console-client.mjs';

const FIRST = `name: First rules
rules:
  - name: no-push
    match: { tool: git, subcommand: push }
    outcome: deny
    reason: Releases go through CI.
    examples:
      match: [git push, timeout 9 git push]
      not_match: [git status]
`;

let api: Booted;
let owner: ConsoleClient;
beforeAll(async () => {
  api = await boot();
  owner = await api.owner();
}, 60_000);
afterAll(() => api.close());

const status = async (method: string, path: string, body?: unknown): Promise<number> => (await owner.request(method, path, body)).status;

async function current(): Promise<PolicyInForce> {
  return (await owner.get('/api/policy')) as PolicyInForce;
}

async function save(yaml: string, previous: number, note = 'test'): Promise<PolicyVersion> {
  return (await owner.post('/api/policy/versions', { yaml, previous, note })) as PolicyVersion;
}

describe('policy documents over REST', () => {
  it('begins with version 0, saves on top of what the author saw, and refuses a conflict', async () => {
    expect(await current()).toMatchObject({ version: 0, policyVersion: 'base-1', info: null });
    expect(await save(FIRST, 0)).toMatchObject({ version: 1, name: 'First rules', rules: 1, diff: { added: ['no-push'] } });
    expect(await current()).toMatchObject({ version: 1, policyVersion: 'team-1+base-1' });
    const answer = await owner.request('POST', '/api/policy/versions', { yaml: FIRST, previous: 0, note: 'late' });
    expect(answer.status).toBe(409);
    expect(await answer.json()).toMatchObject({ error: { code: 'POLICY_VERSION_CONFLICT', details: { current: 1 } } });
    expect(await status('GET', '/api/policy/versions/7')).toBe(404);
  });

  it('says line and column of what is wrong', async () => {
    const check = (await owner.post('/api/policy/validate', {
      yaml: 'name: x\nrules:\n  - name: a\n    match: { tool: git }\n    outcom: deny\n',
    })) as PolicyCheck;
    expect(check).toMatchObject({ ok: false, issues: [{ line: 5, column: 5, path: 'rules.0.outcom' }] });
  });

  it('brings an older version back as a new one and leaves a receipt', async () => {
    const { version } = await current();
    await save('name: Nothing\nrules: []\n', version);
    const restored = (await owner.post(`/api/policy/versions/1/restore`, { previous: version + 1, note: 'back' })) as PolicyVersion;
    expect(restored).toMatchObject({ version: version + 2, restoredFrom: 1, yaml: FIRST });
    const receipts = (await owner.get('/api/receipts?limit=1')) as { items: { summary: string }[] };
    expect(receipts.items[0]?.summary).toContain(`saved version ${version + 2} of the policy document`);
  });

  it('shows the built-in policy as a document of its own language', async () => {
    expect(await owner.get('/api/policy/base')).toMatchObject({
      policyVersion: 'base-1',
      document: { rules: expect.arrayContaining([]) as unknown },
    });
  });

  it('lets no agent read or change it', async () => {
    const headers = { authorization: `Bearer ${api.agentToken}`, 'content-type': 'application/json' };
    expect((await api.fetch('/api/policy', { headers })).status).toBe(403);
    const body = JSON.stringify({ yaml: FIRST, previous: 3, note: 'mine' });
    expect((await api.fetch('/api/policy/versions', { method: 'POST', headers, body })).status).toBe(403);
    expect(api.app.get(Tokens)).toBeDefined();
  });
});
