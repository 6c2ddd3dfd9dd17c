import { challenge, channelOf, isSafeMethod } from './doors.js';

describe('doors', () => {
  it.each([
    ['/mcp', 'mcp'],
    ['/mcp?x=1', 'mcp'],
    ['/mcp/terminal', 'mcp'],
    ['/api/tokens', 'rest'],
    ['/mcpx', 'rest'],
    ['/api/mcp', 'rest'],
  ] as const)('%s is %s', (path, channel) => {
    expect(channelOf(path)).toBe(channel);
  });

  it('asks for a CSRF token on everything that can change state', () => {
    expect(['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE', 'QUERY'].filter((method) => !isSafeMethod(method))).toEqual([
      'POST',
      'PUT',
      'PATCH',
      'DELETE',
      'QUERY',
    ]);
  });

  it('says what is wrong in the words of RFC 6750', () => {
    expect(challenge({})).toBe('Bearer realm="countersign"');
    expect(challenge({ error: 'invalid_token', text: 'send "Bearer…"\r\n' })).toBe(
      'Bearer realm="countersign", error="invalid_token", error_description="send Bearer"',
    );
    expect(challenge({ scope: 'admin' })).toBe('Bearer realm="countersign", error="insufficient_scope", scope="admin"');
  });
});
