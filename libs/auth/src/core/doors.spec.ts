import { challenge, channelOf, isSafeMethod } from './doors.js';

describe('doors', () => {
  it.each([
    ['/mcp', '', 'mcp'],
    ['/mcp/terminal', '', 'mcp'],
    ['/api/tokens', '', 'rest'],
    ['/mcpx', '', 'rest'],
    ['/api/mcp', '', 'rest'],
    ['/countersign/mcp', '/countersign', 'mcp'],
    ['/mcp', '/countersign', 'mcp'],
    ['/countersignmcp', '/countersign', 'rest'],
  ] as const)('%s under "%s" is %s', (path, base, channel) => {
    expect(channelOf(path, base)).toBe(channel);
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
    expect(challenge({ error: 'invalid_token', text: 'send "Bearer"' })).toBe(
      'Bearer realm="countersign", error="invalid_token", error_description="send Bearer"',
    );
    expect(challenge({ scope: 'admin' })).toBe('Bearer realm="countersign", error="insufficient_scope", scope="admin"');
  });
});
