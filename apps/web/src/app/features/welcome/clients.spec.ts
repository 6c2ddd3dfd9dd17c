import { CLIENTS, CLIENT_LOOKS, configurationFor } from './clients.js';

const URL_HERE = 'https://sign.example.com/mcp';

describe('configurations of clients', () => {
  it.each(CLIENTS)('%s names the server, and the secret only where the client sends it', (client) => {
    const text = configurationFor(client, URL_HERE, 'csn_secret');
    expect(text).toContain(URL_HERE);
    expect(text.includes('csn_secret')).toBe(client !== 'chatgpt');
    expect(CLIENT_LOOKS[client].name).not.toBe('');
  });

  it.each(['claude-desktop', 'cursor', 'vs-code'] as const)('%s reads JSON', (client) => {
    expect(() => void JSON.parse(configurationFor(client, URL_HERE, 'csn_secret'))).not.toThrow();
  });
});
