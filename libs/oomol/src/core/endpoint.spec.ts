import fc from 'fast-check';
import { parseEndpoint, safeView } from './endpoint.js';

const HOSTED = 'https://connector.oomol.com/v1/mcp';

describe('endpoints', () => {
  it.each([
    [HOSTED, 'oomol-hosted', HOSTED],
    [`${HOSTED}/`, 'oomol-hosted', HOSTED],
    ['HTTPS://Connector.OOMOL.com:443/v1/mcp', 'oomol-hosted', HOSTED],
    ['https://connect.example.com/mcp', 'self-hosted', 'https://connect.example.com/mcp'],
    ['http://localhost:3000/mcp', 'self-hosted', 'http://localhost:3000/mcp'],
    ['http://127.0.0.2:3000/mcp/', 'self-hosted', 'http://127.0.0.2:3000/mcp'],
    ['http://[::1]/mcp', 'self-hosted', 'http://[::1]/mcp'],
    ['http://127.1/mcp', 'self-hosted', 'http://127.0.0.1/mcp'],
    ['http://0x7f000001/mcp', 'self-hosted', 'http://127.0.0.1/mcp'],
    ['https://notoomol.com/mcp', 'self-hosted', 'https://notoomol.com/mcp'],
  ])('takes %s as %s', (text, mode, url) => {
    expect(parseEndpoint(text)).toMatchObject({ ok: true, value: { mode, url } });
  });

  it.each([
    'http://127.evil.com/mcp',
    'http://127.0.0.1.evil.com/mcp',
    'http://127.0.0.1.nip.io/mcp',
    'http://localhost.evil.com/mcp',
    'http://localhost./mcp',
    'http://evil.com/mcp#@127.0.0.1',
    'http://127.0.0.1@evil.com/mcp',
    'http://evil.com\\@127.0.0.1/mcp',
    'http://[::ffff:127.0.0.1]/mcp',
    'http://[::2]/mcp',
    'http://0.0.0.0/mcp',
    'http://10.0.0.1/mcp',
    'http://example.com/mcp',
    'http://１２８.0.0.1/mcp',
    'https://user:pass@example.com/mcp',
    'https://@example.com/mcp',
    'https://:@example.com/mcp',
    'https://example.com/mcp?token=x',
    'https://example.com/mcp?',
    'https://example.com/mcp#x',
    'https://example.com/mcp#',
    `${HOSTED}?x=1`,
    'https://connector.oomol.com/mcp',
    'https://connector.oomol.com/',
    'https://connector.oomol.com./v1/mcp',
    'https://connector.oomol.com:8443/v1/mcp',
    'https://api.oomol.com/v1/mcp',
    'https://oomol.com/mcp',
    'https://CONNECTOR.oomol.com/v1/mcp/x',
    'https://connector.oomol.com/v1//mcp',
    'https://connector。oomol。com/other',
    'http://connector.oomol.com/v1/mcp',
    'ws://127.0.0.1/mcp',
    'file:///etc/passwd',
    'javascript:alert(1)',
    ' https://example.com/mcp',
    'https://exam\tple.com/mcp',
    'https://exam\u200bple.com/mcp',
    'https://example.com/mcp\n',
    'example.com/mcp',
    '',
    `https://example.com/${'a'.repeat(3_000)}`,
  ])('refuses %j', (text) => {
    expect(parseEndpoint(text)).toMatchObject({ ok: false, code: 'CONNECTOR_ENDPOINT_INVALID' });
  });

  it('sends nothing in the clear but to this machine, whatever is written', () => {
    const host = fc.oneof(fc.domain(), fc.ipV4(), fc.ipV4Extended(), fc.constantFrom('127.0.0.1.x.io', '127.x', 'localhost', '[::1]'));
    fc.assert(
      fc.property(host, fc.webPath(), fc.constantFrom('http:', 'https:', 'HTTP:', 'hTTp:'), (name, path, scheme) => {
        const read = parseEndpoint(`${scheme}//${name}${path}`);
        if (!read.ok || read.value.url.startsWith('https:')) return;
        expect(new URL(read.value.url).hostname).toMatch(/^(localhost|\[::1\]|127(\.\d{1,3}){3})$/);
      }),
      { numRuns: 2_000 },
    );
  });

  it('gives no name under the hosted domain to the self-hosted mode', () => {
    const label = fc.stringMatching(/^[a-zA-Z0-9-]{1,10}$/);
    fc.assert(
      fc.property(label, fc.webPath(), fc.constantFrom('', '.', ':443', ':444'), (name, path, end) => {
        const read = parseEndpoint(`https://${name}.oomol.com${end}${path}`);
        if (read.ok) expect(read.value).toMatchObject({ mode: 'oomol-hosted', url: HOSTED });
      }),
      { numRuns: 2_000 },
    );
  });

  it('shows exactly the safe view, derived from the endpoint', () => {
    const hosted = parseEndpoint(`${HOSTED}/`);
    const own = parseEndpoint('https://connect.example.com/base/mcp');
    if (!hosted.ok || !own.ok) throw new Error('not taken');
    expect(safeView(hosted.value, 'OOMOL_MCP_API_KEY', false)).toEqual({
      mode: 'oomol-hosted',
      endpoint: HOSTED,
      apiKeyEnv: 'OOMOL_MCP_API_KEY',
      credentialRequired: true,
      connectionsManagement: 'embedded',
      consoleUrl: 'https://console.oomol.com',
    });
    expect(safeView(own.value, 'X', false)).toEqual({
      mode: 'self-hosted',
      endpoint: 'https://connect.example.com/base/mcp',
      apiKeyEnv: 'X',
      credentialRequired: false,
      connectionsManagement: 'external',
      consoleUrl: 'https://connect.example.com',
    });
    expect(own.value.base).toBe('https://connect.example.com/base');
  });
});
