import type { Client } from '@modelcontextprotocol/client';
import { boot, type Booted } from '../support/boot.js';
import { call } from '../support/flow.js';

describe('what policy says, on both doors', () => {
  let api: Booted;
  let agent: Client;
  beforeAll(async () => {
    api = await boot();
    agent = await api.mcp();
  });
  afterAll(() => api.close());

  it('explains a command over MCP without planning it', async () => {
    const answer = await call(agent, 'policy_explain', { command: 'cat README.md | grep -c x && touch y', mode: 'trusted' });
    expect(answer).toMatchObject({
      outcome: 'allow',
      mode: 'trusted',
      stages: [
        { join: 'first', argv: ['cat', 'README.md'] },
        { join: 'pipe', argv: ['grep', '-c', 'x'] },
        { join: 'and', argv: ['touch', 'y'] },
      ],
    });
    expect(await call(agent, 'policy_explain', { argv: ['git', '-c', 'a.b=c', 'status'] })).toMatchObject({
      outcome: 'deny',
      rules: ['git.global-option'],
    });
    expect(await call(agent, 'policy_explain', { command: 'ls $(id)' })).toMatchObject({ outcome: 'deny', rules: ['command.syntax'] });
  });

  it('explains a command over REST, in another mode and folder too', async () => {
    const owner = await api.owner();
    const answer = (await owner.post('/api/policy/explain', { argv: ['rm', 'x'], mode: 'inspect' })) as Record<string, unknown>;
    expect(answer).toMatchObject({ outcome: 'deny', risk: 'blocked', mode: 'inspect', cwd: api.workspace });
    expect(answer['facts']).toMatchObject([{ tool: 'rm', effects: ['delete'], understood: true }]);
    const outside = (await owner.post('/api/policy/explain', { argv: ['ls'], cwd: '/' })) as Record<string, unknown>;
    expect(outside).toMatchObject({ outcome: 'deny', rules: expect.arrayContaining(['path.outside']) as unknown });
  });
});
